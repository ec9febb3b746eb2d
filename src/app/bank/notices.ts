/** Tells TPPs of the statuses of their payments in the living bank, where that was promised: as calls or the clock move them. */
import type { Notification, Notifier } from '../../answer/index.js';
import {
  type Notice,
  nextNoticeAt,
  noticesDue,
  type Population,
  settleDue,
  toldChange,
} from '../../bank/index.js';
import type { Recorder } from '../../recorder/index.js';
import { COMMON_WORLD, type KeptChange } from '../../store/index.js';
import type { RunningWorld, Worlds } from '../gateway/worlds.js';
import type { Remember } from './remember.js';

export interface BankNoticesParts {
  readonly worlds: Pick<Worlds, 'open'>;
  readonly population: Population;
  readonly notify: Notifier['notify'];
  readonly recorder: Pick<Recorder, 'problem'>;
  readonly remember: Remember;
  readonly timer: { readonly after: (ms: number, run: () => void) => () => void };
}

export interface BankNotices {
  /** Looks at all worlds that are open, at the start. */
  readonly begin: () => void;
  /** These changes of a world were kept. */
  readonly kept: (world: RunningWorld, changes: readonly KeptChange[]) => void;
  readonly close: () => void;
}

/** Where notifications wait, or nothing can be kept, it is tried again after so many ms of the machine. */
const AGAIN_MS = 1_000;

/** TPPs for which no more is taken for now: of one there may be very many payments. */
type Full = Set<Notification['tpp']>;

/**
 * What is due is decided before it is sent. A gateway alone marks a status as told once it is taken to be sent: what has
 * to wait is told after a restart too, and what could not be marked is told again. Of several, the one that could mark it
 * sends it, so that others do not. Either way what was marked and not sent yet is lost with the gateway.
 */
export function createBankNotices(parts: BankNoticesParts): BankNotices {
  const { recorder, remember, timer, population } = parts;
  const alarms = new Map<RunningWorld, { readonly at: number; readonly cancel: () => void }>();
  const seen = new WeakSet<RunningWorld>();
  /** Of each payment, what was marked as told and has to wait: what follows is sent after it. */
  const unsent = new Map<string, readonly Notification[]>();
  let isUnsentAwaited = false;
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
    for (const notice of noticesDue(world.bank, now, ids))
      if (world.known != null) void tellAmongOthers(world, notice);
      else
        for (const notification of notificationsOf(world, notice)) {
          if (!send(notification, full)) break;
          void remember(world, [toldChange(notice, notification.transactionStatus)]);
        }
    return full.size === 0;
  }

  /** Each gateway sees that it is due: who can say first that it was told tells it. */
  async function tellAmongOthers(world: RunningWorld, notice: Notice): Promise<void> {
    const last = notice.statuses.at(-1);
    if (last !== undefined && (await remember(world, [toldChange(notice, last)]))) {
      const key = `${world.name} ${notice.payment.id}`;
      const earlier = unsent.get(key);
      unsent.set(key, [...(earlier ?? []), ...notificationsOf(world, notice)]);
      if (earlier === undefined) sendUnsent([key]);
    } else if (!closed) lookSoon(world);
  }

  function sendUnsent(keys: Iterable<string>): void {
    if (closed) return;
    const full: Full = new Set();
    for (const key of keys) {
      const waiting = unsent.get(key) ?? [];
      const sent = waiting.findIndex((notification) => !send(notification, full));
      if (sent < 0) unsent.delete(key);
      else unsent.set(key, waiting.slice(sent));
    }
    if (unsent.size === 0 || isUnsentAwaited) return;
    isUnsentAwaited = true;
    timer.after(AGAIN_MS, () => {
      isUnsentAwaited = false;
      sendUnsent(unsent.keys());
    });
  }

  /** False where too many are under way: then nothing more is asked for this TPP. */
  function send(notification: Notification, full: Full): boolean {
    if (full.has(notification.tpp)) return false;
    if (parts.notify(notification)?.kind !== 'busy') return true;
    full.add(notification.tpp);
    return false;
  }

  return {
    begin: () => {
      for (const world of parts.worlds.open()) lookAtAll(world);
    },
    kept: (world, changes) => {
      // A world that was opened meanwhile, and a snapshot that was restored, have payments of their own.
      if (!seen.has(world) || changes.some((change) => 'step' in change)) return lookAtAll(world);
      const { watched } = world.bank.payments;
      const ids = changes.flatMap((change) =>
        'family' in change && change.family === 'bankPayments' && watched.has(change.key) ? [change.key] : [],
      );
      if (ids.length > 0) look(world, ids);
    },
    close: () => {
      closed = true;
      for (const world of [...alarms.keys()]) setAlarm(world, undefined);
    },
  };
}

/** In the session of the world. */
const notificationsOf = (
  { name }: RunningWorld,
  { payment, watch, statuses }: Notice,
): readonly Notification[] =>
  statuses.map((transactionStatus) => ({
    ...{ uri: watch.uri, paymentId: payment.id, tpp: payment.tpp, transactionStatus, isInOrder: true },
    ...(name === COMMON_WORLD ? {} : { session: name }),
  }));
