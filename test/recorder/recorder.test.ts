/** The recorder: what is taken in one turn is kept together, and nobody is told so before it is. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import type { LedgerChange } from '../../src/ledger/index.js';
import { createRecorder, type RecorderParts } from '../../src/recorder/index.js';
import type { Finding } from '../../src/rules/index.js';
import { SandgateError } from '../../src/spec/index.js';
import { type Batch, type LocalStore, StoreBusy, StoreMoved } from '../../src/store/index.js';
import { anExchange, fingerprint, NOW, TPP } from '../builders.js';
import { aStore, factsIn, idsIn, recordSource } from '../store/stores.js';

const NONE = { verdicts: {}, findings: [] };
const NOBODY = { dependenciesOf: () => [], kept: () => {}, distrust: () => {} };

/** A recorder on a real store, and the sizes of the batches that went into it. */
/** Told where the disk is full. */
const FULL = 'The store a.db cannot be used: the disk is full. See docs/store.md.';

function recording(parts: Partial<RecorderParts> = {}) {
  const store: LocalStore = aStore();
  const batches: number[] = [];
  let broken: string | Error | null = null;
  const check = () => {
    if (broken instanceof Error) throw broken;
    if (broken !== null) throw new SandgateError('store.unusable', { path: 'a.db', why: broken });
  };
  const append = (batch: Batch) => {
    check();
    store.append(batch);
    batches.push(batch.records.length);
  };
  const onDown = vi.fn();
  const onUp = vi.fn();
  const timers: (() => void)[] = [];
  const timer = {
    after: (_: number, run: () => void) => {
      timers.push(run);
      return () => {};
    },
  };
  const recorder = createRecorder({
    ...{ store: { append, place: { check } }, fingerprint, timer, onDown, onUp },
    ...parts,
  });
  const next = recordSource();
  return {
    ...{ store, batches, onDown, onUp, recorder, next },
    /** All that waits for a time to pass. */
    pass: () => {
      for (const run of timers.splice(0)) run();
    },
    breakStore: (message: string | Error | null) => {
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

  it('keeps few of a turn together with those of the next one, and more at once', async () => {
    const { take, batches } = recording({ few: 3 });
    const two = [take(), take()];
    await nextTurn();
    expect(batches).toEqual([]);
    await Promise.all([...two, take()]);
    expect(batches).toEqual([3]);
    const three = [take(), take(), take()];
    await nextTurn();
    expect(batches).toEqual([3, 3]);
    await Promise.all(three);
  });

  it('assures that the store can be written with what a turn keeps anyway, and be it nothing', async () => {
    const { take, recorder, batches, breakStore } = recording();
    await Promise.all([recorder.assure(), take(), recorder.assure()]);
    expect(batches).toEqual([1]);
    await recorder.assure();
    expect(batches).toEqual([1, 0]);
    breakStore('the disk is full');
    await expect(recorder.assure()).rejects.toThrow('the disk is full');
  });

  it('keeps changes of the ledger with the exchange', async () => {
    const { take, store } = recording();
    const fact = { token: 'fp', tpp: TPP, scope: 'AIS:x', issuedAt: NOW, expiresAt: NOW };
    await take(NONE, [{ family: 'tokens', key: 'fp', fact }]);
    expect(await factsIn(store)).toEqual([{ family: 'tokens', key: 'fp', fact }]);
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

  it('tells each of a turn, and once the gateway, why it could not be kept; then goes on by itself', async () => {
    const { take, breakStore, onDown, onUp, store, recorder, pass } = recording();
    breakStore('the disk is full');
    const results = await Promise.allSettled([take(), take()]);
    expect(results).toMatchObject([
      { status: 'rejected', reason: { name: 'SandgateError', message: FULL } },
      { status: 'rejected', reason: { message: FULL } },
    ]);
    await expect(take()).rejects.toThrow(FULL);
    pass();
    expect([onDown.mock.calls.length, recorder.problem()?.message]).toEqual([1, FULL]);
    breakStore(null);
    // Not before it was tried: nothing that is given meanwhile may wait for it.
    await expect(take()).rejects.toThrow(FULL);
    pass();
    expect([onUp.mock.calls.length, recorder.problem()]).toEqual([1, null]);
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
    breakStore('the disk is full');
    await Promise.all([take('first'), take('second')]);
    expect(told).toEqual(['second', 'first', 'rejected', 'rejected']);
  });

  it('waits about a second for another process that writes, without standing still, and takes what comes meanwhile', async () => {
    const { take, breakStore, pass, batches, recorder } = recording();
    breakStore(new StoreBusy('a.db', 'another process is writing', null));
    const first = take();
    await nextTurn();
    const second = take();
    // 25 times 40 ms: the next one would be the last.
    for (let i = 0; i < 24; i++) pass();
    expect([recorder.problem(), recorder.waiting()]).toEqual([null, 2]);
    breakStore(null);
    pass();
    await Promise.all([first, second]);
    expect(batches).toEqual([1, 1]);
  });

  it('gives up where another process goes on and on, until that is done', async () => {
    const { take, breakStore, pass, store, recorder } = recording();
    breakStore(new StoreBusy('a.db', 'another process is writing', null));
    const lost = take();
    await nextTurn();
    for (let i = 0; i < 25; i++) pass();
    await expect(lost).rejects.toThrow(
      'The store a.db cannot be used: another process is writing. See docs/store.md.',
    );
    expect(recorder.problem()?.message).toBe(
      'The store a.db cannot be used: another process is writing. See docs/store.md.',
    );
    breakStore(null);
    pass();
    await take();
    expect(idsIn(store)).toHaveLength(1);
  });

  it('finds a store that is gone although nobody calls, and is asked for the present at any time', () => {
    const { breakStore, pass, recorder, onDown } = recording();
    breakStore('the file was deleted');
    expect(recorder.problem()).toBeNull();
    pass();
    expect([recorder.problem()?.message, onDown.mock.calls.length]).toEqual([
      'The store a.db cannot be used: the file was deleted. See docs/store.md.',
      1,
    ]);
    breakStore(null);
    expect(recorder.probe()).toBeNull();
    breakStore(new StoreBusy('a.db', 'another process is writing', null));
    expect(recorder.probe()).toBeNull();
  });

  it('keeps notes with what is kept next, where those of their turn are lost', async () => {
    const { recorder, take, breakStore, pass, store } = recording();
    const note = (at: number) => recorder.note('test', { at, kind: 'changed', settings: {} });
    breakStore('the disk is full');
    note(1);
    await expect(take()).rejects.toThrow();
    note(2);
    breakStore(null);
    pass();
    note(3);
    await take();
    expect(store.sessions()[0]?.notes.map(({ at }) => at)).toEqual([1, 2, 3]);
  });

  it('keeps the beginning of an exchange apart from its end, and tells which have none', async () => {
    const { recorder, store, next } = recording();
    const [ended, open] = [next().exchange, next().exchange];
    const unfinished = () => store.calls.unfinished('test').map(({ exchange }) => exchange.call.id);
    await Promise.all([recorder.begin(ended, NONE), recorder.begin(open, NONE)]);
    expect([idsIn(store), unfinished()]).toEqual([[], [ended.call.id, open.call.id]]);
    await recorder.take(ended, NONE);
    expect([idsIn(store), unfinished()]).toEqual([[ended.call.id], [open.call.id]]);
  });

  describe('on a store that acknowledges later', () => {
    /** Each append waits until it is let through, or fails. */
    function late(parts: Partial<RecorderParts> = {}) {
      const store = aStore();
      const given: { batch: Batch; keep: () => void; fail: (error: Error) => void }[] = [];
      const append = (batch: Batch) =>
        new Promise<void>((resolve, reject) => {
          given.push({ batch, keep: () => resolve(store.append(batch)), fail: reject });
        });
      const made = recording({ store: { append, place: { check: () => Promise.resolve() } }, ...parts });
      const ids = () => given.map(({ batch }) => batch.records.length);
      return { ...made, store, given, ids, take: made.take };
    }

    it('tells nobody before it has, and gives it one batch at a time, in order', async () => {
      const { take, given, ids, store } = late();
      const told: number[] = [];
      const first = take().then(() => told.push(1));
      await nextTurn();
      const second = [take(), take()].map((one) => one.then(() => told.push(2)));
      await nextTurn();
      const third = take().then(() => told.push(3));
      await nextTurn();
      expect([ids(), told]).toEqual([[1], []]);
      given[0]?.keep();
      await first;
      // What came meanwhile goes together.
      expect([ids(), told, idsIn(store).length]).toEqual([[1, 3], [1], 1]);
      given[1]?.keep();
      await Promise.all([...second, third]);
      expect([told, idsIn(store).length]).toEqual([[1, 2, 2, 3], 4]);
    });

    it('takes back what depends on a batch that is lost, the latest first, and keeps nothing of it', async () => {
      const { recorder, next, given, ids, onDown } = late();
      const lost: number[] = [];
      const taking = [1, 2, 3].map(async (n) => {
        if (n > 1) await nextTurn();
        return recorder.take(next().exchange, NONE, [], () => lost.push(n));
      });
      const ends = Promise.allSettled(taking);
      await nextTurn();
      await nextTurn();
      given[0]?.fail(new SandgateError('store.unusable', { path: 'a.db', why: 'the server is gone' }));
      expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
      expect([lost, ids(), onDown.mock.calls.length]).toEqual([[3, 2, 1], [1], 1]);
    });

    it('tries a busy one again, and what came meanwhile after it', async () => {
      const { take, given, pass, ids } = late();
      const first = take();
      await nextTurn();
      const second = take();
      given[0]?.fail(new StoreBusy('a.db', 'another process is writing', null));
      await nextTurn();
      expect(ids()).toEqual([1]);
      pass();
      expect([ids(), given[1]?.batch]).toEqual([[1, 1], given[0]?.batch]);
      given[1]?.keep();
      await first;
      given[2]?.keep();
      await second;
      expect(ids()).toEqual([1, 1, 1]);
    });

    it('lets nobody go before, also where answers wait for nothing, once as much waits as may', async () => {
      const { take, given } = late({ durability: 'relaxed', maxWaiting: 2 });
      await Promise.all([take(), take()]);
      await take();
      let isTold = false;
      const full = take().then(() => {
        isTold = true;
      });
      await nextTurn();
      expect(isTold).toBe(false);
      given[0]?.keep();
      await nextTurn();
      given[1]?.keep();
      await full;
    });

    it('is drained when the last batch is kept', async () => {
      const { take, given, recorder } = late();
      const taken = take();
      await nextTurn();
      const more = take();
      let isDrained = false;
      const drained = recorder.drain().then(() => {
        isDrained = true;
      });
      given[0]?.keep();
      await taken;
      await nextTurn();
      expect([isDrained, recorder.waiting()]).toEqual([false, 1]);
      given[1]?.keep();
      await Promise.all([more, drained]);
      expect(recorder.waiting()).toBe(0);
    });

    it('is not drained while something is judged anew, or is not given again yet', async () => {
      let read = () => {};
      const catchUp = () =>
        new Promise<() => boolean>((resolve) => {
          read = () => resolve(() => false);
        });
      const { given, next, recorder } = late({ others: { ...NOBODY, catchUp } });
      const call = () => recorder.take(next().exchange, NONE, [], undefined, { world: '', partitions: [] });
      const kept = call().catch(async () => {
        for (let turn = 0; turn < 3; turn += 1) await nextTurn();
        await call();
      });
      await nextTurn();
      given[0]?.fail(new StoreMoved([]));
      await nextTurn();
      let isDrained = false;
      const drained = recorder.drain().then(() => {
        isDrained = true;
      });
      for (let turn = 0; turn < 5; turn += 1) await nextTurn();
      expect(isDrained).toBe(false);
      read();
      for (let turn = 0; turn < 9; turn += 1) await nextTurn();
      expect([isDrained, given.length]).toEqual([false, 2]);
      given[1]?.keep();
      await Promise.all([drained, kept]);
    });

    it('is drained, and serves who asks, although nobody gives again what was taken back', async () => {
      const others = { ...NOBODY, catchUp: () => Promise.resolve(() => false) };
      const { given, next, recorder, pass } = late({ others });
      const taken = recorder.take(next().exchange, NONE, [], undefined, { world: '', partitions: [] });
      await nextTurn();
      given[0]?.fail(new StoreMoved([]));
      await expect(taken).rejects.toThrow(StoreMoved);
      const drained = recorder.drain();
      const asked = recorder.catchUp('', 'tpp');
      pass();
      await Promise.all([drained, asked]);
    });

    it('does not take what it read of other gateways before it kept something for what is now', async () => {
      const reads: (() => void)[] = [];
      let applied = 0;
      const apply = () => {
        applied += 1;
        return true;
      };
      const catchUp = () => new Promise<() => boolean>((read) => reads.push(() => read(apply)));
      const { take, given, recorder } = late({ others: { ...NOBODY, catchUp } });
      const first = recorder.catchUp('');
      // It is being read already.
      expect(recorder.catchUp('')).toBeUndefined();
      const taken = take();
      await nextTurn();
      given[0]?.keep();
      await taken;
      reads[0]?.();
      await first;
      expect([applied, reads.length]).toEqual([0, 1]);
      const second = recorder.catchUp('');
      reads[1]?.();
      await second;
      expect([applied, reads.length]).toEqual([1, 2]);
    });

    it.each([
      [1, 0],
      [100, 0],
      [1, 2],
      [100, 2],
    ])(
      'is at most halved by %i that wait for what others changed, where judging anew takes %i turns',
      async (readers, turns) => {
        const given: (() => void)[] = [];
        const written: number[] = [];
        const later = <T>(value: T) => new Promise<T>((resolve) => given.push(() => resolve(value)));
        const append = ({ records }: Batch) => later(undefined).then(() => void written.push(records.length));
        const others = { ...NOBODY, catchUp: () => later(() => false) };
        const { recorder, next } = late({ others, store: { append, place: { check: () => {} } } });
        const isOver = () => written.length >= 10;
        const call = () =>
          recorder
            .take(next().exchange, NONE, [], undefined, { world: '', partitions: [] })
            .catch(async () => {
              for (let turn = 0; turn < turns; turn += 1) await nextTurn();
            });
        const all = Array.from({ length: 20 }, async () => {
          while (!isOver()) await call();
        });
        for (let i = 0; i < readers; i += 1)
          all.push(
            (async () => {
              while (!isOver()) await recorder.catchUp('', 'tpp');
            })(),
          );
        let count = 0;
        for (; !isOver() && count < 100; count += 1) {
          await nextTurn();
          given.shift()?.();
          await nextTurn();
        }
        expect(written).toEqual(Array.from({ length: 10 }, () => 20));
        // A look at the store is two turns long.
        expect(count).toBeLessThanOrEqual((2 + turns / 2) * 10 + 2);
      },
    );

    it('does not take what it read in passing before it caught up with others for what is now', async () => {
      const reads: (() => void)[] = [];
      const applied: number[] = [];
      const catchUp = () => {
        const number = reads.length;
        const apply = () => applied.push(number) > 0;
        return new Promise<() => boolean>((read) => reads.push(() => read(apply)));
      };
      const { recorder } = late({ others: { ...NOBODY, catchUp } });
      const [passing, waitedFor] = [recorder.catchUp(''), recorder.catchUp('', 'tpp')];
      reads[1]?.();
      await waitedFor;
      reads[0]?.();
      await passing;
      expect(applied).toEqual([1]);
    });

    it('has a problem where somebody waited for what others changed and it could not be read', async () => {
      const catchUp = () => Promise.reject(new Error('gone'));
      const { recorder } = late({ others: { ...NOBODY, catchUp } });
      await recorder.catchUp('');
      expect(recorder.problem()).toBeNull();
      await recorder.catchUp('', 'tpp');
      expect(recorder.problem()?.message).toMatch(/gone/);
    });

    it.each(['at once', 'later'])('goes on where what it read %s cannot be applied', async (when) => {
      const broken = () => {
        throw new Error('it does not fit');
      };
      const catchUp = () => (when === 'later' ? Promise.resolve(broken) : broken);
      const { recorder, next, given, pass } = late({
        others: { ...NOBODY, catchUp },
      });
      const call = () => recorder.take(next().exchange, NONE, [], undefined, { world: '', partitions: [] });
      const lost = expect(call()).rejects.toThrow('it does not fit');
      await recorder.catchUp('', 'tpp');
      await lost;
      expect(recorder.problem()?.message).toMatch(/it does not fit/);
      pass();
      await nextTurn();
      const taken = call();
      await nextTurn();
      given[0]?.keep();
      await taken;
    });

    it.each([
      ['fails while somebody waits for what others changed', () => Promise.resolve(() => false)],
      ['can be neither written nor read', () => Promise.reject(new Error('gone'))],
    ])('leaves nobody waiting where it %s', async (_, catchUp) => {
      const others = { ...NOBODY, catchUp };
      const { take, given, recorder } = late({ others });
      const taken = take();
      await nextTurn();
      const caughtUp = recorder.catchUp('', 'tpp');
      given[0]?.fail(new SandgateError('store.unusable', { path: 'a.db', why: 'the server is gone' }));
      await expect(taken).rejects.toThrow('the server is gone');
      await caughtUp;
    });

    /** A store that says of all it is given that something moved, until it is mended; `isNews`: others do move something. */
    function unsettled(isNews: boolean) {
      const timers: { at: number; run: () => void }[] = [];
      let [now, isMended, rounds] = [0, false, 0];
      const append = async () => {
        rounds += 1;
        if (!isMended) throw new StoreMoved([{ world: '', partitions: ['tpp'] }]);
      };
      const timer = {
        after: (ms: number, run: () => void) => {
          const one = { at: now + ms, run };
          timers.push(one);
          return () => void (timers.includes(one) && timers.splice(timers.indexOf(one), 1));
        },
      };
      const distrust = vi.fn();
      const others = { ...NOBODY, distrust, catchUp: async () => () => isNews };
      const made = late({ others, timer, store: { append, place: { check: async () => {} } } });
      /** As whoever answers a call does. */
      const call = async (): Promise<void> => {
        const basis = { world: '', partitions: [] };
        for (;;)
          try {
            return await made.recorder.take(made.next().exchange, NONE, [], undefined, basis);
          } catch (error) {
            if (!(error instanceof StoreMoved)) throw error;
          }
      };
      const pass = async (ms: number) => {
        for (const end = now + ms; now < end; now += 100) {
          for (const one of timers.filter(({ at }) => at <= now)) {
            timers.splice(timers.indexOf(one), 1);
            one.run();
          }
          await nextTurn();
        }
      };
      const mend = () => {
        isMended = true;
      };
      return { ...made, call, pass, mend, distrust, rounds: () => rounds };
    }

    it.each([
      ['a few rounds without news', false, 5],
      ['a hundred rounds with it', true, 100],
    ])('judges anew no more than %s: it is down then, says so once, and rests', async (_, isNews, most) => {
      const { recorder, call, pass, onDown, distrust, rounds } = unsettled(isNews);
      await expect(call()).rejects.toMatchObject({ code: 'store.unsettled' });
      expect([rounds(), onDown.mock.calls.length, distrust.mock.calls.length]).toEqual([most, 1, 1]);
      // Nobody who asks brings it back before it has rested.
      expect(await recorder.probe()).toMatchObject({ code: 'store.unsettled' });
      await expect(call()).rejects.toMatchObject({ code: 'store.unsettled' });
      await pass(400);
      expect([rounds(), recorder.problem()?.code]).toEqual([most, 'store.unsettled']);
    });

    it('comes back by itself where judging anew led nowhere, and rests twice as long each time until it leads somewhere', async () => {
      const { recorder, call, pass, mend, onUp } = unsettled(false);
      const restOf = async (): Promise<number> => {
        await expect(call()).rejects.toMatchObject({ code: 'store.unsettled' });
        let ms = 0;
        for (; recorder.problem() !== null && ms < 60_000; ms += 100) await pass(100);
        return ms;
      };
      const [first, second, third] = [await restOf(), await restOf(), await restOf()];
      expect(second).toBeGreaterThan(first);
      expect(third).toBeGreaterThanOrEqual(2_000);
      mend();
      await call();
      expect([recorder.problem(), onUp.mock.calls.length]).toEqual([null, 3]);
    });

    it('is down while looking after it fails later, too', async () => {
      let broken = true;
      const check = () => (broken ? Promise.reject(new Error('gone')) : Promise.resolve());
      const { recorder, onDown, onUp } = late({ store: { append: async () => {}, place: { check } } });
      expect((await recorder.probe())?.message).toMatch(/gone/);
      broken = false;
      expect([await recorder.probe(), recorder.problem()]).toEqual([null, null]);
      expect([onDown.mock.calls.length, onUp.mock.calls.length]).toEqual([1, 1]);
    });
  });

  it('redacts what was begun as what was not, also a value that only the answer shows to be secret', async () => {
    const secret = 'tok-0123456789abcdef';
    const call = {
      operation: 'oauth.token',
      headers: { 'X-Trace': `after ${secret}`, Authorization: 'Basic c2VjcmV0OnNlY3JldA==' },
    } as const;
    const exchange = anExchange({ call, answer: { body: { access_token: secret } } });
    const [plain, begun] = [recording(), recording()];
    await plain.recorder.take(exchange, NONE);
    await begun.recorder.begin({ ...exchange, answer: null }, NONE);
    await begun.recorder.take(exchange, NONE);
    const [session] = plain.store.sessions();
    const records = [plain, begun].map(({ store }) => [...store.read(session?.name ?? '')]);
    expect(records[1]).toEqual(records[0]);
    expect(records[0]).toHaveLength(1);
    expect(JSON.stringify(records)).not.toContain(secret);
  });

  it('gives a fault that nobody waits for to the gateway alone', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    for (const durability of ['process', 'relaxed'] as const) {
      const { take, breakStore, onDown, recorder } = recording({ durability });
      breakStore('the disk is full');
      void take();
      await nextTurn();
      await nextTurn();
      await recorder.drain();
      expect(onDown).toHaveBeenCalledTimes(1);
    }
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  it('takes secrets out of the exchange and out of what is said of it', async () => {
    const { recorder, store } = recording();
    const secret = 'a-token-with-1-digit';
    const exchange = recordSource()({ call: { headers: { 'X-Other': secret } } }).exchange;
    const headers = [...exchange.call.request.headers, ['Authorization', `Bearer ${secret}`] as const];
    const { target, body } = exchange.call.request;
    const clear = exchange.call.sending(exchange.call.request.with(target, headers, body));
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
