/**
 * A living bank that is killed (kill -9) in the middle of consents, payments and their authorisations, again and again.
 * `tsx bench/bank-faults.ts [--rounds N] [--clients N]`; needs `npm run build`. Ends with status 1 where something that a
 * client was told has not happened once, or something has happened in part.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ensureCertificates } from '../src/app/certificates/ensure.js';
import { killInTheMiddle } from './bank-rounds.js';
import { startGateway } from './processes.js';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '100' }, clients: { type: 'string', default: '8' } },
});
const rounds = Number(values.rounds);
const program = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'sandgate-bank-'));
const certs = join(folder, 'certs');
const store = join(folder, 'gateway.db');
try {
  await ensureCertificates(certs, Date.now());
  const { told, untold, broken } = await killInTheMiddle({
    ...{ store, certs, rounds, clients: Number(values.clients) },
    start: () => startGateway({ program, certs, store }, ['--bank', 'living']),
    // At ever other moments of what the clients do.
    after: (round) => 5 + ((round * 7) % 40),
  });
  console.log(
    `Killed ${rounds} times: ${told} consents and payments were told, ${untold} more happened untold, ${broken.length} are not as they were told, or not whole.`,
  );
  for (const problem of broken.slice(0, 20)) console.log(`  ${problem}`);
  if (broken.length > 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
