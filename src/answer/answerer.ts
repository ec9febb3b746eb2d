/** The interface of all sources: emulator, upstream and recording. */
import type { Readable } from 'node:stream';
import type { BankChange, BankView } from '../bank/index.js';
import type { Answer, Body, Call, Fault, HeaderList, Injection } from '../exchange/index.js';
import type { Ledger } from '../ledger/index.js';
import type { Finding, Refusal } from '../rules/index.js';

export interface Timer {
  /** Runs once after so many ms, never at once; the function given back cancels it. */
  readonly after: (ms: number, run: () => void) => () => void;
}

/** Aborted when the client goes away. As much of an AbortSignal as is needed of one. */
export interface ClientSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: ClientListener, options: { readonly once: true }): void;
  removeEventListener(type: 'abort', listener: ClientListener): void;
}

export type ClientListener = (() => void) | { handleEvent(): void };

export interface AnswerContext {
  /** The ledger before the call. */
  readonly ledger: Ledger;
  /** The memory of the living bank before the call. */
  readonly bank: BankView;
  /** The refusal by the rules. The emulator always sends it; other answerers let the call pass. */
  readonly refusal: Refusal | null;
  /** Findings of the rules on the call; absent if the rules were not asked. */
  readonly findings?: readonly Finding[];
  readonly now: number;
  readonly signal: ClientSignal;
  /** `body`: the body of the payment that the call reads, which the store keeps; null: it is held in memory. */
  readonly stored?: { readonly body: object | null } | undefined;
  /** The bytes of the request body as they came, before any decoding; with `rest` only those before it. */
  readonly raw?: Uint8Array | undefined;
  /** The rest of a request body over the cap, to be streamed; absent where the body is whole in the call. */
  readonly rest?: Readable | undefined;
  /**
   * To be asked before anything of the call leaves for a bank: resolves once it is recorded that it is about to. False:
   * that took so long that nothing may be sent any more. Where it rejects nothing may be sent either; the rejection is to
   * be passed on. Absent where nothing is recorded.
   */
  begin?(): Promise<boolean>;
  /** Changes that make room for new ones of a TPP; null if there is no room. Absent if nothing is kept. */
  room?(tpp: string, changes: readonly BankChange[]): readonly BankChange[] | null;
  /** Tells the client an answer of 1xx, ahead of the one that counts. Absent where nobody is told. */
  inform?(status: number, headers: HeaderList): void;
  /** To be called when the first byte of a bank's answer arrives; of several answers the last one counts. */
  heard?(): void;
}

/** How an injected fault has an answer arrive; see `Injection`. */
export type Delivery = Pick<Injection, 'ms' | 'end' | 'bytes'>;

export interface Answered {
  readonly answer: Answer;
  /** Bytes to send, if they are not `answer.body.text` in UTF-8. */
  readonly wire?: Uint8Array | Readable;
  readonly fault?: Fault;
  /** Changes in the living bank, kept with the exchange or not at all. Only for answers given at once. */
  readonly changes?: readonly BankChange[];
  /** It refuses a caller who has not shown who it is, whatever severities and waivers say. */
  readonly isToStranger?: true;
  /** The effect of a fault on the call and its answer. A cut-off answer counts as none. */
  readonly injected?: Injection;
  /** A streamed `wire` alone has it: settles when that has ended. Until then `answer.body` is only known to be truncated. */
  readonly completed?: Promise<Completion>;
}

export interface Completion {
  readonly body: Body;
  readonly fault: Fault | null;
}

export interface Answerer {
  readonly name: 'emulator' | 'upstream' | 'replay';
  /** May answer at once or later; null hands on to the next of a chain. Never throws for what the call holds. */
  readonly answer: (call: Call, context: AnswerContext) => Answered | null | Promise<Answered | null>;
  /** The refusal of a call, with what the bank alone knows added to it; absent: as the rules refuse it. */
  readonly refusalOf?: (call: Call, context: AnswerContext) => Refusal | null;
  /** Changes in the living bank that a call makes although the rules refuse it. */
  readonly changesOfRefused?: (call: Call, context: AnswerContext) => readonly BankChange[];
  /** Whether it has answers to calls with a body that the gateway could not read: it sends the bytes on as they are. */
  readonly takesUnread?: (call: Call) => boolean;
  /** Whether it refuses, in either stance and whatever the body holds, a caller whom a rule on the connection refuses. */
  readonly refusesStrangers?: (call: Call) => boolean;
  /** Whether a bank of its own may know what was never seen here. In a chain, the first source that says so or not decides. */
  readonly knowsMore?: (call: Call) => boolean;
  readonly close?: () => Promise<void>;
}
