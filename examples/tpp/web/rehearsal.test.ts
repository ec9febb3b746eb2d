/** A part of the grid in a browser; the whole of it takes a quarter of an hour. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { browserOptions } from '../../../test/browser.js';
import { bundled } from '../../../test/bundle.js';
import { sandgate } from '../../../test/cli/run-command.js';
import { testCertificates } from '../../../test/e2e/harness.js';
import { folderOfFile } from '../../../test/folder.js';
import { freePort } from '../../../test/free-port.js';

const PLAN = fileURLToPath(new URL('../rehearsal.json', import.meta.url));
const folder = folderOfFile();

/** Of each mistake that it had: nothing in words, postings twice, payments twice, tokens lost, a consent that has ended. */
const SOME = [
  'return/link-no-error',
  'paging/same-page',
  'payment/create-lost-once',
  'token/refresh-lost',
  'consent/revoked',
];

it('the application handles some bad days', { timeout: 240_000 }, async () => {
  const port = await freePort();
  const plan = JSON.parse(readFileSync(PLAN, 'utf8').replaceAll('localhost:3000', `localhost:${port}`));
  plan.app.start.command = `"${process.execPath}" "${await bundled('examples/tpp/web/rehearsed.ts')}"`;
  const { executablePath: executable, args } = await browserOptions();
  const file = join(folder, 'rehearsal.json');
  writeFileSync(
    file,
    JSON.stringify({
      ...{ ...plan, env: { ...plan.env, PORT: String(port) }, browser: { executable, args } },
      ...{ listen: '127.0.0.1:0', psuListen: '127.0.0.1:0' },
    }),
  );
  const { status, out, err } = await sandgate(
    ['rehearse', file, '--cell', SOME.join(','), '--format', 'json', '--certs', await testCertificates()],
    { clock: Date.now },
  );
  if (out === '') throw new Error(err);
  const { cells } = JSON.parse(out) as { cells: { id: string; verdict: string; why: string }[] };
  expect(cells.filter(({ verdict }) => verdict !== 'handled')).toEqual([]);
  expect(cells).toHaveLength(SOME.length);
  expect(status).toBe(0);
});
