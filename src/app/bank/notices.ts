/** Tells TPPs of the statuses of their payments in the living bank, where that was promised: as calls or the clock move them. */
import type { HowToSend, Notification, Notifier, Send } from '../../answer/index.js';
import {
  type BankChange,
  type BankPayment,
  behindChange,
  claimed,
  isClaimed,
  type LivingPopulation,
  type Notice,
  nextNoticeAt,
  noticesDue,
  paymentChange,
  settleDue,
  toldChange,
  type Watch,
} from '../../bank/index.js';
import type { Recorder } from '../../recorder/index.js';
import { PAYMENT_STATUSES, type PaymentStatus } from '../../spec/index.js';
import { COMMON_WORLD, type KeptChange } from '../../store/index.js';
import type { RunningWorld, Worlds } from '../gateway/worlds.js';
import type { SystemParts } from '../system/system-parts.js';
import type { Remember } from './steering.js';

export interface BankNoticesParts {
  readonly worlds: Pick<Worlds, 'open' | 'catchUp'>;
  readonly population: LivingPopulation;
  readonly notify: Notifier['notify'];
  readonly recorder: Pick<Recorder, 'problem'>;
  readonly remember: Remember;
  readonly clock: () => number;
  readonly timer: SystemParts['timer'];
}

/** Where notifications wait, or nothing can be kept, it is tried again after so many ms of the machine. */
const AGAIN_MS = 1_000;

/** Other gateways are listened to so often, in ms, also where nobody calls here. */
const LISTEN_MS = 20_000;
/** A mark that another gateway's change overtook is tried so often. */
const MOST_MARKS = 10;

/** TPPs for which no more is taken for now: of one there may be very many payments. */
type Full = Set<Notification['tpp']>;

/**
 * A status is marked as told once it came or was given up, and the next one of the payment follows then: so each is told
 * at least once and in order, whatever ends in between. Of several gateways, all of which see what is due, the one that
 * could claim it tells it; where that ends first, another one does when the claim has run out.
 */
