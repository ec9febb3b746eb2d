/** Caches the ends of the chains for as long as no other process writes. */
import { createRecentCache } from '../exchange/index.js';
import { hexOf, type NoteTexts, noteLink } from './chain.js';
import type { ChainNoteKind, Created } from './chain-notes.js';
import type { ChainEnd, EndRows, GrownSession, RowWriter } from './driver.js';
import type { Unsigned } from './port.js';
import { numberOf } from './tampered.js';
import { orderBehind } from './turns.js';

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

const UNTOUCHED = { from: null, recorded: 0 } as const;
const WITNESS_NOTES: ReadonlySet<string> = new Set<ChainNoteKind>(['checkpoint', 'timestamp']);

/** More sessions than this at a time are read again when they come again. */
const REMEMBERED = 256;

export function createTails(rows: RowWriter) {
  const unsigned = createUnsigned();
  const known = createRecentCache<string, Tail>(REMEMBERED);
  /** Sessions that were read since another process wrote. */
  const fresh = new Set<Tail>();
  const grown = new Set<Tail>();
  let seen: unknown;

  /** Writes a note behind the last entry. */
  function addNote(tail: Tail, { at, kind, settings }: NewNote): void {
    const beside = kind === 'created' || kind === 'checkpoint' ? (rows.beside?.(tail.name) ?? []) : [];
    const said = beside.length === 0 ? settings : { ...settings, beside };
    const note: NoteTexts = { session: tail.name, at, kind, settings: JSON.stringify(said) };
    advance(tail, noteLink(tail.head, tail.last + 1, note), !WITNESS_NOTES.has(kind));
    rows.writeNote(tail.row, tail.last, tail.head, note);
  }

  /** The entry at the next place was written, with this link. */
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

  /** The tail in the store. A misplaced end is noted, and the session goes on behind it. */
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
    tail.head = linkIn(rows.ends, row, tail.last) ?? expected.head;
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
    /** At the beginning of a transaction. */
    begin: () => {
      grown.clear();
      const version = rows.version();
      if (version !== seen) fresh.clear();
      seen = version;
    },
    /** The tail of a session; a new session gets its record. `first`: the kind of its first note. */
    open: (session: string, at: number, first?: string): Tail =>
      find(session, at) ?? keep(createOne(session, at, first)),
    find,
    addNote,
    advance,
    /** After its commit. */
    committed: () => {
      for (const tail of grown) {
        if (tail.from !== null) unsigned.add(tail, tail.from, rows.turnsOf?.(tail.row));
        Object.assign(tail, UNTOUCHED);
      }
    },
    takeUnsigned: (least: number) => unsigned.take(least, rows.storeId()),
    /** At the end of a transaction. */
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

/** Places further away are none that counting could have come to: nobody goes on behind them. */
const REACH = 1_000_000;

/** The last entry behind `place`; null where there is none. */
const endBeyond = (rows: EndRows, session: number, place: number): ChainEnd | null =>
  rows.lastBetween(session, place, place + REACH);

/** Whether the entry is there with this link, or was removed with it. */
function holdsEnd(rows: EndRows, session: number, { last, head }: ChainEnd): boolean {
  for (const link of linksAt(rows, session, last)) if (link === head) return true;
  return false;
}

/** Link of the entry at a place, also where it was removed; null where nobody knows it. */
function linkIn(rows: EndRows, session: number, place: number): string | null {
  const { value } = linksAt(rows, session, place).next();
  return (value as string | undefined) ?? null;
}

function* linksAt(rows: EndRows, session: number, place: number): IterableIterator<string> {
  yield* rows.linksAt(session, place);
  for (const [, to, link] of rows.gaps(session)) if (to === place) yield link;
}

interface Waiting {
  readonly session: string;
  readonly runs: [from: number, to: number][];
  head: string;
  recorded: number;
  order: string;
}

/** Counts what was added to each session since its last checkpoint. */
function createUnsigned() {
  /** By the row of the session. */
  const waiting = new Map<number, Waiting>();
  return {
    /** Adds entries of a transaction, from place `from` on, with their turns if it has any. */
    add: ({ row, name, last, head, recorded }: Tail, from: number, turns: readonly number[] = []): void => {
      let one = waiting.get(row);
      if (one === undefined) {
        one = { session: name, runs: [], head, recorded: 0, order: '' };
        waiting.set(row, one);
      }
      const run = one.runs.at(-1);
      if (run?.[1] === from - 1) run[1] = last;
      else one.runs.push([from, last]);
      one.head = head;
      one.recorded += recorded;
      for (const [i, turn] of turns.entries()) one.order = orderBehind(one.order, from + i, turn);
    },
    take: (least: number, store: string): Unsigned[] => {
      const taken: Unsigned[] = [];
      for (const [of, { session, runs, head, recorded, order }] of waiting) {
        if (recorded < least) continue;
        waiting.delete(of);
        const ordered = order === '' ? {} : { order };
        taken.push({ session, of, store, runs, ...ordered, head: hexOf(head) });
      }
      return taken;
    },
  };
}
