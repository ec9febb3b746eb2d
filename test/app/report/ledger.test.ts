/** What was known before a session began. */
import { expect, it } from 'vitest';
import { knownBefore } from '../../../src/app/report/ledger.js';
import type { StepNote } from '../../../src/exchange/index.js';
import type { SessionInfo } from '../../../src/store/index.js';
import { fingerprint, NOW } from '../../builders.js';
import { aStore, recordSource } from '../../store/stores.js';

const SECOND = 1_000;

it('nothing from before a reset, also of a session that says that it began later than its first calls', async () => {
  const store = aStore();
  const reset: StepNote = {
    ...{ at: NOW + 30 * SECOND, kind: 'bank' },
    settings: { action: 'reset', step: 1 },
  };
  const record = (session: string, second: number) => {
    const call = { headers: { 'X-Request-ID': `9c1f2b3e-0000-4000-8000-0000000000${10 + second}` } };
    return recordSource(session, NOW + second * SECOND)({ call });
  };
  const resetIn = (session: string) => ({ session, note: reset, behind: { records: 1 } });
  // The second one is begun by a gateway whose clock is ahead of the other's.
  for (const [session, begun, first] of [
    ['plain', 0, 1],
    ['skewed', 60, 2],
  ] as const) {
    const note = { at: NOW + begun * SECOND, kind: 'started', settings: { profile: 'sandbox' } } as const;
    store.append({ records: [], changes: [], notes: [{ session, note }] });
    store.append({ records: [record(session, first)], changes: [], notes: [resetIn(session)] });
  }
  store.append({ records: [record('plain', 41), record('skewed', 42)], changes: [] });
  store.append({ records: [record('last', 80)], changes: [] });
  const last = store.sessions().find(({ name }) => name === 'last') as SessionInfo;
  const { known, sessions } = await knownBefore(store, last, fingerprint);
  expect(sessions).toEqual(['plain', 'skewed']);
  expect([...known.ledger.requestIds.values()].map(({ at }) => (at - NOW - 1) / SECOND)).toEqual([41, 42]);
});