export function createBankNotices(parts: BankNoticesParts) {
  const { recorder, remember, timer, population } = parts;
  const alarms = new Map<RunningWorld, { readonly at: number; readonly cancel: () => void }>();
  const seen = new WeakSet<RunningWorld>();
  const underWay = new Set<string>();
  const toldElsewhere = new Set<RunningWorld>();
  let stopListening = (): void => {};
  let closed = false;

  /** At these payments of a world: most calls touch one of very many. */
  function look(world: RunningWorld, ids: Iterable<string>): void {
    if (closed) return;
    if (recorder.problem() !== null || !tell(world, new Set(ids))) {
      lookSoon(world);
      return;
    }
    const at = nextNoticeAt(world.bank, world.clock.now(), ids);
    if (at < (alarms.get(world)?.at ?? Number.POSITIVE_INFINITY))
      setAlarm(world, { at, cancel: world.clock.at(at, () => lookAtAll(world)) });
  }

  function lookAtAll(world: RunningWorld): void {
    seen.add(world);
    setAlarm(world, undefined);
    look(world, world.bank.payments.watched);
  }

  /** What is refused while this look is awaited does not put it off: others wait for it too. */
  function lookSoon(world: RunningWorld): void {
    const at = Number.NEGATIVE_INFINITY;
    if (alarms.get(world)?.at !== at)
      setAlarm(world, { at, cancel: timer.after(AGAIN_MS, () => lookAtAll(world)) });
  }

  function setAlarm(world: RunningWorld, alarm: ReturnType<typeof alarms.get>): void {
    alarms.get(world)?.cancel();
    alarms.delete(world);
    if (alarm !== undefined) alarms.set(world, alarm);
  }

  /** False where some have to wait, as too many are under way. */
  function tell(world: RunningWorld, ids: Set<string>): boolean {
    const now = world.clock.now();
    const settled = settleDue({ state: world.bank, population }, now);
    for (const { key } of settled) ids.add(key);
    void remember(world, settled);
    const full: Full = new Set();
    for (const notice of noticesDue(world.bank, now, ids)) offer(world, notice, full);
    return full.size === 0;
  }

  function offer(world: RunningWorld, { payment, statuses }: Notice, full: Full): void {
    const key = `${world.name} ${payment.id}`;
    if (underWay.has(key) || full.has(payment.tpp) || isToldElsewhere(world, payment.watch)) return;
    const refusal = parts.notify(notificationOf(world, payment, statuses[0]), async (send) => {
      underWay.add(key);
      const isSettled = await tellAll(world, payment.id, send).finally(() => underWay.delete(key));
      if (!isSettled && !closed) lookSoon(world);
    });
    if (refusal?.kind === 'busy') full.add(payment.tpp);
    // Nobody may be called there.
    else if (refusal !== null) void mark(world, payment, statuses.at(-1) ?? statuses[0]);
  }

  /** One after the other, also what becomes due meanwhile. False where one is to be told later. */
  async function tellAll(world: RunningWorld, id: string, send: Send): Promise<boolean> {
    for (;;) {
      const { steps } = world;
      const [notice] = noticesDue(world.bank, world.clock.now(), [id]);
      if (notice === undefined || isToldElsewhere(world, notice.payment.watch)) return true;
      const isShared = world.known != null;
      const payment = isShared ? claimed(notice.payment, parts.clock()) : notice.payment;
      if (closed || (isShared && !(await remember(world, [paymentChange(payment)])))) return false;
      const [status] = notice.statuses;
      const sent = await send(status, howToSend(payment.watch, status));
      if (typeof sent === 'object') {
        if (!(await keep(world, payment, (now) => behindChange(now, status, sent), steps))) return false;
        continue;
      }
      // Where the gateway stops first the claim is given up, and nothing else marked.
      const told = sent ? status : payment.watch.told;
      if (!(await mark(world, payment, told, steps)) || !sent) return false;
    }
  }

  const mark = (
    world: RunningWorld,
    payment: Notice['payment'],
    told: PaymentStatus,
    steps?: number,
  ): Promise<boolean> => keep(world, payment, (now) => toldChange(now, told), steps);

  /** `steps`: what had befallen the world then. A payment that went back meanwhile was not told of. */
  async function keep(
    world: RunningWorld,
    payment: Notice['payment'],
    changeOf: (now: BankPayment | undefined) => BankChange | null,
    steps = world.steps,
  ): Promise<boolean> {
    for (let i = 0; i < MOST_MARKS && recorder.problem() === null; i++) {
      const now = world.bank.bankPayments.get(payment.id);
      const change = world.steps === steps || now === payment ? changeOf(now) : null;
      if (change === null || (await remember(world, [change]))) return true;
    }
    return false;
  }

  function isToldElsewhere(world: RunningWorld, watch: Watch): boolean {
    const isTold = world.known != null && isClaimed(watch, parts.clock());
    if (isTold) toldElsewhere.add(world);
    return isTold;
  }

  async function listen(): Promise<void> {
    // A store that cannot be read is asked again.
    await parts.worlds.catchUp().catch(() => {});
    if (closed) return;
    const worlds = [...toldElsewhere];
    toldElsewhere.clear();
    for (const world of worlds) lookAtAll(world);
    stopListening = timer.after(LISTEN_MS, listen);
  }

  return {
    /** Looks at all worlds that are open, at the start; later also at what gateways that ended left undone. */
    begin: (): void => {
      for (const world of parts.worlds.open()) lookAtAll(world);
      stopListening = timer.after(LISTEN_MS, listen);
    },
    kept: (world: RunningWorld, changes: readonly KeptChange[]) => {
      // A world that was opened meanwhile, and a snapshot that was restored, have payments of their own.
      if (!seen.has(world) || changes.some((change) => 'step' in change)) return lookAtAll(world);
      const { watched } = world.bank.payments;
      const ids = changes.flatMap((change) =>
        'family' in change && change.family === 'bankPayments' && watched.has(change.key) ? [change.key] : [],
      );
      if (ids.length > 0) look(world, ids);
    },
    close: (): void => {
      closed = true;
      stopListening();
      for (const world of [...alarms.keys()]) setAlarm(world, undefined);
    },
  };
}

/** A status that another one follows may be put behind that one, once. */
const howToSend = ({ behind, content }: Watch, status: PaymentStatus): HowToSend =>
  behind?.status === status
    ? { injected: behind.injected }
    : { isFollowed: behind === undefined && content === 'PROCESS' && !PAYMENT_STATUSES[status].final };

const notificationOf = (
  { name }: RunningWorld,
  { id, tpp, watch }: Notice['payment'],
  transactionStatus: PaymentStatus,
): Notification => ({
  ...{ uri: watch.uri, paymentId: id, tpp, transactionStatus },
  ...(name === COMMON_WORLD ? {} : { session: name }),
});
