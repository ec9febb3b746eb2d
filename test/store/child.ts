/** A process that records until it is told to stop, or cannot any more; says on its stdout what it may rely on. */
import { setTimeout as pause } from 'node:timers/promises';
import { createFingerprint, createIdSource } from '../../src/exchange/index.js';
import { createRecorder } from '../../src/recorder/index.js';
import { createSqliteStore } from '../../src/store/index.js';
import { anExchange, unwatched } from '../builders.js';

const [, , path = '', session = 'test', seed = '0'] = process.argv;
const store = createSqliteStore({ path });
const recorder = createRecorder({
  store,
  fingerprint: createFingerprint(store.fingerprintKey),
  ...unwatched,
});
const nextId = createIdSource({ clock: Date.now, seed: Number(seed), after: store.newest() });

async function recordOne(): Promise<void> {
  const id = nextId();
  const made = anExchange({
    call: { id, at: Date.now(), headers: { Authorization: `Bearer secret-token-${id}` } },
    answer: { body: { id, padding: 'x'.repeat(Math.floor(Math.random() * 3_000)) } },
  });
  await recorder.take({ ...made, call: made.call.with({ session }) }, { verdicts: {}, findings: [] });
  process.stdout.write(`${id}\n`);
}

try {
  for (;;) {
    await Promise.all(Array.from({ length: 8 }, recordOne));
    await pause(0);
  }
} catch (error) {
  process.stdout.write(`!${(error as Error).name}: ${(error as Error).message}\n`);
  process.exit(0);
}
