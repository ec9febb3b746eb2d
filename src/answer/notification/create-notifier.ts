/** Sends resource status notifications: records each attempt, repeats a few, and calls only allowed addresses. */
import { setMaxListeners } from 'node:events';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import {
  arrivedAt,
  type Call,
  type CallTime,
  closeCall,
  type Exchange,
  type Fault,
  type Injection,
} from '../../exchange/index.js';
import { createAllowList, findAddress, systemResolve } from '../../outgoing/index.js';
import type { PaymentStatus } from '../../spec/index.js';
import type { Timer } from '../answerer.js';
import type { Notification, NotificationRefusal } from '../emulator/bank.js';
import { openNotification, openNotificationAnswer } from './notification-call.js';
import { createPlaces } from './places.js';
import { type IsOurs, sendNotification, type Tried } from './send-notification.js';

export interface NotifierParts {
  /** Hosts, addresses and ranges that may be called; the loopback ones where absent. */
  readonly allow?: readonly string[];
  /** Addresses of a name; the system's resolver where absent. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
  /** Connections that it is true of are closed before anything is sent. */
  readonly isOurs: IsOurs;
  readonly time: () => CallTime;
  readonly timer: Timer;
  readonly nextId: () => string;
  readonly session: () => string;
  readonly record: (exchange: Exchange) => void | Promise<void>;
  /** Called when a try could not be recorded. The notification is not repeated then. */
  readonly onError: (error: unknown) => void;
  readonly ca?: string;
  /** Pause before the first try and before each repetition, in ms. */
  readonly pauses?: readonly number[];
  /** For one try from look-up to the end of the answer, in ms. */
  readonly timeout?: number;
  readonly answerBytes?: number;
  /** Says which operator's fault a notification meets. `isFollowed`: another status of the payment will follow. */
  readonly disturb?: (call: Call, isFollowed: boolean) => Promise<Disturbance | null>;
  /** Notifications waiting or under way at once. As many again are taken of TPPs that have none. */
  readonly most?: number;
}

/** An operator's fault and its effect on a notification; `injected.ms` is how late it is. */
export interface Disturbance {
  readonly how: 'lost' | 'twice' | 'late' | 'without-id' | 'behind';
  readonly injected: Injection;
}

export interface HowToSend {
  /** Another status of the payment will follow, behind which this one may be put. */
  readonly isFollowed?: boolean;
  /** A fault that it has met before: it meets no other. */
  readonly injected?: Injection;
}

/**
 * Resolves when the status came, or was given up; to false where the gateway stopped first; to a fault that has the status
 * told after the next one, where nothing was sent.
 */
export type Send = (status: PaymentStatus, how?: HowToSend) => Promise<boolean | Injection>;

export type Notifier = ReturnType<typeof createNotifier>;

/** The first pause lets the answer of the simulation leave before its notification. */
const PAUSES = [20, 1_000, 5_000, 15_000] as const;
const STOPPED: Fault = {
  kind: 'internal',
  message: 'The gateway stopped before the notification was delivered.',
};

export function createNotifier(parts: NotifierParts) {
  const { pauses = PAUSES, most = 100, timer, disturb } = parts;
  const allowList = createAllowList(parts.allow);
  const attempt = createAttempt(parts, allowList.addressAllowed);
  const places = createPlaces(most, parts.onError);
  const stop = new AbortController();
  // Each one that waits listens to it.
  setMaxListeners(0, stop.signal);

  async function deliver(
    notification: Notification,
    url: URL,
    { isFollowed = false, injected }: HowToSend = {},
  ): Promise<boolean | Injection> {
    const isFirst = disturb !== undefined && injected === undefined;
    const met = isFirst ? await disturb(attempt.open(notification, url), isFollowed) : null;
    const mark = met?.injected ?? injected;
    if (met?.how === 'behind') return met.injected;
    if (met?.how === 'lost') {
      await attempt.lose(notification, url, met.injected);
      return true;
    }
    if (met?.how === 'late') await pause(timer, met.injected.ms ?? 0, stop.signal);
    const marked = {
      hasId: met?.how !== 'without-id',
      ...(mark === undefined || met?.how === 'twice' ? {} : { injected: mark }),
    };
    for (const ms of pauses) {
      await pause(timer, ms, stop.signal);
      if (stop.signal.aborted) return false;
      if ((await attempt.once(notification, url, stop.signal, marked)) === 'again') continue;
      if (met?.how === 'twice')
        await attempt.once(notification, url, stop.signal, { injected: met.injected });
      return true;
    }
    return !stop.signal.aborted;
  }

  return {
    /** Takes a notification, or says why not. `tell` sends it, and may send further statuses in the same place. */
    notify: (
      notification: Notification,
      tell = async (send: Send): Promise<void> => void (await send(notification.transactionStatus)),
    ): NotificationRefusal | null => {
      const refusal = refuse(notification.uri, allowList.hostAllowed);
      if (refusal !== null) return refusal;
      const url = new URL(notification.uri);
      const send: Send = (transactionStatus, how) =>
        deliver({ ...notification, transactionStatus }, url, how);
      return !stop.signal.aborted && places.take(notification.tpp, () => tell(send))
        ? null
        : { kind: 'busy', reason: 'Too many notifications are waiting; try again later.' };
    },
    takes: (uri: string) => refuse(uri, allowList.hostAllowed) === null,
    /** Whether the host of a URL may be called at all; its addresses are checked again after the look-up. */
    hostAllowed: allowList.hostAllowed,
    idle: places.emptied,
    /** Cancels what waits, breaks off what is under way, and resolves when that is recorded. */
    close: (): Promise<void> => {
      stop.abort(STOPPED);
      return places.emptied();
    },
  };
}

