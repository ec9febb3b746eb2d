/** Applications that fail in each way get the verdict for it: the sound one, with one of its ways replaced. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loadConfig, systemParts } from '../../src/app/index.js';
import { CELLS, readPlan, rehearse } from '../../src/rehearsal/index.js';
import { testCertificates } from '../e2e/harness.js';
import { folderOfFile } from '../folder.js';
import { freePort } from '../free-port.js';

const EXAMPLE = fileURLToPath(new URL('../../examples/rehearsal/', import.meta.url));
const folder = folderOfFile();

interface Plan {
  readonly app: Record<string, unknown>;
  readonly env: Record<string, string>;
}

/** `readPages` in the place of the sound one, which is there as `sound`; `reads` counts the lists that were read before. */
const program = (readPages: string) => `
import { createOnce } from ${JSON.stringify(join(EXAMPLE, 'application/payments.ts'))};
import { serve } from ${JSON.stringify(join(EXAMPLE, 'application/server.ts'))};
import { readPagesOnce as sound } from ${JSON.stringify(join(EXAMPLE, 'application/sync.ts'))};
let reads = 0;
const readPages = async (first, read) => { reads += 1; ${readPages} return sound(first, read); };
await serve({ readPages, createPayment: createOnce }, process.env);
`;

async function verdictOf(readPages: string, cell: string, change: (plan: Plan) => void = () => {}) {
  const port = await freePort();
  const name = join(folder, `${port}`);
  writeFileSync(`${name}.mts`, program(readPages));
  const plan = JSON.parse(
    readFileSync(join(EXAMPLE, 'sound.json'), 'utf8').replaceAll('localhost:3000', `localhost:${port}`),
  );
  plan.app.start.command = `"${process.execPath}" --import "${import.meta.resolve('tsx')}" "${name}.mts"`;
  plan.env = { PORT: String(port), BANK_TIMEOUT: '1000' };
  change(plan);
  writeFileSync(`${name}.json`, JSON.stringify({ ...plan, listen: '127.0.0.1:0', psuListen: '127.0.0.1:0' }));
  const certs = await testCertificates();
  const { cells } = await rehearse({
    plan: readPlan(`${name}.json`),
    cells: CELLS.filter(({ id }) => id === cell),
    seed: 7,
    config: (own) => loadConfig({ flags: { ...own, certs }, file: null }).config,
    env: process.env,
    system: systemParts('silent', () => undefined),
    signal: new AbortController().signal,
    onProgress: () => undefined,
    onCell: () => undefined,
    actionMs: 3_000,
  });
  return cells[0];
}

/** On the calm day and in the beginning of the cell there are six lists: of two accounts, at linking, at the sync, at linking. */
describe('an application that, under weather,', () => {
  it.each([
    ['never answers', 'if (reads > 6) await new Promise(() => {});', 'hung', 'no answer within the time'],
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
