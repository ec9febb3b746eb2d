/** The recorder: what is taken in one turn is kept together, and nobody is told so before it is. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import type { LedgerChange } from '../../src/ledger/index.js';
import { createRecorder, type RecorderParts } from '../../src/recorder/index.js';
import type { Finding } from '../../src/rules/index.js';
import { SandgateError } from '../../src/spec/index.js';
import type { Batch, Store } from '../../src/store/index.js';
import { fingerprint, NOW, TPP } from '../builders.js';
import { aStore, idsIn, recordSource } from '../store/stores.js';

const NONE = { verdicts: {}, findings: [] };

/** A recorder on a real store, and the sizes of the batches that went into it. */
function recording(parts: Partial<RecorderParts> = {}) {
  const store: Store = aStore();
  const batches: number[] = [];
  let broken: string | null = null;
  const append = (batch: Batch) => {
    if (broken !== null) throw new SandgateError('surroundings', broken);
    store.append(batch);
    batches.push(batch.records.length);
  };
  const onFault = vi.fn();
  const recorder = createRecorder({ store: { append }, fingerprint, onFault, ...parts });
  const next = recordSource();
  return {
    ...{ store, batches, onFault, recorder },
    breakStore: (message: string | null) => {
      broken = message;
    },
    take: (judged = NONE, changes: LedgerChange[] = []) => recorder.take(next().exchange, judged, changes),
  };
}

describe('the recorder', () => {
  it('keeps all of one turn in one transaction, before it says so', async () => {
    const { take, batches, store } = recording();
    const taken = [take(), take(), take()];
    expect(idsIn(store)).toEqual([]);
    await taken[1];
    expect([batches, idsIn(store).length]).toEqual([[3], 3]);
    await Promise.all(taken);
    await Promise.all([take(), take()]);
    expect(batches).toEqual([3, 2]);
  });

  it('keeps changes of the ledger with the exchange', async () => {
    const { take, store } = recording();
    const fact = { token: 'fp', tpp: TPP, scope: 'AIS:x', issuedAt: NOW, expiresAt: NOW };
    await take(NONE, [{ family: 'tokens', key: 'fp', fact }]);
    expect([...store.ledger()]).toEqual([{ family: 'tokens', key: 'fp', fact }]);
  });

  it('never lets more wait than it may, and drops none', async () => {
    const { take, batches, store } = recording({ maxWaiting: 10 });
    await Promise.all(Array.from({ length: 25 }, () => take()));
    expect(batches).toEqual([10, 10, 5]);
    expect(idsIn(store)).toHaveLength(25);
  });

  it('does not let anybody wait when relaxed, and keeps all at the end of the turn', async () => {
    const { take, batches } = recording({ durability: 'relaxed' });
    await take();
    await take();
    expect(batches).toEqual([]);
    await nextTurn();
    expect(batches).toEqual([2]);
  });

  it('keeps what waits when it is drained, and can be drained any time', async () => {
    const { take, recorder, batches } = recording({ durability: 'relaxed' });
    await recorder.drain();
    void take();
    await recorder.drain();
    expect(batches).toEqual([1]);
    await take();
    await recorder.drain();
    expect(batches).toEqual([1, 1]);
  });

  it('tells each of a turn, and once the gateway, why it could not be kept; then goes on', async () => {
    const { take, breakStore, onFault, store } = recording();
    breakStore('The disk is full.');
    const results = await Promise.allSettled([take(), take()]);
    expect(results).toMatchObject([
      { status: 'rejected', reason: { name: 'SandgateError', message: 'The disk is full.' } },
      { status: 'rejected', reason: { message: 'The disk is full.' } },
    ]);
    expect(onFault).toHaveBeenCalledTimes(1);
    breakStore(null);
    await take();
    expect(idsIn(store)).toHaveLength(1);
  });

  it('tells those who are lost together so before it rejects, the latest of them first', async () => {
    const { recorder, breakStore } = recording();
    const next = recordSource();
    const told: string[] = [];
    const take = (name: string) =>
      recorder.take(next().exchange, NONE, [], () => told.push(name)).catch(() => told.push('rejected'));
    await take('kept');
    breakStore('The disk is full.');
    await Promise.all([take('first'), take('second')]);
    expect(told).toEqual(['second', 'first', 'rejected', 'rejected']);
  });

  it('gives a fault that nobody waits for to the gateway alone', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    for (const durability of ['process', 'relaxed'] as const) {
      const { take, breakStore, onFault, recorder } = recording({ durability });
      breakStore('The disk is full.');
      void take();
      await nextTurn();
      await nextTurn();
      await recorder.drain();
      expect(onFault).toHaveBeenCalledTimes(1);
    }
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  it('takes secrets out of the exchange and out of what is said of it', async () => {
    const { recorder, store } = recording();
    const secret = 'a-token-with-1-digit';
    const exchange = recordSource()({ call: { headers: { 'X-Other': secret } } }).exchange;
    const headers = [...exchange.call.request.headers, ['Authorization', `Bearer ${secret}`] as const];
    const clear = { ...exchange.call, request: { ...exchange.call.request, headers } };
    const finding: Finding = {
      rule: 'accounts/token-known',
      severity: 'must',
      judges: 'tpp',
      place: 'header Authorization',
      expected: 'a token',
      actual: `Bearer ${secret}`,
    };
    await recorder.take({ ...exchange, call: clear }, { verdicts: {}, findings: [finding] });
    const [kept] = [...store.read('test')];
    expect(JSON.stringify(kept)).not.toContain(secret);
    expect(kept?.findings[0]?.actual).toBe(`Bearer ${fingerprint(secret)}`);
  });
});
