/** A part of the grid for the three applications; the whole of it takes minutes. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { bundled } from '../../test/bundle.js';
import { sandgate } from '../../test/cli/run-command.js';
import { testCertificates } from '../../test/e2e/harness.js';
import { folderOfFile } from '../../test/folder.js';
import { freePort } from '../../test/free-port.js';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const folder = folderOfFile();

/** The plan of an application, on ports of its own. */
async function planOf(name: string): Promise<string> {
  const port = await freePort();
  const plan = JSON.parse(
    readFileSync(join(HERE, `${name}.json`), 'utf8').replaceAll('localhost:3000', `localhost:${port}`),
  );
  plan.app.start.command = `"${process.execPath}" "${await bundled(`examples/rehearsal/${name}.ts`)}"`;
  const file = join(folder, `${name}.json`);
  const env = { ...plan.env, PORT: String(port) };
  writeFileSync(file, JSON.stringify({ ...plan, env, listen: '127.0.0.1:0', psuListen: '127.0.0.1:0' }));
  return file;
}

interface Grid {
  readonly cells: readonly {
    id: string;
    verdict: string;
    why: string;
    ms: number;
    exchanges: readonly string[];
  }[];
  readonly counts: Readonly<Record<string, number>>;
}

async function rehearse(
  name: string,
  cells: readonly string[],
  ...more: string[]
): Promise<{ status: number; grid: Grid }> {
  const args = ['rehearse', await planOf(name), '--cell', cells.join(','), '--format', 'json', ...more];
  const { status, out, err } = await sandgate([...args, '--certs', await testCertificates()], {
    clock: Date.now,
  });
  if (out === '') throw new Error(err);
  return { status, grid: JSON.parse(out) };
}

const PAGING = ['paging/same-page', 'paging/same-page-at-first', 'paging/empty-last-page'];
const PAYING = [
  'payment/create-lost',
  'payment/create-lost-once',
  'payment/create-status-after',
  'payment/create-500',
  'payment/settled',
];
const SOME = [
  ...PAGING,
  ...PAYING,
  'sca/link-sca-nok',
  'return/link-never',
  'return/link-late',
  'token/refresh-lost',
  'limit/early',
  'consent/revoked',
  'notification/calm',
];

describe('the sound application', () => {
  it('handles all, twice alike but for times', async () => {
    const [first, second] = [await rehearse('sound', SOME), await rehearse('sound', SOME)];
    const timeless = ({ cells }: Grid) => cells.map(({ id, verdict, why }) => ({ id, verdict, why }));
    expect(timeless(first.grid).filter(({ verdict }) => verdict !== 'handled')).toEqual([]);
    expect(first.grid.cells).toHaveLength(SOME.length);
    expect(first.status).toBe(0);
    expect(timeless(second.grid)).toEqual(timeless(first.grid));
  });
});

describe('an application with a mistake', () => {
  it.each([
    ['imports-twice', PAGING, ['paging/same-page', 'paging/same-page-at-first']],
    ['pays-twice', PAYING, ['payment/create-lost-once', 'payment/create-status-after']],
  ])('%s is silently wrong in its cells, with the exchanges named', async (name, cells, wrong) => {
    const { status, grid } = await rehearse(name, cells);
    const found = grid.cells.filter(({ verdict }) => verdict !== 'handled');
    expect(found.map(({ id, verdict }) => [id, verdict])).toEqual(wrong.map((id) => [id, 'silently-wrong']));
    for (const { exchanges } of found) expect(exchanges.length).toBeGreaterThan(5);
    expect(status).toBe(1);
  });
});

describe('a rehearsal', () => {
  it('leaves a session like any other, in which the ids of a cell lead to its calls', async () => {
    const store = join(folder, 'kept.db');
    const { grid } = await rehearse(
      'sound',
      ['sca/link-sca-nok'],
      '--store',
      store,
      '--session',
      'rehearsal',
    );
    const exchanges = grid.cells[0]?.exchanges ?? [];
    const listed = await sandgate(['sessions', 'show', 'rehearsal', '--store', store]);
    expect(exchanges.length).toBeGreaterThan(3);
    for (const id of exchanges) expect(listed.out).toContain(id);
    const report = await sandgate(['report', 'rehearsal', '--store', store], { clock: Date.now });
    expect(report.out).toContain('consents');
  });
});
