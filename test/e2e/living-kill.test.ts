/** A living bank that is killed in the middle of creations has done what clients were told, once, and nothing in part. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { killInTheMiddle } from '../../bench/bank-rounds.js';
import { startGateway } from '../../bench/processes.js';
import { MAIN, temporaryFolder } from './child.js';
import { testCertificates } from './harness.js';

it('what was told has happened, once, and what was not told wholly or not at all', async () => {
  const certs = await testCertificates();
  const folder = temporaryFolder();
  const store = join(folder, 'store.db');
  const start = () => startGateway({ program: MAIN, certs, store }, ['--bank', 'living']);
  const after = (round: number) => 6 + 5 * round;
  const done = await killInTheMiddle({ start, store, certs, rounds: 3, clients: 4, after });
  expect(done.broken).toEqual([]);
  expect(done.told).toBeGreaterThan(0);
  rmSync(folder, { recursive: true });
}, 120_000);
