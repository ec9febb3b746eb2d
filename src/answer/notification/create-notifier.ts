/** Sends resource status notifications: records each attempt, repeats a few, and calls only allowed addresses. */
import { setMaxListeners } from 'node:events';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import { arrivedAt, type CallTime, closeCall, type Exchange, type Fault } from '../../exchange/index.js';
import type { PaymentStatus } from '../../spec/index.js';
import type { Timer } from '../answerer.js';
import type { Notification, NotificationRefusal } from '../emulator/bank.js';
import { createAllowList } from './allow-list.js';
import { openNotification, openNotificationAnswer } from './notification-call.js';
import { createPlaces } from './places.js';
import {
  findAddress,
  type IsOurs,
  sendNotification,
  systemResolve,
  type Tried,
} from './send-notification.js';

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
  /** Told when a try could not be recorded; the notification is not repeated then. */
  readonly onError: (error: unknown) => void;
  readonly ca?: string;
  /** Pause before the first try and before each repetition, in ms. */
  readonly pauses?: readonly number[];
  /** For one try from look-up to the end of the answer, in ms. */
  readonly timeout?: number;
  readonly answerBytes?: number;
  /** Notifications waiting or under way at once. As many again are taken of TPPs that have none. */
  readonly most?: number;
}

/** Resolves when the status came, or was given up; to false where the gateway stopped first. */
export type Send = (status: PaymentStatus) => Promise<boolean>;

export type Notifier = ReturnType<typeof createNotifier>;

/** The first pause lets the answer of the simulation leave before its notification. */
const PAUSES = [20, 1_000, 5_000, 15_000] as const;
const STOPPED: Fault = {
  kind: 'internal',
  message: 'The gateway stopped before the notification was delivered.',
};

export function createNotifier(parts: NotifierParts) {
  const { pauses = PAUSES, most = 100, timer } = parts;
  const allowList = createAllowList(parts.allow);
  const attempt = createAttempt(parts, allowList.addressAllowed);
  const places = createPlaces(most, parts.onError);
  const stop = new AbortController();
  // Each one that waits listens to it.
  setMaxListeners(0, stop.signal);

  async function deliver(notification: Notification, url: URL): Promise<boolean> {
    for (const pause of pauses) {
      await wait(timer, pause, stop.signal);
      if (stop.signal.aborted) return false;
      if ((await attempt(notification, url, stop.signal)) === 'done') return true;
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
      const send: Send = (transactionStatus) => deliver({ ...notification, transactionStatus }, url);
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

/** One try, recorded. `again`: worth another one. */
function createAttempt(
  parts: NotifierParts,
  addressAllowed: (host: string, address: string) => boolean,
): (notification: Notification, url: URL, stop: AbortSignal) => Promise<'done' | 'again'> {
  const { timer, timeout = 5_000, answerBytes = 65_536, resolve = systemResolve } = parts;

  const secureContextFor = trustOf(parts.ca);

  return async (notification, url, stop) => {
    const [id, session, time] = [parts.nextId(), notification.session ?? parts.session(), parts.time()];
    const limit = new AbortController();
    const cancel = timer.after(timeout, () =>
      limit.abort({ kind: 'timeout', message: `No complete answer within ${timeout} ms.` } satisfies Fault),
    );
    const signal = AbortSignal.any([limit.signal, stop]);
    const found = await findAddress(url, resolve, addressAllowed, signal);
    const address = 'address' in found ? found.address : 'unknown';
    const callWith = (tls: Tried['tls']) =>
      openNotification(notification, url, { id, session, ...time, connection: { address, tls } });
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
    const total = arrivedAt(parts.time()) - arrivedAt(time);
    await parts.record(closeCall(callWith(tried.tls), answer, { total, answerer: total }, tried.fault));
    const acknowledged = answer !== null && answer.status >= 200 && answer.status < 300;
    return acknowledged || tried.isFinal ? 'done' : 'again';
  };
}

function wait(timer: Timer, ms: number, signal: AbortSignal): Promise<void> {
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
