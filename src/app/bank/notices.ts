/** Tells TPPs of the statuses of their payments in the living bank, where that was promised: as calls or the clock move them. */
import type { Notifier } from '../../answer/index.js';
import {
  type Notice,
  nextNoticeAt,
  noticesDue,
  type Population,
  settleDue,
  toldChange,
} from '../../bank/index.js';
import type { Recorder } from '../../recorder/index.js';
import type { PaymentStatus } from '../../spec/index.js';
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

/** False where too many are waiting to be sent. */
type Send = (status: PaymentStatus) => boolean;

/** Where notifications wait, or nothing can be kept, it is tried again after so many ms of the machine. */
const AGAIN_MS = 1_000;

/**
 * What is due is decided, and a status marked as told, before it is sent: a gateway that is killed may leave one untold,
 * and tells none twice.
 */
export function createBankNotices(parts: BankNoticesParts): BankNotices {
  const { recorder, remember, timer, population } = parts;
  const alarms = new Map<RunningWorld, { readonly at: number; readonly cancel: () => void }>();
  const seen = new WeakSet<RunningWorld>();
  let closed = false;

  /** At these payments of a world: most calls touch one of very many. */
  function look(world: RunningWorld, ids: Iterable<string>): void {
    if (closed) return;
    if (recorder.problem() !== null || !tell(world, new Set(ids))) {
      setAlarm(world, { at: Number.NEGATIVE_INFINITY, cancel: lookSoon(world) });
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

  function setAlarm(world: RunningWorld, alarm: ReturnType<typeof alarms.get>): void {
    alarms.get(world)?.cancel();
    alarms.delete(world);
    if (alarm !== undefined) alarms.set(world, alarm);
  }

  /** False where too many are waiting to be sent. */
  function tell(world: RunningWorld, ids: Set<string>): boolean {
    const now = world.clock.now();
    const settled = settleDue({ state: world.bank, population }, now);
    for (const { key } of settled) ids.add(key);
    void remember(world, settled);
    for (const notice of noticesDue(world.bank, now, ids)) {
      const { payment, watch, statuses } = notice;
      const session = world.name === COMMON_WORLD ? {} : { session: world.name };
      const told = { uri: watch.uri, paymentId: payment.id, tpp: payment.tpp, ...session };
      const send = (status: PaymentStatus) =>
        parts.notify({ ...told, transactionStatus: status, isInOrder: true })?.kind !== 'busy';
      if (world.known != null) void tellAmongOthers(world, notice, send);
      else
        for (const status of statuses) {
          if (!send(status)) return false;
          void remember(world, [toldChange(notice, status)]);
        }
    }
    return true;
  }

  /** Each gateway sees that it is due: who can say first that it was told tells it. */
  async function tellAmongOthers(world: RunningWorld, notice: Notice, send: Send): Promise<void> {
    const { statuses } = notice;
    const last = statuses.at(-1);
    if (last !== undefined && (await remember(world, [toldChange(notice, last)]))) sendAll(statuses, send);
    else if (!closed) setAlarm(world, { at: Number.NEGATIVE_INFINITY, cancel: lookSoon(world) });
  }

  function sendAll(statuses: readonly PaymentStatus[], send: Send): void {
    if (closed) return;
    const unsent = statuses.findIndex((status) => !send(status));
    if (unsent >= 0) timer.after(AGAIN_MS, () => sendAll(statuses.slice(unsent), send));
  }

  const lookSoon = (world: RunningWorld) => timer.after(AGAIN_MS, () => lookAtAll(world));

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
