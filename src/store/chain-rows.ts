/** What verifying a chain reads: the rows of a session as a driver finds them, whatever somebody made of them. */
import type { Created, Removed } from './chain-notes.js';
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
  /** All that its link is made of, the certificate too; throws where it cannot be read. */
  readonly texts: () => RecordTexts;
}

export interface NoteRow {
  readonly seq: number;
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

export interface ChainRows {
  /** Id of the store. */
  readonly storeId: () => string;
  /** undefined: there is no such session. */
  readonly session: (name: string) => SessionRow | undefined;
  /** null where it has none, because it is being removed. */
  readonly nameOf: (session: number) => string | null;
  /** The row of its end, else that of its beginning. */
  readonly find: (exchangeId: string) => LinkedRow | undefined;
  /** In order, from behind the place `after`. */
  readonly exchanges: (session: string, id: number, after: number) => Iterable<LinkedRow>;
  readonly beginnings: (session: string, id: number, after: number) => Iterable<LinkedRow>;
  readonly notes: (id: number, after: number) => Iterable<NoteRow>;
  /** Before the first place and behind `last`. */
  readonly strays: (id: number, last: number) => readonly Stray[];
  /** Link of the entry at a place, also where it was removed; null where nobody knows it. */
  readonly linkAt: (id: number, place: number) => string | null;
  readonly created: (id: number) => { readonly seq: number; readonly created: Created } | null;
  /** The newest one. */
  readonly removed: (id: number) => Removed | null;
  /** Reads in it all see the same state of the store. */
  readonly snapshot: <T>(work: () => T) => T;
}
