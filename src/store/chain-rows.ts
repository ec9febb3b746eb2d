/** What verifying a chain reads: the rows of a session as a driver finds them, whatever somebody made of them. */
import type { Created, Removed } from './chain-notes.js';
import type { Awaitable } from './port.js';
import type { RecordTexts } from './record-codec.js';

/** What the store says of a session beside its entries; anything may stand there. */
export interface SessionRow {
  readonly id: number;
  readonly started_at: unknown;
  readonly last_at: unknown;
  readonly last: unknown;
  readonly head: unknown;
  readonly exchanges: unknown;
  readonly begun: unknown;
}

/** The row of an exchange, or of its beginning. */
export interface LinkedRow {
  /** Id of the exchange. */
  readonly exchange: string;
  readonly session: number;
  readonly seq: number;
  readonly link: string;
  readonly isBegun: boolean;
  /** The driver's own: by it, it finds what is beside this row. */
  readonly mark?: number;
  /** What orders it among entries of other chains; none where it is of a store with one chain a session. */
  readonly turn?: number | null;
  /** All that its link is made of, the certificate too; throws where it cannot be read. */
  readonly texts: () => RecordTexts;
}

export interface NoteRow {
  readonly seq: number;
  readonly turn?: number | null;
  readonly link: string;
  readonly at: number;
  readonly kind: unknown;
  readonly settings: unknown;
}

/** A row at a place that was never given. */
export interface Stray {
  readonly seq: unknown;
  /** null where it is a note. */
  readonly exchange: string | null;
  readonly kind: string | null;
}

/** What verifying a chain begins with, as of one moment. */
export interface ChainStart {
  readonly row: SessionRow;
  /** Its entries have turns, which do not go down; else none has. */
  readonly isOrdered: boolean;
  readonly created: FoundCreated | null;
  /** The newest one. */
  readonly removed: Removed | null;
  /** Before the first place and behind the last one. */
  readonly strays: readonly Stray[];
}

export interface FoundCreated {
  readonly seq: number;
  readonly created: Created;
}

/** Texts whose certificate is there, too; throws where it cannot be read. */
export function soundTexts(texts: RecordTexts, certificateOf: (reference: string) => unknown): RecordTexts {
  const { certificate } = JSON.parse(texts.shape.text) as { certificate: string };
  if (certificate !== 'absent' && certificate !== 'not-observed') certificateOf(certificate);
  return texts;
}

/** Rows in order, as work finds them (steps.ts). */
type Found<T> = Iterator<T | Promise<unknown>>;

/** A chain goes by the row of its session: in a store of several writers a session has one for each. */
export interface ChainRows {
  /** The chains of a session, in the order in which they began. */
  readonly chainsOf: (session: string) => Awaitable<readonly number[]>;
  /** null where it is gone. */
  readonly start: (id: number) => Awaitable<ChainStart | null>;
  /** What the chain says of the store that it is of. */
  readonly storeOf: (id: number) => Awaitable<string>;
  /** null where its session has no name, because it is being removed. */
  readonly nameOf: (id: number) => Awaitable<string | null>;
  /** The row of its end, else that of its beginning. */
  readonly find: (exchangeId: string) => Awaitable<LinkedRow | undefined>;
  /** In order, from behind the place `after`; `mark` is that of the row behind it, where there is one. */
  readonly exchanges: (session: string, id: number, after: number, mark?: number) => Found<LinkedRow>;
  readonly beginnings: (session: string, id: number, after: number, mark?: number) => Found<LinkedRow>;
  readonly notes: (id: number, after: number, mark?: number) => Found<NoteRow>;
  /** Link of the entry at a place, also where it was removed; null where nobody knows it. */
  readonly linkAt: (id: number, place: number, mark?: number) => Awaitable<string | null>;
  readonly created: (id: number) => Awaitable<FoundCreated | null>;
  /** The newest one. */
  readonly removed: (id: number) => Awaitable<Removed | null>;
}
