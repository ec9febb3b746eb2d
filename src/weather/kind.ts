/** What a kind of fault is: a row that says which calls it can meet and what it does to them. */
import type * as z from 'zod';
import type { Answered, Disturbance } from '../answer/index.js';
import type { World } from '../bank/index.js';
import type { Answer, Call, Injection } from '../exchange/index.js';

export const FAMILIES = [
  'transport',
  'answer',
  'done',
  'content',
  'paging',
  'token',
  'return',
  'notification',
  'certificate',
  'limit',
] as const;

export type Family = (typeof FAMILIES)[number];

/** One call that a fault meets, with the parameters of the fault. */
export interface Met<P> {
  readonly call: Call;
  readonly world: World;
  readonly given: P;
  /** Gives numbers from 0 on, below 1: the same ones for the same seed, fault and use. */
  readonly draw: () => number;
  /** A token or code of the bank as the ledger keeps it. */
  readonly fingerprint: (secret: string) => string;
}

/** What becomes of a call. What is left out stays as the bank has it. */
export interface Effect extends Pick<Injection, 'ms' | 'end' | 'bytes'> {
  readonly answer?: Answer;
  /** Instead of the bank's own changes, where it is our bank. */
  readonly changes?: Answered['changes'];
}

interface About {
  readonly family: Family;
  readonly says: string;
  readonly takes: z.ZodType<object>;
  /** `emulator`: it changes what only our own banks do; `living`: what only the living one does. */
  readonly needs?: 'emulator' | 'living';
}

/** Meets a call on its way. */
export interface CallKind<P = never> extends About {
  readonly meets: (call: Call) => boolean;
  /** In the place of the bank, which is not asked; undefined: it does nothing to this call. */
  readonly instead?: (met: Met<P>) => Effect | undefined;
  /** After the bank has answered; undefined: it has nothing to change in this answer. */
  readonly after?: (met: Met<P>, answered: Answered) => Effect | undefined;
}

/** Meets a notification on its way to a TPP. Its parameter `ms`, if it has one, says how late that is. */
export interface NotificationKind extends About {
  readonly how: Disturbance['how'];
}

/** A server certificate that is not the gateway's own. */
export type OtherServer = 'expired' | 'unknown-ca' | 'renewed';

/** A fault that a connection meets before its handshake. */
export interface ConnectionFault {
  readonly injected: Injection;
  /** The certificate that is shown, or the TLS alert that ends the handshake. */
  readonly meets: OtherServer | { readonly alert: number };
}

/** Meets connections to the API listener. */
export interface ConnectionKind extends About {
  readonly connection: OtherServer | ((given: object) => ConnectionFault['meets']);
  /** Needs the key of the CA that clients of the gateway trust. */
  readonly signs: boolean;
}

export type Kind = CallKind | NotificationKind | ConnectionKind;

/** Keeps the type of the parameters within a row. */
export const callKind = <P extends object>(
  kind: Omit<CallKind<P>, 'takes'> & { readonly takes: z.ZodType<P> },
): CallKind => kind as unknown as CallKind;
