/** Parts of a recording for replay: entries that answer calls, and the order of their use. */
import { type Answer, type Exchange, textMember } from '../../exchange/index.js';
import type { Flow } from './authorization-calls.js';
import type { Field } from './call-fields.js';
import type { Journey } from './journeys.js';

export interface PartOf {
  readonly journey: Journey;
  readonly part: number;
}

/** An exchange that can answer a call; for authorise, all the browser's steps to one outcome. */
export interface Entry {
  readonly index: number;
  readonly exchange: Exchange;
  readonly answer: Answer;
  readonly flow: Flow | null;
  readonly fields: readonly Field[];
  /** The consent or payment that it is about; null: none, or nothing tells. */
  readonly resource: string | null;
  /** The part of a journey that it read in; null: it reads no consent or payment. */
  readonly reads: PartOf | null;
  opens: PartOf | null;
  /** The client's own values, the most telling first. They tell equal calls apart. */
  readonly signs: readonly string[];
  /** Entries of the same call, with this one; null until it is queued. */
  queue: Queue | null;
  uses: number;
}

/** Entries that are the same call, in the order of recording. */
export interface Queue {
  readonly fields: readonly Field[];
  /** How many days after the recording began its first entry was recorded; 0 where dates are kept. */
  readonly day: number;
  readonly all: Cursor;
  readonly bySign: Map<string, Cursor>;
  /** Reads of a consent or payment by its state, in the order of states. */
  readonly byState: Map<number, State>;
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

/** Entries that read in one state, by the parts of the journey, in order. */
export interface State {
  readonly parts: (Cursor & { readonly part: number })[];
  /** Parts that this run has reached and not used up, in order. Parts from `from` on are still to come. */
  readonly reached: State['parts'];
  from: number;
}

const MEMBERS = ['consentId', 'paymentId', 'authorisationId', 'access_token', 'refresh_token'] as const;

/** Values that the bank hands out, whether or not recorded calls sent them back. */
export function handedOut({ flow, exchange, answer }: Entry): string[] {
  const outcome = flow?.outcome;
  if (outcome?.kind === 'code') return [outcome.code];
  if (outcome?.kind === 'redirect')
    return outcome.parameters.flatMap(([name, value]) => (name === 'code' ? value : []));
  const texts = MEMBERS.flatMap((name) => textMember(answer.content, name) ?? []);
  if (exchange.call.operation !== 'accounts.list' || answer.content.kind !== 'json') return texts;
  const { accounts } = (answer.content.value ?? {}) as { readonly accounts?: unknown };
  const ids = Array.isArray(accounts) ? accounts.map((account) => account?.resourceId) : [];
  return [...texts, ...ids.filter((id) => typeof id === 'string')];
}
