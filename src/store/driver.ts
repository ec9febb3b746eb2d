/**
 * What a driver does: it moves rows, and finds them again whatever somebody made of them. What the rows say is decided
 * above it, once for all drivers: writer.ts, tails.ts, verify.ts.
 */
import type { FactChange, WorldStep } from '../bank/index.js';
import type { NoteTexts } from './chain.js';
import type { Beside, Gap } from './chain-notes.js';
import type { Awaitable } from './port.js';
import type { RecordTexts } from './record-codec.js';
import type { RecordedExchange } from './recorded.js';
import type { Dependency, Placed, WorldHeader } from './world-state.js';

/** The end of a session's chain as its row says it; anything may stand there. */
export type SessionEnd = readonly [row: number, last: unknown, head: unknown, lastAt: unknown];

/** The growth of a session in a transaction. */
export interface GrownSession {
  readonly row: number;
  readonly last: number;
  readonly head: string;
  /** Rows that came to those that are there. */
  readonly exchanges: number;
  readonly begun: number;
  readonly lastAt: number;
}

/** Rows go in between `begin` and `commit`: all of them, or none after `rollback`. */
export interface RowWriter {
  readonly begin: () => void;
  /** Later work waits: nothing begins meanwhile. */
  readonly commit: () => Awaitable<void>;
  /** Nothing is remembered as written any more. Does nothing where nothing was begun. */
  readonly rollback: () => void;
  /** Another one as soon as another process has written. */
  readonly version: () => unknown;
  readonly storeId: () => string;
  /** undefined: there is no such session. */
  readonly session: (name: string) => SessionEnd | undefined;
  /** The end that this process wrote, if the driver knows that the store has another one now. */
  readonly left?: (row: number) => ChainEnd | undefined;
  /** Turns of the entries that the last commit added to it, in order; absent where a session has one chain alone. */
  readonly turnsOf?: (row: number) => readonly number[];
  /** Its row. */
  readonly createSession: (name: string, at: number) => number;
  readonly writeEnd: (session: GrownSession) => void;
  readonly writeKey: (chain: number, key: string, wrapped: string) => void;
  readonly writeNote: (session: number, seq: number, link: string, note: NoteTexts) => void;
  /** False where there is a row with this id. `isBegun`: it is the beginning of the exchange. */
  readonly writeExchange: (
    id: number,
    session: number,
    seq: number,
    link: string,
    texts: RecordTexts,
    record: RecordedExchange,
    isBegun: boolean,
  ) => boolean;
  readonly isTaken: (id: number, isBegun: boolean) => boolean;
  /** Behind those that changed before. `isFollowed`: other gateways have to read a removal, too. */
  readonly writeFact: (world: string, change: FactChange & Placed, isFollowed: boolean) => void;
  readonly writeStep: (world: string, step: WorldStep) => void;
  /** Before all else of a batch: throws a StoreMoved, at once or with `commit`, where something is not so any more. */
  readonly checkDependencies: (dependsOn: readonly Dependency[]) => void;
  readonly moveOn: (move: Move) => void;
  /** Writes what changes nothing. */
  readonly writeNothing: () => void;
  /** Drops remembered sessions, which may have changed. */
  readonly forget: () => void;
  readonly ends: EndRows;
  /** The other chains of a session, where it can have several: for its first note, and for checkpoints. */
  readonly beside?: (session: string) => readonly Beside[];
}

/** A change of versions in a world: each partition and the header move by one. */
export interface Move {
  readonly world: string;
  readonly partitions: ReadonlySet<string>;
  /** A new one; null: as it is. */
  readonly header: WorldHeader | null;
  /** So many steps. */
  readonly steps: number;
}

/** Entries by their places. */
export interface EndRows {
  /** The last entry behind `place` and before `limit`. */
  readonly lastBetween: (session: number, place: number, limit: number) => ChainEnd | null;
  /** Links of the entries at a place: there may be several, put there by somebody else. */
  readonly linksAt: (session: number, place: number) => Iterable<string>;
  /** The runs that were removed, as the newest note on it says. */
  readonly gaps: (session: number) => readonly Gap[];
}

export interface ChainEnd {
  /** Place of the last entry. */
  readonly last: number;
  /** Its link. */
  readonly head: string;
}
