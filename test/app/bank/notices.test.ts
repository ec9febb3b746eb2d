import { describe, expect, it } from 'vitest';
import type { Notification, NotificationRefusal } from '../../../src/answer/index.js';
import { createBankNotices, createRemember } from '../../../src/app/bank/index.js';
import { createClock } from '../../../src/app/clock/clock.js';
import {
  applyFacts,
  applyStep,
  authorisePayment,
  type BankChange,
  type BankPayment,
  cancelPayment,
  createWorld,
  type FactChange,
  paymentChange,
  type WorldStep,
} from '../../../src/bank/index.js';
import type { Known } from '../../../src/recorder/index.js';
import { type KeptChange, StoreMoved } from '../../../src/store/index.js';
import { aPayment, DAY, HOUR, MINUTE, NOON, POPULATION } from '../../bank/a-bank.js';

const WATCH = { uri: 'https://tpp.example/notify', content: 'PROCESS', told: 'RCVD' } as const;

const SWAPPED = { fault: 'f', kind: 'notification/out-of-order' } as const;

/** A gateway's notices over a machine whose time only goes when told. */
function aGateway(stored: readonly FactChange[] = [], start = NOON, isShared = false) {
  let machine = start;
  const timers = new Set<{ at: number; run: () => void }>();
  const timer = {
    after: (ms: number, run: () => void) => {
      const one = { at: machine + ms, run };
      timers.add(one);
      return () => void timers.delete(one);
    },
  };
  const clock = createClock({ machine: () => machine, timer });
  // Here it only matters that something is known of what others do.
  const known = isShared ? ({} as Known) : null;
  const world = Object.assign(createWorld(stored), { clock, known });
  const told: Notification[] = [];
  const asked: string[] = [];
  let isSilent = false;
  const unanswered: ((isTold: boolean) => void)[] = [];
  let isDeaf = false;
  let heard = 0;
  const kept: KeptChange[] = [];
  let refusal: NotificationRefusal | null = null;
  let refused: (notification: Notification) => boolean = () => true;
  let lost = (_: string) => false;
  let isPutBehind = (_: string) => false;
  const notices = createBankNotices({
    ...{ population: POPULATION, timer, clock: () => machine },
    worlds: {
      open: () => [world],
      catchUp: async () => {
        heard += 1;
        if (isDeaf) throw new Error('The store is away.');
      },
    },
    notify: (notification, tell) => {
      asked.push(notification.paymentId);
      const given = refused(notification) ? refusal : null;
      if (given === null)
        void tell?.(async (transactionStatus, how) => {
          if (how?.isFollowed === true && isPutBehind(transactionStatus)) return SWAPPED;
          told.push({ ...notification, transactionStatus });
          return isSilent ? new Promise<boolean>((resolve) => unanswered.push(resolve)) : true;
        });
      return given;
    },
    recorder: { problem: () => null },
    remember: createRemember(
      {
        remember: async (changes, takeBack) => {
          if (changes.some((change) => 'key' in change && lost(change.key))) {
            takeBack?.();
            throw new StoreMoved([]);
          }
          kept.push(...changes);
        },
      },
      () => {},
    ),
  });
  return {
    ...{ notices, clock, world, kept, asked },
    refuse: (how: NotificationRefusal | null, which = (_: Notification) => true) => {
      refusal = how;
      refused = which;
    },
    told: () => told.map(({ paymentId, transactionStatus }) => `${paymentId} ${transactionStatus}`),
    /** TPPs do not answer, until they do. */
    silence: () => {
      isSilent = true;
    },
    /** `isTold` false: the gateway stopped first. */
    answer: async (isTold = true) => {
      isSilent = false;
      for (const resolve of unanswered.splice(0)) resolve(isTold);
      await settled();
    },
    /** What befalls the world, once it is kept. */
    step: async (step: WorldStep) => {
      applyStep(world, step);
      notices.kept(world, [step]);
      await settled();
    },
    /** A fault has these statuses told after those that follow them. */
    putBehind: (which: typeof isPutBehind) => {
      isPutBehind = which;
    },
    heard: () => heard,
    /** What others did cannot be read, or can again. */
    deafen: (is: boolean) => {
      isDeaf = is;
    },
    /** Of these nothing can be kept: another gateway is always faster. */
    lose: (which: (id: string) => boolean) => {
      lost = which;
    },
    /** What an exchange changes, once it is kept. */
    keep: async (changes: readonly BankChange[] | string) => {
      if (typeof changes === 'string') throw new Error(changes);
      applyFacts(world, changes);
      notices.kept(world, changes);
      await settled();
    },
    payment: (id: string) => world.bank.bankPayments.get(id) as BankPayment,
    /** Timers run in the order of their times. */
    goTo: async (at: number) => {
      for (;;) {
        await settled();
        const [next] = [...timers].filter((one) => one.at <= at).sort((a, b) => a.at - b.at);
        if (next === undefined) break;
        timers.delete(next);
        machine = Math.max(machine, next.at);
        next.run();
      }
      machine = at;
      await settled();
    },
  };
}

