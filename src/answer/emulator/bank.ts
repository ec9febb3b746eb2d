/** The parameters of each handler of the emulator, and the type of a handler. */
import type { Answer, Call, Fingerprint } from '../../exchange/index.js';
import type { OperationId, PaymentStatus, SandboxData } from '../../spec/index.js';
import type { AnswerContext } from '../answerer.js';
import type { LogInAttempts } from '../log-in-attempts.js';
import type { Links } from './links.js';

/** A payment status notification to be sent (§Events). */
export interface Notification {
  readonly uri: string;
  readonly paymentId: string;
  readonly transactionStatus: PaymentStatus;
  /** Who asked for it; null where nobody is known. */
  readonly tpp: string | null;
  /** The session to record into; absent: the current one. */
  readonly session?: string;
}

export interface NotificationRefusal {
  readonly kind: 'address' | 'busy';
  readonly reason: string;
}

export interface Bank {
  readonly data: SandboxData;
  readonly links: Links;
  readonly ids: { readonly token: () => string; readonly authorisation: () => string };
  readonly fingerprint: Fingerprint;
  /** Counts the wrong passwords that TPPs send. */
  readonly attempts: LogInAttempts;
  /** Takes a notification to be sent after the answer, or refuses it. `call`: the id of the one that asked, which may be answered anew. */
  readonly onNotification: (notification: Notification, call: string) => NotificationRefusal | null;
}

export type Moment = Pick<AnswerContext, 'ledger' | 'now'>;

/** Total: gives an answer whatever the call holds, and keeps nothing. */
export type Handler = (call: Call, moment: Moment) => Answer;

/** The handlers of one group; one that is missing does not compile. */
export type Handlers<Group extends string> = {
  readonly [Id in Extract<OperationId, `${Group}.${string}`>]: Handler;
};
