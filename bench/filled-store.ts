/** A store with a long session, for benches of what reads it. */
import { createFingerprint, createIdSource, redactExchange } from '../src/exchange/index.js';
import { advance, applyChanges, createLedger } from '../src/ledger/index.js';
import { createJudge, RULES } from '../src/rules/index.js';
import { noteIn, type Store } from '../src/store/index.js';
import { anExchange, judgeOptions, NOW } from '../test/builders.js';
import { JOURNEY } from '../test/rules/journey.js';

const BATCH = 50;

/** A journey over and over, two or three calls at a time, each with ids of its own; every tenth call breaks a rule. */
export async function fillStore(store: Store, count: number): Promise<void> {
  const fingerprint = createFingerprint(store.fingerprintKey);
  let at = 0;
  const nextId = createIdSource({ clock: () => at });
  const judge = createJudge({ rules: RULES, options: judgeOptions(), fingerprint });
  const ledger = createLedger();
  await noteIn(store, 'bench', {
    at: NOW,
    kind: 'started',
    settings: { source: 'upstream', stance: 'observe', profile: 'sandbox' },
  });
  for (let first = 0; first < count; first += BATCH) {
    const records = Array.from({ length: Math.min(BATCH, count - first) }, (_, i) => {
      at = NOW + (first + i) * 25;
      const exchange = redactExchange(exchangeAt(first + i, at, nextId()), fingerprint);
      const before = judge.judgeCall(exchange.call, ledger);
      const { verdicts, findings } = judge.judgeExchange(exchange, ledger, before);
      applyChanges(ledger, advance(ledger, exchange, fingerprint));
      return { exchange, verdicts, findings };
    });
    await store.append({ records, changes: [] });
  }
  await store.close();
}

function exchangeAt(n: number, at: number, id: string) {
  const step = JOURNEY[n % JOURNEY.length];
  if (step === undefined) throw new Error('the journey is empty');
  const requestId = n % 10 === 0 ? 'no uuid' : `99391c7e-ad88-49ec-a2ad-${String(n).padStart(12, '0')}`;
  const { call, answer } = anExchange({
    call: {
      ...step.call,
      id,
      at,
      headers: { 'X-Request-ID': requestId, ...step.call.headers },
    },
    answer: { source: 'upstream', headers: { 'X-Request-ID': requestId }, ...step.answer },
  });
  return {
    call: call.with({ session: 'bench' }),
    answer,
    fault: null,
    elapsed: { total: 2 + (n % 70), answerer: n % 70 },
  };
}
