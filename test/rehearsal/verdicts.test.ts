/** Applications that fail in each way get the verdict for it: the sound one, with one of its ways replaced. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ROOT } from '../../scripts/build.js';
import { loadConfig, systemParts } from '../../src/app/index.js';
import { CELLS, readPlan, rehearse } from '../../src/rehearsal/index.js';
import { bundle } from '../bundle.js';
import { testCertificates } from '../e2e/harness.js';
import { folderOfFile } from '../folder.js';
import { freePort } from '../free-port.js';

const EXAMPLE = join(ROOT, 'examples/rehearsal');
const APPLICATION = join(ROOT, 'node_modules/.cache/bundled/application.mjs');
const ACTION_MS = 30_000;
const folder = folderOfFile();

beforeAll(() =>
  bundle({
    stdin: {
      contents: ['payments', 'server', 'sync'].map((part) => `export * from './${part}.js';`).join(''),
      resolveDir: join(EXAMPLE, 'application'),
    },
    outfile: APPLICATION,
  }),
);

interface Plan {
  readonly app: Record<string, unknown>;
  readonly env: Record<string, string>;
}

/** `readPages` in the place of the sound one, which is there as `sound`; `reads` counts the lists that were read before. */
const program = (readPages: string) => `
import { createOnce, readPagesOnce as sound, serve } from ${JSON.stringify(pathToFileURL(APPLICATION).href)};
let reads = 0;
const readPages = async (first, read) => { reads += 1; ${readPages} return sound(first, read); };
await serve({ readPages, createPayment: createOnce }, process.env);
`;

/** The time of an action has passed when the application asks for the address, which gives no answer; and not before. */
async function lateAtRequest() {
  const port = await freePort();
  const system = systemParts('silent', () => undefined);
  const actions = new Set<() => void>();
  const server = createServer(() => {
    for (const end of actions) end();
  });
  await new Promise<void>((resolve) => server.listen(port, 'localhost', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const timer: typeof system.timer = {
    ...system.timer,
    after: (ms, run) => {
      if (ms !== ACTION_MS) return system.timer.after(ms, run);
      actions.add(run);
      return () => void actions.delete(run);
    },
  };
  return { system: { ...system, timer }, address: `http://localhost:${port}/` };
}

async function verdictOf(readPages: string, cell: string, change: (plan: Plan) => void = () => {}) {
  const port = await freePort();
  const name = join(folder, `${port}`);
  writeFileSync(`${name}.mjs`, program(readPages));
  const plan = JSON.parse(
    readFileSync(join(EXAMPLE, 'sound.json'), 'utf8').replaceAll('localhost:3000', `localhost:${port}`),
  );
  plan.app.start.command = `"${process.execPath}" "${name}.mjs"`;
  const { system, address } = await lateAtRequest();
  plan.env = { PORT: String(port), LATE: address };
  change(plan);
  writeFileSync(`${name}.json`, JSON.stringify({ ...plan, listen: '127.0.0.1:0', psuListen: '127.0.0.1:0' }));
  const certs = await testCertificates();
  const { cells } = await rehearse({
    plan: readPlan(`${name}.json`),
    cells: CELLS.filter(({ id }) => id === cell),
    seed: 7,
    config: (own) => loadConfig({ flags: { ...own, certs }, file: null }).config,
    env: process.env,
    system,
    signal: new AbortController().signal,
    onProgress: () => undefined,
    onCell: () => undefined,
    actionMs: ACTION_MS,
  });
  return cells[0];
}

/** On the calm day and in the beginning of the cell there are six lists: of two accounts, at linking, at the sync, at linking. */
describe('an application that, under weather,', () => {
  it.each([
    ['never answers', 'if (reads > 6) await fetch(process.env.LATE);', 'hung', 'no answer within the time'],
    [
      'asks again and again',
      'if (reads > 6) for (let i = 0; i < 40; i++) await read(first).catch(() => {});',
      'hammered',
      'calls for one sync',
    ],
    ['ends', 'if (reads > 6) process.exit(3);', 'crashed', 'its process ended with status 3'],
    [
      'gives up for good',
      'if (reads > 6) { await read(first).catch(() => {}); throw new Error("The bank was away once."); }',
      'not-recovered',
      'the weather had lifted, and the application answered 424',
    ],
    [
      'makes something up',
      'if (reads > 6) return sound(first, read).catch(() => [{ id: "x", date: first.slice(-33, -23), cents: 1, text: "" }]);',
      'silently-wrong',
      'the application believes 3, the bank has',
    ],
  ])('%s gets its verdict', async (_, readPages, verdict, why) => {
    const cell = await verdictOf(readPages, 'data/html-transactions');
    expect([cell?.verdict, cell?.why]).toEqual([verdict, expect.stringContaining(why)]);
  });
});

describe('an application that looks at no certificate', () => {
  it('is silently wrong: it would have told anybody what it knows', async () => {
    const cell = await verdictOf('', 'certificate/server-unknown-ca', (plan) => {
      plan.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    });
    expect(cell).toMatchObject({
      verdict: 'silently-wrong',
      why: 'it called a bank whose certificate nobody vouches for',
    });
  });
});

describe('a cell', () => {
  it('is not run where the plan has not what it needs, or its weather meets no call', async () => {
    const without = (member: string) => (plan: { app: object }) =>
      void delete (plan.app as Record<string, unknown>)[member];
    expect(await verdictOf('', 'consent/ninety-days', without('clock'))).toMatchObject({
      verdict: 'not-run',
      why: expect.stringContaining('“clock”'),
    });
    expect(await verdictOf('', 'data/html-transactions', without('belief'))).toMatchObject({
      verdict: 'not-run',
      why: 'the plan has no “belief”',
      calls: [],
    });
    expect(await verdictOf('return [];', 'paging/page-two-500')).toMatchObject({
      verdict: 'not-run',
      why: 'no call of the application met this weather',
    });
  });
});
