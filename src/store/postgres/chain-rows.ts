/** The rows of chains as verifying them reads them. */
import { idOfNumber, numberOfId } from '../../exchange/index.js';
import { type Removed, readCreated, readRemoved } from '../chain-notes.js';
import {
  type ChainRows,
  type FoundCreated,
  type LinkedRow,
  type NoteRow,
  type SessionRow,
  type Stray,
  soundTexts,
} from '../chain-rows.js';
import { type ChainRow, ENTRY_TABLES, type EntryTable } from '../records.js';
import type { Steps } from '../steps.js';
import { numberOf, readSettings } from '../tampered.js';
import type { Connection } from './client.js';
import type { Pool } from './pool.js';
import type { EntryRows, PostgresEntry } from './rows.js';

const PAGE = 256;
/** The most rows at places that were never given that are told. */
const MOST_STRAYS = 64;

const START = `SELECT id, started_at, last_at, last, head, exchanges, begun, first_turn FROM chains
  WHERE id = $1::int8 AND session IS NOT NULL`;
// What is in front of the first turn is passed over by who reads the session, or by who goes along the chain.
const STRAY =
  'chain = $1::int8 AND (seq BETWEEN 1 AND $2::int8 AND turn >= greatest($3::int8, 0)) IS NOT TRUE';
const STRAYS = `SELECT seq, id, NULL::text FROM exchanges WHERE ${STRAY}
  UNION ALL SELECT seq, id, NULL FROM beginnings WHERE ${STRAY}
  UNION ALL SELECT seq, NULL, kind FROM notes WHERE ${STRAY} LIMIT ${MOST_STRAYS}`;
/** Before a turn, or at a place. */
const linksWhere = (where: string): string =>
  ['exchanges', 'beginnings', 'notes']
    .map((table) => `(SELECT seq, hash, turn FROM ${table} WHERE chain = $1::int8 AND ${where})`)
    .join(' UNION ALL ');
const LINK_BEFORE = `${linksWhere('turn < $2::int8 ORDER BY turn DESC LIMIT 1')} ORDER BY turn DESC LIMIT 1`;
const LINK_AT = `${linksWhere('seq = $2::int8')} ORDER BY turn LIMIT 1`;

export function createChainRows(pool: Pool, rows: EntryRows, store: () => string): ChainRows {
  const { query } = pool;

  const linked = (session: string, entry: PostgresEntry): LinkedRow => ({
    exchange: idOfNumber(entry.id),
    session: entry.chain,
    seq: entry.seq,
    link: entry.link,
    isBegun: entry.isBegun,
    mark: entry.turn,
    turn: entry.turn,
    texts: () => soundTexts(entry.texts(session), entry.certificateOf),
  });

  const walk = (table: EntryTable) =>
    function* (session: string, chain: number, after: number, mark?: number): Steps<LinkedRow> {
      const from = { turn: mark === undefined ? -1 : mark - 1, chain };
      const nextPage = rows.pages(table, [{ id: chain, from: 0 }], from, false);
      for (;;) {
        const page = (yield nextPage()) as readonly PostgresEntry[];
        if (page.length === 0) return;
        for (const entry of page) if (mark !== undefined || entry.seq > after) yield linked(session, entry);
      }
    };

  function* notes(chain: number, after: number, mark?: number): Steps<NoteRow> {
    for (let turn = mark === undefined ? -1 : mark - 1; ; ) {
      const page = (yield query(
        'SELECT seq, hash, at, kind, settings, turn FROM notes WHERE chain = $1::int8 AND turn > $2::int8 ORDER BY turn LIMIT $3::int8',
        [chain, turn, PAGE],
      )) as [number, string, number, string, string, number][];
      for (const [seq, link, at, kind, settings, ordered] of page)
        if (mark !== undefined || seq > after) yield { seq, turn: ordered, link, at, kind, settings };
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) return;
      turn = last[5];
    }
  }

  const removed = (chain: number) => readRemovedOf(query, chain);

  return {
    chainsOf: async (session) => (await readChains(query, session, store())).map(({ id }) => id),
    start: (chain) =>
      pool.atOneMoment(async ({ query: now }) => {
        const [row] = await now(START, [chain]);
        if (row === undefined) return null;
        const [id, started_at, last_at, last, head, exchanges, begun, first] = row;
        const strays = await now(STRAYS, [chain, numberOf(last), first]);
        return {
          row: { id, started_at, last_at, last, head, exchanges, begun } as SessionRow,
          isOrdered: true,
          created: await readCreatedOf(now, chain),
          removed: await readRemovedOf(now, chain),
          strays: strays.map(
            ([seq, exchange, kind]): Stray => ({
              seq,
              exchange: exchange === null ? null : idOfNumber(exchange as number),
              kind: kind as string | null,
            }),
          ),
        };
      }),
    storeOf: async (chain) => storeOf(store(), await readWriter(query, chain)),
    nameOf: async (chain) => {
      const [row] = await query('SELECT session FROM chains WHERE id = $1::int8', [chain]);
      return (row?.[0] as string | null | undefined) ?? null;
    },
    find: async (exchangeId) => {
      const id = numberOfId(exchangeId);
      for (const table of id === null ? [] : ENTRY_TABLES) {
        const [entry] = await rows.byIds(table, [id as number]);
        if (entry === undefined) continue;
        const [row] = await query('SELECT session FROM chains WHERE id = $1::int8', [entry.chain]);
        return linked(String(row?.[0] ?? ''), entry);
      }
      return undefined;
    },
    exchanges: walk('exchanges'),
    beginnings: walk('beginnings'),
    notes,
    linkAt: async (chain, place, mark) => {
      const [row] = await query(mark === undefined ? LINK_AT : LINK_BEFORE, [chain, mark ?? place]);
      if (row?.[0] === place) return String(row[1]);
      return (await removed(chain))?.gaps.find(([, to]) => to === place)?.[2] ?? null;
    },
    created: (chain) => readCreatedOf(query, chain),
    removed,
  };
}

