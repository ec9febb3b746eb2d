/** Rows of chains and of their notes; a note that was tampered with does not make the others unreadable. */
import { type Created, type Removed, readCreated, readRemoved } from '../chain-notes.js';
import type { Awaitable } from '../port.js';
import { after } from '../port.js';
import { outcome, type Steps, wait } from '../steps.js';
import { readSettings } from '../tampered.js';
import { type Database, first, IN_ORDER, type Query } from './database.js';

/** A chain as its row says; anything may stand in what is unknown. */
export interface Chain {
  readonly id: number;
  readonly session: string;
  /** The name of the store that it was copied from; null: it belongs to this one. */
  readonly store: string | null;
  readonly storeName: string;
  readonly firstTurn: number | null;
  /** The turn of its last entry; null if its entries have no turns: the chain comes after all others. */
  readonly turn: number | null;
  readonly started_at: unknown;
  readonly last_at: unknown;
  readonly last: unknown;
  readonly head: unknown;
  readonly exchanges: unknown;
  readonly begun: unknown;
}

export interface FoundCreated {
  readonly seq: number;
  readonly created: Created;
}

/** With its newest exchange, where it has one. */
export interface NamedChain extends Chain {
  readonly newest: { readonly link: unknown; readonly turn: number | null } | null;
}

export interface NamedChains {
  readonly chains: readonly NamedChain[];
  readonly notes: readonly (readonly [session: string, at: unknown, kind: string, settings: unknown])[];
}

export interface NoteOfChain {
  readonly chain: number;
  readonly seq: number;
  readonly at: number;
  readonly kind: string;
  readonly settings: unknown;
}

/** The order of recording over the chains of a session. */
const NOTES_IN_ORDER = 'notes.turn IS NULL, notes.turn, notes.chain, notes.seq';

export const idsOf = (chains: readonly Chain[]): number[] => chains.map(({ id }) => id);

export function createChains({ query, atOneMoment, dialect }: Database) {
  const { order } = dialect;
  const columns = `chains.id, session, store, ${dialect.storeName}, first_turn, chains.turn,
    started_at, last_at, last, head, chains.exchanges, chains.begun`;
  const chainOf = (row: readonly unknown[]): Chain => {
    const [
      id,
      session,
      store,
      storeName,
      firstTurn,
      turn,
      started_at,
      last_at,
      last,
      head,
      exchanges,
      begun,
    ] = row;
    return {
      ...({ id, session, store, storeName, firstTurn, turn } as Chain),
      ...{ started_at, last_at, last, head, exchanges, begun },
    };
  };
  const noteOf = (kind: 'created' | 'removed', direction: 'ASC' | 'DESC') =>
    `SELECT seq, settings FROM notes WHERE chain = $1::int8 AND kind = '${kind}' ORDER BY ${order} ${direction} LIMIT 1`;
  const CREATED = noteOf('created', 'ASC');
  const REMOVED = noteOf('removed', 'DESC');

  function* readFirst(now: Query, chain: number): Steps<never, FoundCreated | null> {
    const row = yield* first(now, CREATED, [chain]);
    const created = row === undefined ? null : readCreated(readSettings(row[1]));
    return row === undefined || created === null ? null : { seq: row[0] as number, created };
  }

  /** The newest removal. */
  function* readNewest(now: Query, chain: number): Steps<never, Removed | null> {
    const row = yield* first(now, REMOVED, [chain]);
    return row === undefined ? null : readRemoved(readSettings(row[1]));
  }

  function* readAll(now: Query, kinds: readonly string[]): Steps<never, NamedChains> {
    const rows = yield* wait(
      now(
        `SELECT ${columns}, newest.hash, newest.turn FROM chains ${dialect.newest}
           WHERE session IS NOT NULL ORDER BY ${IN_ORDER}`,
      ),
    );
    const notes = yield* wait(
      now(
        `SELECT session, notes.at, notes.kind, notes.settings FROM chains JOIN notes ON notes.chain = chains.id
           WHERE session IS NOT NULL AND kind = ANY ($1::text[]) AND seq > 0 ORDER BY ${NOTES_IN_ORDER}`,
        [kinds],
      ),
    );
    const chains = rows.map((row): NamedChain => {
      const [link, turn] = row.slice(-2);
      return { ...chainOf(row), newest: link === null ? null : { link, turn: turn as number | null } };
    });
    // A session whose name is in bytes reads the same as another one, and has no chain.
    return {
      chains: chains.filter(({ session }) => typeof session === 'string'),
      notes: notes as unknown as NamedChains['notes'],
    };
  }

  return {
    readFirst,
    readNewest,
    /** The chains of a session, in the order in which they began. */
    of: (session: string): Awaitable<readonly Chain[]> =>
      after(
        query(`SELECT ${columns} FROM chains WHERE session = $1 ORDER BY ${IN_ORDER}`, [session]),
        (rows) => rows.map(chainOf),
      ),
    /** undefined where it is gone, or its session is being removed. */
    *read(now: Query, id: number): Steps<never, Chain | undefined> {
      const row = yield* first(
        now,
        `SELECT ${columns} FROM chains WHERE id = $1::int8 AND session IS NOT NULL`,
        [id],
      );
      return row && chainOf(row);
    },
    /** null where the session has no name, because it is being removed. */
    nameOf: (chain: number): Awaitable<string | null> =>
      after(
        query('SELECT session FROM chains WHERE id = $1::int8', [chain]),
        ([row]) => (row?.[0] ?? null) as string | null,
      ),
    /** All sessions as of one moment, with notes of these kinds. */
    all: (kinds: readonly string[]) => atOneMoment((now) => readAll(now, kinds)),
    created: (chain: number) => outcome(readFirst(query, chain)),
    removed: (chain: number) => outcome(readNewest(query, chain)),
    notes: (chains: readonly Chain[], kinds: readonly string[]): Awaitable<readonly NoteOfChain[]> =>
      after(
        query(
          `SELECT chain, seq, at, kind, settings FROM notes WHERE chain = ANY ($1::int8[]) AND kind = ANY ($2::text[])
             ORDER BY ${NOTES_IN_ORDER}`,
          [idsOf(chains), kinds],
        ),
        (rows) =>
          rows.map(([chain, seq, at, kind, settings]) => ({ chain, seq, at, kind, settings }) as NoteOfChain),
      ),
    /** The greatest id that is not above `most`; negative where there is none. */
    newest: (most: number): Awaitable<number> =>
      after(
        query(
          `SELECT coalesce(max(id), -1) FROM exchanges WHERE id <= $1::int8
             UNION ALL SELECT coalesce(max(id), -1) FROM beginnings WHERE id <= $1::int8`,
          [most],
        ),
        (rows) => Math.max(...rows.map(([id]) => id as number)),
      ),
  };
}

export type Chains = ReturnType<typeof createChains>;
