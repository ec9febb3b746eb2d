/** What a recording consists of for replay: entries that answer calls, and the order in which they are used. */
import { type Answer, type Exchange, textMember } from '../../exchange/index.js';
import type { Flow } from './authorization-calls.js';
import type { Field } from './call-fields.js';
import type { Journey } from './journeys.js';

/** An exchange that can answer a call; for authorise, all the browser's steps to one outcome. */
export interface Entry {
  /** Position in the recording. */
  readonly index: number;
  readonly exchange: Exchange;
  readonly answer: Answer;
  readonly flow: Flow | null;
  readonly fields: readonly Field[];
  /** The consent or payment that it is about; null: none, or nothing tells. */
  readonly resource: string | null;
  /** The consent or payment that it reads, and the part of its life that it read in; null: neither. */
  readonly reads: { readonly journey: Journey; readonly part: number } | null;
  /** The part of a life that it opens. */
  opens: { readonly journey: Journey; readonly part: number } | null;
  /** What a client sends of its own, the most telling first: by these equal calls are told apart. */
  readonly signs: readonly string[];
  /** Those that are the same call, itself among them; null until it is in one. */
  queue: Queue | null;
  /** How often this run was answered by it. */
  uses: number;
}

/** Entries that are the same call, in the order of recording. */
export interface Queue {
  /** Those that are matched. */
  readonly fields: readonly Field[];
  readonly all: Cursor;
  readonly bySign: Map<string, Cursor>;
  /** Those that read a consent or payment, by the state that it was in; in the order of states. */
  readonly byState: Map<number, Part[]>;
  /** Queues that differ only in what may be bound, and in dates. */
  readonly candidates: CandidateIndex;
}

/** Recorded calls that differ only in values that may be bound and in dates: a call with new values finds those it can be. */
export interface CandidateIndex {
  /** In the order of recording. */
  readonly queues: Queue[];
  /** By the places that a call has new values in: those that agree in all other bound places, under their values. */
  readonly byPlaces: Map<string, Map<string, Candidates>>;
}

/** In the order of recording; those before `from` can be no call with new values any more. */
export interface Candidates {
  readonly queues: Queue[];
  from: number;
}

/** Entries in order; those before `from` were used. */
export interface Cursor {
  readonly entries: Entry[];
  from: number;
}

/** Entries that read in one part of a life; the parts of a state stand in order. */
export interface Part extends Cursor {
  readonly part: number;
  /** The nearest one before this one that may have entries left; -1: none. */
  before: number;
}

/** An outcome of an authorization request that was not recorded itself. */
export interface UnseenFlow {
  readonly flow: Flow;
  /** The part of a life that begins with it. */
  readonly opens: NonNullable<Entry['opens']>;
  uses: number;
}

const MEMBERS = ['consentId', 'paymentId', 'authorisationId', 'access_token', 'refresh_token'] as const;

/** What the bank hands out to be sent back, in an order that is the same for answers of the same form. */
export function handedOut(given: Entry | UnseenFlow): string[] {
  const { flow } = given;
  if (flow?.outcome.kind === 'code') return [flow.outcome.code];
  if (flow?.outcome.kind === 'redirect')
    return flow.outcome.parameters.flatMap(([name, value]) => (name === 'code' ? [value] : []));
  if (!('exchange' in given)) return [];
  const { exchange, answer } = given;
  const texts = MEMBERS.flatMap((name) => textMember(answer.content, name) ?? []);
  return exchange.call.operation === 'accounts.list' ? [...texts, ...accountIds(answer.content)] : texts;
}

function accountIds(content: Entry['answer']['content']): string[] {
  const { accounts } = (content.kind === 'json' ? (content.value ?? {}) : {}) as {
    readonly accounts?: unknown;
  };
  if (!Array.isArray(accounts)) return [];
  return accounts.flatMap((account) => (typeof account?.resourceId === 'string' ? account.resourceId : []));
}