async function readWriter(query: Connection['query'], chain: number): Promise<WriterOf> {
  const [row] = await query('SELECT writer, store FROM chains WHERE id = $1::int8', [chain]);
  return { writer: Number(row?.[0] ?? 0), store: (row?.[1] as string | null | undefined) ?? null };
}

/** The writer of a chain; `store`: the chain was copied out of that store. */
export interface WriterOf {
  readonly writer: number;
  readonly store: string | null;
}

/** By what a chain names its store: which of its writers it is of, too, so that their checkpoints are told apart. */
export const storeOf = (own: string, { writer, store }: WriterOf): string => store ?? `${own}-${writer}`;

export interface ChainOf extends ChainRow {
  /** The first turn that is in it. */
  readonly from: number;
  readonly turn: number;
}

/** The chains of a session, in the order in which they began; `own`: the id of the store. */
export async function readChains(
  query: Connection['query'],
  session: string,
  own: string,
): Promise<ChainOf[]> {
  const rows = await query(
    'SELECT id, first_turn, turn, started_at, last_at, last, head, exchanges, begun, writer, store FROM chains WHERE session = $1 ORDER BY first_turn, id',
    [session],
  );
  return rows.map(([id, from, turn, started_at, last_at, last, head, exchanges, begun, writer, store]) => {
    const storeName = storeOf(own, { writer, store } as WriterOf);
    return { id, from, turn, started_at, last_at, last, head, exchanges, begun, storeName } as ChainOf;
  });
}

export async function readCreatedOf(query: Connection['query'], chain: number): Promise<FoundCreated | null> {
  const [row] = await query(
    "SELECT seq, settings FROM notes WHERE chain = $1::int8 AND kind = 'created' ORDER BY turn LIMIT 1",
    [chain],
  );
  const created = row === undefined ? null : readCreated(readSettings(row[1]));
  return row === undefined || created === null ? null : { seq: row[0] as number, created };
}

/** The newest one. */
export async function readRemovedOf(query: Connection['query'], chain: number): Promise<Removed | null> {
  const [row] = await query(
    "SELECT settings FROM notes WHERE chain = $1::int8 AND kind = 'removed' ORDER BY turn DESC LIMIT 1",
    [chain],
  );
  return row === undefined ? null : readRemoved(readSettings(row[0]));
}
