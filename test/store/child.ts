/** A process that records until it is told to stop, or cannot any more; says on its stdout what it may rely on. */
import { setTimeout as pause } from 'node:timers/promises';
import {
  closeCall,
  createFingerprint,
  createIdSource,
  openAnswer,
  openCall,
} from '../../src/exchange/index.js';
import { createRecorder } from '../../src/recorder/index.js';
import { dialectOf } from '../../src/spec/index.js';
import { createSqliteStore } from '../../src/store/index.js';

const [, , path = '', session = 'test', seed = '0'] = process.argv;
const store = createSqliteStore({ path });
const recorder = createRecorder({
  store,
  fingerprint: createFingerprint(store.fingerprintKey),
  timer: { after: () => () => {} },
  onDown: () => {},
  onUp: () => {},
});
const nextId = createIdSource({ clock: Date.now, seed: Number(seed), after: store.calls.newest() });

const METHOD = 'GET';
const PATH = '/stdgroup/v1/consents/VALID_CONSENT_ID';
const operation = dialectOf().recognise(METHOD, PATH);

async function recordOne(): Promise<void> {
  const id = nextId();
  const call = openCall(
    {
      ...{ id, session, at: Date.now(), listener: 'api', certificate: 'absent' },
      connection: { address: '127.0.0.1', tls: null },
      ...{ method: METHOD, target: PATH, body: null },
      headers: [
        ['Host', 'localhost'],
        ['Authorization', `Bearer secret-token-${id}`],
      ],
    },
    operation,
  );
  const text = JSON.stringify({ id, padding: 'x'.repeat(Math.floor(Math.random() * 3_000)) });
  const answer = openAnswer({
    ...{ source: 'emulator', status: 200, headers: [['Content-Type', 'application/json']] },
    body: { text, size: text.length },
  });
  const exchange = closeCall(call, answer, { total: 2, answerer: 1 });
  await recorder.take(exchange, { verdicts: {}, findings: [] });
  process.stdout.write(`${id}\n`);
}

try {
  for (;;) {
    await Promise.all(Array.from({ length: 8 }, recordOne));
    await pause(0);
  }
} catch (error) {
  const { name, message } = error as Error;
  process.stdout.write(`!${name}: ${message}\n`);
  process.exit(0);
}
