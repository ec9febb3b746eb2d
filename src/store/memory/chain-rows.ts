/** The rows of a session as verifying its chain, and removing from it, read them. */
import { numberOfId } from '../../exchange/index.js';
import { type ChainNoteKind, PASSING_NOTES, type Removed, readCreated, readRemoved } from '../chain-notes.js';
import type { ChainRows, FoundCreated, LinkedRow } from '../chain-rows.js';
import type { EndRows, RemovalRows } from '../driver.js';
import { linkAt } from '../ends.js';
import { readSettings } from '../tampered.js';
import { entriesBehind, indexBehind, type Memory, type MemoryRow, sessionAt, tableOf } from './rows.js';

/** Rows of one step of a removal. */
const STEP = 100;

const PASSING: ReadonlySet<unknown> = new Set<ChainNoteKind>(PASSING_NOTES);

export interface MemoryRows extends ChainRows, RemovalRows {
  readonly ends: EndRows;
  readonly find: (exchangeId: string) => MemoryRow | undefined;
  readonly nameOf: (id: number) => string | null;
  readonly exchanges: (session: string, id: number, after: number) => IterableIterator<LinkedRow>;
  readonly created: (id: number) => FoundCreated | null;
  readonly removed: (id: number) => Removed | null;
  /** Of a session that has its name no more: yields how many exchanges went with each step. */
  readonly removeNameless: () => IterableIterator<number>;
}

export function createMemoryRows(memory: Memory): MemoryRows {
  const { sessions, named, exchanges, beginnings, store } = memory;
  const rowsOf = (id: number, after: number) => entriesBehind(() => sessionAt(memory, id).rows, after);

  const ends: EndRows = {
    lastBetween: (id, place, limit) => {
      const { rows, notes } = sessionAt(memory, id);
      const [row, note] = [rows, notes].map((list) => list[indexBehind(list, limit - 1) - 1]);
      const last = (row?.seq ?? 0) > (note?.seq ?? 0) ? row : note;
      return last !== undefined && last.seq > place ? { last: last.seq, head: last.link } : null;
    },
    *linksAt(id, place) {
      const { rows, notes } = sessionAt(memory, id);
      for (const list of [rows, notes]) {
        const entry = list[indexBehind(list, place) - 1];
        if (entry?.seq === place) yield entry.link;
      }
    },
    gaps: (id) => removed(id)?.gaps ?? [],
  };

  function created(id: number) {
    const note = sessionAt(memory, id).notes.find(({ kind }) => kind === 'created');
    const said = note === undefined ? null : readCreated(readSettings(note.settings));
    return note === undefined || said === null ? null : { seq: note.seq, created: said };
  }

  function removed(id: number) {
    const note = sessionAt(memory, id).notes.findLast(({ kind }) => kind === 'removed');
    return note === undefined ? null : readRemoved(readSettings(note.settings));
  }

  function* kindOf(rows: Iterable<MemoryRow>, isBegun: boolean): IterableIterator<MemoryRow> {
    for (const row of rows) if (row.isBegun === isBegun) yield row;
  }

  /** How many of them are exchanges. */
  function drop(gone: readonly MemoryRow[]): number {
    for (const { id, isBegun, bytes } of gone) {
      tableOf(memory, isBegun).delete(id);
      memory.bytes -= bytes;
    }
    return gone.filter(({ isBegun }) => !isBegun).length;
  }

  return {
    storeOf: () => store,
    chainsOf: (name) => {
      const session = named.get(name);
      return session === undefined ? [] : [session.id];
    },
    start: (id) => {
      const row = sessions.get(id);
      return row === undefined
        ? null
        : { row, isOrdered: false, created: created(id), removed: removed(id), strays: [] };
    },
    nameOf: (id) => sessions.get(id)?.name ?? null,
    find: (exchangeId) => {
      const id = numberOfId(exchangeId) ?? -1;
      return exchanges.get(id) ?? beginnings.get(id);
    },
    exchanges: (_, id, after) => kindOf(rowsOf(id, after), false),
    beginnings: (_, id, after) => kindOf(rowsOf(id, after), true),
    notes: (id, after) => entriesBehind(() => sessionAt(memory, id).notes, after),
    linkAt: (id, place) => linkAt(ends, id, place),
    created,
    removed,
    ends,
    *entries(id, after, last) {
      for (const row of rowsOf(id, after)) {
        if (row.seq > last) return;
        yield [row.id, row.seq, row.isBegun ? 1 : 0];
      }
    },
    countNotes: (id, after, through) => {
      const { notes } = sessionAt(memory, id);
      return indexBehind(notes, through) - indexBehind(notes, after);
    },
    stayingNotes: (id, through) =>
      sessionAt(memory, id)
        .notes.filter(({ seq, kind }) => seq <= through && !PASSING.has(kind))
        .map(({ seq }) => seq),
    *removeThrough(id, through) {
      const session = sessionAt(memory, id);
      const { rows } = session;
      for (;;) {
        const end = indexBehind(rows, through);
        const start = Math.max(0, end - STEP);
        const gone = rows.splice(start, end - start);
        const from = gone[0]?.seq ?? 0;
        session.notes = session.notes.filter(
          ({ seq, kind }) => seq < from || seq > through || !PASSING.has(kind),
        );
        if (gone.length === 0) return;
        const count = drop(gone);
        session.exchanges -= count;
        session.begun -= gone.length - count;
        yield count;
      }
    },
    *removeNameless() {
      for (const { id, name, rows } of sessions.values()) {
        if (name !== null) continue;
        while (rows.length > 0) yield drop(rows.splice(-STEP));
        sessions.delete(id);
      }
    },
  };
}
