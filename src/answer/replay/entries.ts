/** What a recording consists of for replay: entries that answer calls, and the order in which they are used. */
import type { Answer, Exchange } from '../../exchange/index.js';
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