const authorised = (given: Partial<BankPayment>): BankChange => {
  const [change] = authorisePayment(aPayment({ id: 'p', ...given }), 'psu-1', NOON);
  return change as BankChange;
};

const TAKE = { step: 'take', name: 'before', at: NOON, clock: {} } as const;
const RESTORE = { step: 'restore', name: 'before' } as const;

/** What was asked to be kept is kept. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the statuses of a watched payment', () => {
  it('are told as the SCA and the clock move them, each once', async () => {
    const gateway = aGateway();
    await gateway.keep([paymentChange(aPayment({ id: 'p', watch: WATCH }))]);
    expect(gateway.told()).toEqual([]);
    await gateway.keep(authorisePayment(gateway.payment('p'), 'psu-1', NOON));
    expect(gateway.told()).toEqual(['p ACTC']);
    await gateway.goTo(NOON + 2 * HOUR);
    expect(gateway.told()).toEqual(['p ACTC', 'p ACSP']);
    await gateway.goTo(NOON + DAY);
    expect(gateway.told()).toEqual(['p ACTC', 'p ACSP', 'p ACSC']);
    // Decided by the alarm, and kept.
    expect(gateway.kept.at(-1)).toMatchObject({ key: 'p', fact: { execution: { outcome: 'booked' } } });
    expect(gateway.world.bank.payments.watched.size).toBe(0);
  });

  it('are told again on a gateway alone, where it could not be kept that they were told', async () => {
    const gateway = aGateway();
    await gateway.keep([paymentChange(aPayment({ id: 'p', watch: WATCH }))]);
    gateway.lose(() => true);
    await gateway.keep(authorisePayment(gateway.payment('p'), 'psu-1', NOON));
    gateway.lose(() => false);
    await gateway.goTo(NOON + 2 * HOUR);
    expect(gateway.told()).toEqual(['p ACTC', 'p ACTC', 'p ACSP']);
  });

  it.each([
    ['a gateway of its own', false],
    ['a store of several gateways', true],
  ])(
    'are each told where a fault puts one behind the next, over a restart too, on %s',
    async (_, isShared) => {
      const before = aGateway([], NOON, isShared);
      before.putBehind((status) => status !== 'ACTC');
      await before.keep([paymentChange(aPayment({ id: 'p', watch: WATCH }))]);
      await before.keep(authorisePayment(before.payment('p'), 'psu-1', NOON));
      await before.goTo(NOON + 2 * HOUR);
      expect(before.told()).toEqual(['p ACTC']);
      expect(before.payment('p').watch).toMatchObject({ told: 'ACTC', behind: { status: 'ACSP' } });
      const stored = [...before.world.bank.bankPayments.values()].map(paymentChange);
      const next = aGateway(stored, NOON + 2 * HOUR, isShared);
      next.notices.begin();
      await next.goTo(NOON + DAY);
      expect(next.told()).toEqual(['p ACSC', 'p ACSP']);
      expect(next.payment('p').watch).toEqual({ ...WATCH, told: 'ACSC' });
      expect(next.world.bank.payments.watched.size).toBe(0);
    },
  );

  it('end with RJCT where nobody authorises it in a day, and nobody calls', async () => {
    const gateway = aGateway();
    await gateway.keep([paymentChange(aPayment({ id: 'p', watch: WATCH }))]);
    await gateway.goTo(NOON + DAY - 1);
    expect(gateway.told()).toEqual([]);
    await gateway.goTo(NOON + DAY);
    expect(gateway.told()).toEqual(['p RJCT']);
    expect(gateway.world.bank.payments.watched.size).toBe(0);
  });

  it('are told one after the other where the clock is moved over several, and nobody calls', async () => {
    const gateway = aGateway();
    await gateway.keep([paymentChange(aPayment({ id: 'p', watch: WATCH }))]);
    await gateway.keep(authorisePayment(gateway.payment('p'), 'psu-1', NOON));
    gateway.clock.change({ advance: DAY });
    await gateway.goTo(NOON);
    expect(gateway.told()).toEqual(['p ACTC', 'p ACSP', 'p ACSC']);
  });

  it('are told where the TPP itself cancels the payment, or only the last where it prefers that', async () => {
    const gateway = aGateway();
    await gateway.keep([paymentChange(aPayment({ id: 'p', watch: { ...WATCH, content: 'LAST' } }))]);
    await gateway.keep(authorisePayment(gateway.payment('p'), 'psu-1', NOON));
    expect(gateway.told()).toEqual([]);
    await gateway.keep(cancelPayment(gateway.payment('p'), NOON));
    expect(gateway.told()).toEqual(['p CANC']);
  });

  it('are not told again after a restart, and those that came meanwhile are', async () => {
    const before = aGateway();
    await before.keep([paymentChange(aPayment({ id: 'p', watch: WATCH }))]);
    await before.keep(authorisePayment(before.payment('p'), 'psu-1', NOON));
    const stored = [...before.world.bank.bankPayments.values()].map(paymentChange);
    const soon = aGateway(stored, NOON + HOUR);
    soon.notices.begin();
    await settled();
    expect(soon.told()).toEqual([]);
    await soon.goTo(NOON + 2 * HOUR);
    expect(soon.told()).toEqual(['p ACSP']);
    const late = aGateway(stored, NOON + DAY);
    late.notices.begin();
    await settled();
    expect(late.told()).toEqual(['p ACSP', 'p ACSC']);
  });

  it.each([
    ['a gateway of its own', false],
    ['a store of several gateways', true],
  ])('are told after a restart where the gateway ended while it told them, on %s', async (_, isShared) => {
    const before = aGateway([], NOON, isShared);
    await before.keep([paymentChange(aPayment({ id: 'p', watch: WATCH }))]);
    before.silence();
    await before.keep(authorisePayment(before.payment('p'), 'psu-1', NOON));
    before.clock.change({ advance: DAY });
    await before.goTo(NOON);
    expect(before.told()).toEqual(['p ACTC']);
    const stored = [...before.world.bank.bankPayments.values()].map(paymentChange);
    const next = aGateway(stored, NOON + DAY, isShared);
    next.notices.begin();
    await settled();
    expect(next.told()).toEqual(['p ACTC', 'p ACSP', 'p ACSC']);
  });

  it('are told by one of several gateways at a time, and by another one where that ends', async () => {
    const first = aGateway([], NOON, true);
    const second = aGateway([], NOON, true);
    second.notices.begin();
    first.silence();
    for (const gateway of [first, second])
      await gateway.keep([paymentChange(aPayment({ id: 'p', watch: WATCH }))]);
    await first.keep(authorisePayment(first.payment('p'), 'psu-1', NOON));
    await second.keep([paymentChange(first.payment('p'))]);
    await second.goTo(NOON + 59_000);
    expect([first.told(), second.told()]).toEqual([['p ACTC'], []]);
    expect(second.heard()).toBe(2);
    await second.goTo(NOON + 80_000);
    expect(second.told()).toEqual(['p ACTC']);
  });

  it('are told in the place of a gateway that ended also where the store could not be read for a while', async () => {
    const claimed = { ...WATCH, claimedUntil: NOON + MINUTE };
    const gateway = aGateway([authorised({ watch: claimed })], NOON, true);
    gateway.deafen(true);
    gateway.notices.begin();
    await gateway.goTo(NOON + 70_000);
    gateway.deafen(false);
    await gateway.goTo(NOON + 80_000);
    expect(gateway.told()).toEqual(['p ACTC']);
  });

  it('are not left for long to a gateway whose clock is far ahead', async () => {
    const claimed = { ...WATCH, claimedUntil: NOON + DAY };
    const gateway = aGateway([authorised({ watch: claimed })], NOON, true);
    gateway.notices.begin();
    await settled();
    expect(gateway.told()).toEqual(['p ACTC']);
  });

  it('are told by a gateway alone, whatever gateway had claimed them in a store that was copied', async () => {
    const claimed = { ...WATCH, claimedUntil: NOON + MINUTE };
    const gateway = aGateway([authorised({ watch: claimed })]);
    gateway.notices.begin();
    await settled();
    expect(gateway.told()).toEqual(['p ACTC']);
  });

  it('are left to the next gateway at once by one that stops', async () => {
    const before = aGateway([], NOON, true);
    before.silence();
    await before.keep([authorised({ watch: WATCH })]);
    before.notices.close();
    await before.answer(false);
    const next = aGateway([paymentChange(before.payment('p'))], NOON, true);
    next.notices.begin();
    await settled();
    expect(next.told()).toEqual(['p ACTC']);
  });

  it('are not told twice because another gateway changes something of the TPP at that moment', async () => {
    const gateway = aGateway([], NOON, true);
    await gateway.keep([paymentChange(aPayment({ id: 'p', watch: WATCH }))]);
    let tries = 0;
    gateway.lose(() => [2, 3].includes(++tries));
    await gateway.keep(authorisePayment(gateway.payment('p'), 'psu-1', NOON));
    await gateway.goTo(NOON + HOUR);
    expect(tries).toBe(4);
    expect(gateway.told()).toEqual(['p ACTC']);
  });

  it('wait where too many notifications are under way, and are given up where the address may not be called', async () => {
    const gateway = aGateway();
    await gateway.keep([paymentChange(aPayment({ id: 'p', watch: WATCH }))]);
    gateway.refuse({ kind: 'busy', reason: 'Too many.' });
    await gateway.keep(authorisePayment(gateway.payment('p'), 'psu-1', NOON));
    await gateway.goTo(NOON + 5_000);
    gateway.refuse(null);
    await gateway.goTo(NOON + 6_000);
    expect(gateway.told()).toEqual(['p ACTC']);
    gateway.refuse({ kind: 'address', reason: 'Not on the list.' });
    await gateway.goTo(NOON + DAY);
    expect(gateway.world.bank.payments.watched.size).toBe(0);
  });

  it('wait for no payment of another TPP that has too many under way', async () => {
    const gateway = aGateway();
    const { told } = gateway;
    gateway.refuse({ kind: 'busy', reason: 'Too many.' }, ({ paymentId }) => paymentId === 'p');
    for (const id of ['p', 'q']) await gateway.keep([paymentChange(aPayment({ id, watch: WATCH, tpp: id }))]);
    for (const id of ['p', 'q']) await gateway.keep(authorisePayment(gateway.payment(id), 'psu-1', NOON));
    gateway.clock.change({ advance: DAY });
    await gateway.goTo(NOON + 1_000);
    expect(told()).toEqual(['q ACTC', 'q ACSP', 'q ACSC']);
    gateway.refuse(null);
    await gateway.goTo(NOON + 2_000);
    expect(told().slice(3)).toEqual(['p ACTC', 'p ACSP', 'p ACSC']);
  });

  it.each([
    ['too many are under way of another TPP', false],
    ['another gateway is faster', true],
  ])('are told however often it comes to pass that %s', async (_, isShared) => {
    const gateway = aGateway([], NOON, isShared);
    const isOfP = (id: string) => id.startsWith('p');
    if (isShared) gateway.lose(isOfP);
    else gateway.refuse({ kind: 'busy', reason: 'Too many.' }, ({ paymentId }) => isOfP(paymentId));
    const authorise = async (id: string, now: number) => {
      await gateway.keep([paymentChange(aPayment({ id, watch: WATCH, tpp: id.slice(0, 1) }))]);
      await gateway.keep(authorisePayment(gateway.payment(id), 'psu-1', now));
    };
    await authorise('q', NOON);
    const due = NOON + 2 * HOUR;
    for (let now = due - 9_000; now < due + 9_000; now += 900) {
      await gateway.goTo(now);
      await authorise(`p-${now}`, now);
    }
    expect(gateway.told()).toEqual(['q ACTC', 'q ACSP']);
  });

  it.each([
    ['a gateway of its own', false],
    ['a store of several gateways', true],
  ])('are offered once a second where their TPP has too many under way, on %s', async (_, isShared) => {
    const gateway = aGateway([], NOON, isShared);
    gateway.refuse({ kind: 'busy', reason: 'Too many.' }, ({ paymentId }) => paymentId !== 'q');
    for (const id of ['p-1', 'p-2', 'p-3', 'q']) {
      await gateway.keep([paymentChange(aPayment({ id, watch: WATCH, tpp: id.slice(0, 1) }))]);
      await gateway.keep(authorisePayment(gateway.payment(id), 'psu-1', NOON));
    }
    await settled();
    gateway.asked.length = 0;
    await gateway.goTo(NOON + 2_000);
    expect(gateway.asked).toEqual(['p-1', 'p-1']);
    expect(gateway.told()).toEqual(['q ACTC']);
    gateway.refuse(null);
    await gateway.goTo(NOON + 3_000);
    expect(gateway.told()).toEqual(['q ACTC', 'p-1 ACTC', 'p-2 ACTC', 'p-3 ACTC']);
  });

  it('keep their order on a store of several gateways, where too many notifications are under way for a while', async () => {
    const gateway = aGateway([], NOON, true);
    await gateway.keep([paymentChange(aPayment({ id: 'p', watch: WATCH }))]);
    gateway.refuse({ kind: 'busy', reason: 'Too many.' });
    await gateway.keep(authorisePayment(gateway.payment('p'), 'psu-1', NOON));
    gateway.refuse(null);
    gateway.clock.change({ advance: DAY });
    await gateway.goTo(NOON);
    expect(gateway.told()).toEqual([]);
    await gateway.goTo(NOON + 1_000);
    expect(gateway.told()).toEqual(['p ACTC', 'p ACSP', 'p ACSC']);
  });

  it.each([
    ['a gateway of its own', false],
    ['a store of several gateways', true],
  ])('are all told of a payment that went back while one was on its way, on %s', async (_, isShared) => {
    const gateway = aGateway([], NOON, isShared);
    await gateway.keep([paymentChange(aPayment({ id: 'p', watch: WATCH }))]);
    await gateway.step(TAKE);
    gateway.silence();
    await gateway.keep(authorisePayment(gateway.payment('p'), 'psu-1', NOON));
    await gateway.step(RESTORE);
    await gateway.answer();
    expect(gateway.payment('p').watch).toEqual(WATCH);
    gateway.silence();
    await gateway.keep(authorisePayment(gateway.payment('p'), 'psu-1', NOON));
    await gateway.step(RESTORE);
    await gateway.keep(authorisePayment(gateway.payment('p'), 'psu-1', NOON));
    await gateway.answer();
    await gateway.goTo(NOON + DAY);
    expect(gateway.told()).toEqual(['p ACTC', 'p ACTC', 'p ACTC', 'p ACSP', 'p ACSC']);
  });

  it('are all told where another gateway took the payment back at the moment when one was marked', async () => {
    const gateway = aGateway([], NOON, true);
    await gateway.keep([paymentChange(aPayment({ id: 'p', watch: WATCH }))]);
    await gateway.step(TAKE);
    gateway.silence();
    await gateway.keep(authorisePayment(gateway.payment('p'), 'psu-1', NOON));
    gateway.lose(() => {
      gateway.lose(() => false);
      // Caught up with once what was lost is taken back.
      queueMicrotask(() => void gateway.step(RESTORE));
      return true;
    });
    await gateway.answer();
    expect(gateway.payment('p').watch).toEqual(WATCH);
  });

  it.each([
    ['a gateway of its own', false],
    ['a store of several gateways', true],
  ])('are told once where a snapshot is taken while one is on its way, on %s', async (_, isShared) => {
    const gateway = aGateway([], NOON, isShared);
    gateway.notices.begin();
    await gateway.keep([paymentChange(aPayment({ id: 'p', watch: WATCH }))]);
    gateway.silence();
    await gateway.keep(authorisePayment(gateway.payment('p'), 'psu-1', NOON));
    await gateway.step(TAKE);
    await gateway.answer();
    await gateway.step(TAKE);
    await gateway.goTo(NOON + 2 * MINUTE);
    expect(gateway.told()).toEqual(['p ACTC']);
  });

  it('are not looked at any more once it is closed', async () => {
    const gateway = aGateway();
    await gateway.keep([paymentChange(aPayment({ id: 'p', watch: WATCH }))]);
    gateway.notices.close();
    await gateway.keep(authorisePayment(gateway.payment('p'), 'psu-1', NOON));
    await gateway.goTo(NOON + DAY);
    expect(gateway.told()).toEqual([]);
  });
});
