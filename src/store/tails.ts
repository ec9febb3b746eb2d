/** Caches the ends of the chains for as long as no other process writes. */
import { createRecentCache } from '../exchange/index.js';
import { type NoteTexts, noteLink } from './chain.js';
import type { ChainNoteKind, Created } from './chain-notes.js';
import type { ChainEnd, GrownSession, RowWriter } from './driver.js';
import { endBeyond, holdsEnd, linkAt } from './ends.js';
import type { Unsigned } from './port.js';
import { numberOf } from './tampered.js';
import { createUnsigned } from './unsigned.js';

/** The end of a session's chain as this process knows it. */
export interface Tail extends GrownSession {
  readonly name: string;
  /** Place of the last entry. */
  last: number;
  head: string;
  /** Rows of exchanges, and of beginnings, that this transaction adds: others may count down meanwhile. */
  exchanges: number;
  begun: number;
  lastAt: number;
  /** Place of the first entry that this transaction adds, and how many of them are more than evidence. */
  from: number | null;
  recorded: number;
}

export interface NewNote {
  readonly at: number;
  readonly kind: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

export interface Tails {
  /** At the beginning of a transaction. */
  readonly begin: () => void;
  /** Of a session that is not there yet it writes the record. `first`: kind of the note that it begins with. */
  readonly open: (session: string, at: number, first?: string) => Tail;
  /** null where there is none. */
  readonly find: (session: string, at: number) => Tail | null;
  /** Writes a note behind the last entry. */
  readonly addNote: (tail: Tail, note: NewNote) => void;
  /** The entry at the next place was written, with this link. */
  readonly advance: (tail: Tail, link: string, isRecorded: boolean) => void;
  /** At the end of a transaction. */
  readonly write: () => void;
  /** After its commit. */
  readonly committed: () => void;
  /** See `Store.takeUnsigned`. */
  readonly takeUnsigned: (least: number) => Unsigned[];
  readonly forget: () => void;
}

const UNTOUCHED = { from: null, recorded: 0 } as const;
const WITNESS_NOTES: ReadonlySet<string> = new Set<ChainNoteKind>(['checkpoint', 'timestamp']);

/** More sessions than this at a time are read again when they come again. */
const REMEMBERED = 256;

export function createTails(rows: RowWriter): Tails {
  const unsigned = createUnsigned();
  const known = createRecentCache<string, Tail>(REMEMBERED);
  /** Sessions that were read since another process wrote. */
  const fresh = new Set<Tail>();
  const grown = new Set<Tail>();
  let seen: unknown;

  function addNote(tail: Tail, { at, kind, settings }: NewNote): void {
    const beside = kind === 'created' || kind === 'checkpoint' ? (rows.beside?.(tail.name) ?? []) : [];
    const said = beside.length === 0 ? settings : { ...settings, beside };
    const note: NoteTexts = { session: tail.name, at, kind, settings: JSON.stringify(said) };
    advance(tail, noteLink(tail.head, tail.last + 1, note), !WITNESS_NOTES.has(kind));
    rows.writeNote(tail.row, tail.last, tail.head, note);
  }

  function advance(tail: Tail, link: string, isRecorded: boolean): void {
    tail.last += 1;
    tail.head = link;
    tail.from ??= tail.last;
    if (isRecorded) tail.recorded += 1;
  }

  function createOne(name: string, at: number, first: string | undefined): Tail {
    const row = rows.createSession(name, at);
    const tail: Tail = { row, name, last: 0, head: '', exchanges: 0, begun: 0, lastAt: at, ...UNTOUCHED };
    const origin = first === 'imported' ? 'file' : 'gateway';
    const settings: Created = { session: name, store: rows.storeId(), startedAt: at, origin };
    addNote(tail, { at, kind: 'created', settings: { ...settings } });
    return tail;
  }

  /** As the store has it. Where its end is not where it should be, that is noted, and the session goes on behind it. */
  function read(name: string, at: number, left: Tail | undefined): Tail | null {
    const found = rows.session(name);
    if (found === undefined) return null;
    const [row, last, head, lastAt] = found;
    const said: ChainEnd = { last: numberOf(last), head: String(head) };
    const tail: Tail = { row, name, ...said, exchanges: 0, begun: 0, lastAt: numberOf(lastAt), ...UNTOUCHED };
    const known = rows.left?.(row) ?? (left?.row === row ? left : said);
    const expected: ChainEnd = { last: known.last, head: known.head };
    const beyond = endBeyond(rows.ends, row, said.last);
    if (beyond === null && holdsEnd(rows.ends, row, said) && holdsEnd(rows.ends, row, expected)) return tail;
    tail.last = Math.max(said.last, expected.last, beyond?.last ?? 0);
    tail.head = linkAt(rows.ends, row, tail.last) ?? expected.head;
    addNote(tail, { at, kind: 'disturbed', settings: { expected, found: beyond ?? said } });
    return tail;
  }

  function find(session: string, at: number): Tail | null {
    const left = known.get(session);
    const tail = left !== undefined && fresh.has(left) ? left : read(session, at, left);
    return tail === null ? null : keep(tail);
  }

  function keep(tail: Tail): Tail {
    known.set(tail.name, tail);
    fresh.add(tail);
    grown.add(tail);
    return tail;
  }

  return {
    begin: () => {
      grown.clear();
      const version = rows.version();
      if (version !== seen) fresh.clear();
      seen = version;
    },
    open: (session, at, first) => find(session, at) ?? keep(createOne(session, at, first)),
    find,
    addNote,
    advance,
    committed: () => {
      for (const tail of grown) {
        if (tail.from !== null) unsigned.add(tail, tail.from, rows.turnsOf?.(tail.row));
        Object.assign(tail, UNTOUCHED);
      }
    },
    takeUnsigned: (least) => unsigned.take(least, rows.storeId()),
    write: () => {
      for (const tail of grown) {
        rows.writeEnd(tail);
        tail.exchanges = 0;
        tail.begun = 0;
      }
    },
    forget: () => {
      known.clear();
      fresh.clear();
    },
  };
}
