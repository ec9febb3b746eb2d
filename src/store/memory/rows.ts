/** Rows in arrays and maps: sessions with their entries in the order of the chain, and facts. */
import { randomBytes } from 'node:crypto';
import type { FactChange, StoredLayer } from '../../bank/index.js';
import type { CertificateFacts } from '../../certificate/index.js';
import type { LinkedRow, NoteRow, SessionRow } from '../chain-rows.js';
import type { WorldHeader } from '../standing.js';

export interface MemoryRow extends LinkedRow {
  /** Number of the exchange's id. */
  readonly id: number;
  readonly bytes: number;
}

export interface MemorySession extends SessionRow {
  /** null while it is being removed. */
  name: string | null;
  readonly started_at: number;
  last_at: number;
  last: number;
  head: string;
  exchanges: number;
  begun: number;
  /** Exchanges and beginnings, by their places. */
  readonly rows: MemoryRow[];
  notes: NoteRow[];
  /** By their references. */
  readonly certificates: Map<string, CertificateFacts>;
}

/** See `StoredLayer`. */
export interface MemoryLayer {
  readonly id: number;
  readonly world: string;
  parent: number | null;
  snapshot: StoredLayer['snapshot'];
  /** By family and key; those that changed longest ago first. */
  facts: Map<string, TurnedFact>;
}

/** With the turn of its newest change: what has a greater one changed later. */
export type TurnedFact = FactChange & { readonly turn: number };

/** Where a world stands. */
export interface MemoryStanding {
  epoch: number;
  steps: number;
  header: WorldHeader;
  readonly versions: Map<string, number>;
}

/** All that a store holds. */
export function createMemory() {
  return {
    store: randomBytes(16).toString('hex'),
    fingerprintKey: randomBytes(32),
    /** By their rows, in the order in which they began. */
    sessions: new Map<number, MemorySession>(),
    /** Those that are not being removed. */
    named: new Map<string, MemorySession>(),
    /** By the numbers of their ids, as beginnings are. */
    exchanges: new Map<number, MemoryRow>(),
    beginnings: new Map<number, MemoryRow>(),
    /** In the order in which they began. */
    layers: [] as MemoryLayer[],
    /** Newest turn of a fact. */
    turn: 0,
    standings: new Map<string, MemoryStanding>(),
    bytes: 0,
    /** Row of the session that began last. */
    newestSession: 0,
    commits: 0,
  };
}

export type Memory = ReturnType<typeof createMemory>;

/** The session at a row that the store gave. */
export const sessionAt = ({ sessions }: Memory, id: number): MemorySession =>
  sessions.get(id) as MemorySession;

export const tableOf = (memory: Memory, isBegun: boolean): Map<number, MemoryRow> =>
  isBegun ? memory.beginnings : memory.exchanges;

/** Index of the first entry behind a place. */
export function indexBehind(entries: readonly { readonly seq: number }[], place: number): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle]?.seq ?? 0) > place) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Entries behind a place, in order; others may come and go meanwhile. */
export function* entriesBehind<T extends { readonly seq: number }>(
  entriesNow: () => readonly T[],
  place: number,
): IterableIterator<T> {
  for (let last = place; ; ) {
    const entries = entriesNow();
    const entry = entries[indexBehind(entries, last)];
    if (entry === undefined) return;
    yield entry;
    last = entry.seq;
  }
}