function refuse(uri: string, hostAllowed: (host: string) => boolean): NotificationRefusal | null {
  const url = URL.canParse(uri) ? new URL(uri) : null;
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    return { kind: 'address', reason: 'tppNotificationUri is not an absolute http or https address.' };
  if (url.username !== '' || url.password !== '')
    return { kind: 'address', reason: 'tppNotificationUri must hold no user name or password.' };
  if (hostAllowed(url.hostname)) return null;
  return {
    kind: 'address',
    reason: `${url.hostname} is not on the list of addresses to which the gateway may send notifications.`,
  };
}

/** Built once, when the first is sent over TLS: reading all authorities takes as long as a hundred calls. */
function trustOf(ca: string | undefined): (url: URL) => SecureContext | undefined {
  let context: SecureContext | undefined;
  return ({ protocol }) => {
    if (ca === undefined || protocol !== 'https:') return undefined;
    context ??= createSecureContext({ ca: [...rootCertificates, ca], minVersion: 'TLSv1.2' });
    return context;
  };
}

interface Marked {
  readonly injected?: Injection;
  /** Absent: it has. */
  readonly hasId?: boolean;
}

function createAttempt(parts: NotifierParts, addressAllowed: (host: string, address: string) => boolean) {
  const { timer, timeout = 5_000, answerBytes = 65_536, resolve = systemResolve } = parts;

  const secureContextFor = trustOf(parts.ca);
  const arrivalOf = ({ session = parts.session() }: Notification, id: string) => ({
    ...{ id, session, ...parts.time() },
    connection: { address: 'unknown', tls: null },
  });

  /** One try, recorded. `again`: worth another one. */
  async function once(
    notification: Notification,
    url: URL,
    stop: AbortSignal,
    { injected, hasId = true }: Marked = {},
  ): Promise<'done' | 'again'> {
    const arrival = arrivalOf(notification, parts.nextId());
    const limit = new AbortController();
    const cancel = timer.after(timeout, () =>
      limit.abort({ kind: 'timeout', message: `No complete answer within ${timeout} ms.` } satisfies Fault),
    );
    const signal = AbortSignal.any([limit.signal, stop]);
    const found = await findAddress(url, resolve, addressAllowed, signal);
    const address = 'address' in found ? found.address : 'unknown';
    const callWith = (tls: Tried['tls']) =>
      openNotification(notification, url, { ...arrival, connection: { address, tls } }, hasId);
    const tried: Tried =
      'address' in found
        ? await sendNotification({
            url,
            call: callWith(null),
            address,
            answerBytes,
            signal,
            isOurs: parts.isOurs,
            secureContext: secureContextFor(url),
          })
        : { tls: null, received: null, fault: found.fault, isFinal: found.final };
    cancel();
    const answer = tried.received === null ? null : openNotificationAnswer(tried.received);
    const total = arrivedAt(parts.time()) - arrivedAt(arrival);
    const elapsed = { total, answerer: total };
    await parts.record(closeCall(callWith(tried.tls), answer, elapsed, tried.fault, 0, injected));
    const acknowledged = answer !== null && answer.status >= 200 && answer.status < 300;
    return acknowledged || tried.isFinal ? 'done' : 'again';
  }

  return {
    once,
    /** The call that would be sent. */
    open: (notification: Notification, url: URL): Call =>
      openNotification(notification, url, arrivalOf(notification, '')),
    /** Records one that is not sent. */
    lose: async (notification: Notification, url: URL, injected: Injection): Promise<void> => {
      const call = openNotification(notification, url, arrivalOf(notification, parts.nextId()));
      const fault = {
        kind: 'injected',
        message: `The notification was not sent: fault ${injected.fault}.`,
      } as const;
      await parts.record(closeCall(call, null, { total: 0, answerer: 0 }, fault, 0, injected));
    },
  };
}

/** Resolves after so many ms, or at once when the signal aborts. */
export function pause(timer: Timer, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = () => {
      cancel();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const cancel = timer.after(ms, done);
    signal.addEventListener('abort', done, { once: true });
  });
}
