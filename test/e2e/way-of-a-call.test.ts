/** The functions that docs/architecture.md names on the way of a call are those of a real one. */
import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { afterEach, expect, it } from 'vitest';
import { startTestGateway } from './harness.js';

interface Step {
  readonly name: string;
  /** In `src/`. */
  readonly file: string;
}

const STEP = /^ *(\w+)\(\) .* (\S+\.ts)$/gm;
const session = new Session();
afterEach(async () => {
  await session.post('Debugger.disable');
  session.disconnect();
});

/** The picture's names in their order, from top to bottom. */
function drawn(): Step[] {
  const text = readFileSync(new URL('../../docs/architecture.md', import.meta.url), 'utf8');
  const [, , picture = ''] = text.split('```text');
  return [...(picture.split('```')[0] ?? '').matchAll(STEP)].map(([, name = '', file = '']) => ({
    name,
    file,
  }));
}

/** Notes each call of the functions, by conditions of breakpoints that never hold. */
async function trace(steps: readonly Step[]): Promise<string[]> {
  const called: string[] = [];
  Object.assign(globalThis, { noteStep: (name: string) => called.push(name) });
  session.connect();
  await session.post('Debugger.enable');
  for (const { name, file } of steps) {
    const url = new URL(`../../dist/${file.replace('.ts', '.js')}`, import.meta.url);
    const lines = readFileSync(url, 'utf8').split('\n');
    const begins = new RegExp(
      `(?:function ${name}\\(|\\b${name}: (?:async )?\\(|const ${name} = \\(|^ +${name}\\().*(?:\\{|=> .+)$`,
    );
    const lineNumber = lines.findIndex((line) => begins.test(line));
    const line = lines[lineNumber] ?? '';
    const columnNumber = line.endsWith('{') ? line.length : line.indexOf('=> ') + 3;
    const condition = `noteStep('${name}'), false`;
    await session.post('Debugger.setBreakpointByUrl', { url: url.href, lineNumber, columnNumber, condition });
  }
  return called;
}

it('goes through the functions of the picture in docs/architecture.md, in its order', async () => {
  const steps = drawn();
  const gateway = await startTestGateway();
  try {
    expect((await gateway.call('/stdgroup/v1/consents/VALID_CONSENT_ID/status')).status).toBe(200);
    const called = await trace(steps);
    await gateway.call('/stdgroup/v1/consents/VALID_CONSENT_ID/status');
    expect(steps.length).toBeGreaterThan(10);
    expect(called).toEqual(steps.map(({ name }) => name));
  } finally {
    await gateway.close();
  }
});
