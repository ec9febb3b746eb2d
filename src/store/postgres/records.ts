/** The rows of a schema from which sessions are read. */
import { idOfNumber, isStep, readNote } from '../../exchange/index.js';
import type { NamedChain, NamedChains, NoteOfChain, RecordRows } from '../records.js';
import { readSettings, readTime } from '../tampered.js';
import { arrayOf } from './arrays.js';
import { readArrived } from './arrived.js';
import { type ChainOf, readChains, readCreatedOf, readRemovedOf, storeOf } from './chain-rows.js';
import type { Connection } from './client.js';
import type { Pool } from './pool.js';
import type { EntryRows, PostgresEntry } from './rows.js';

const CHAINS = `SELECT chains.id, session, started_at, last_at, last, head, chains.exchanges, begun, writer, store, turn,
    newest.hash, newest.at
  FROM chains LEFT JOIN LATERAL (
    SELECT hash, exchanges.turn AS at FROM exchanges
      WHERE chain = chains.id AND exchanges.turn BETWEEN chains.first_turn AND chains.turn ORDER BY exchanges.turn DESC LIMIT 1
  ) AS newest ON true WHERE session IS NOT NULL ORDER BY first_turn, chains.id`;
const NOTES = `SELECT session, at, kind, settings FROM chains JOIN notes ON chain = id
  WHERE session IS NOT NULL AND kind = ANY ($1::text[]) ORDER BY notes.turn, chain`;
const NEWEST = `SELECT greatest((SELECT max(id) FROM exchanges WHERE id <= $1::int8),
  (SELECT max(id) FROM beginnings WHERE id <= $1::int8), -1)`;
const STEPS = `SELECT notes.at, notes.kind, notes.settings, ended.id,
    (SELECT json_agg(id)::text FROM beginnings
       WHERE chain = ANY ($1::int8[]) AND turn > notes.turn AND (ended.id IS NULL OR id < ended.id))
  FROM notes LEFT JOIN LATERAL (
    SELECT id FROM exchanges WHERE chain = ANY ($1::int8[]) AND (turn, chain) > (notes.turn, notes.chain)
      ORDER BY turn, chain LIMIT 1
  ) AS ended ON true
  WHERE notes.chain = ANY ($1::int8[]) AND kind IN ('bank', 'started') ORDER BY notes.turn, notes.chain`;

const idsOf = (chains: readonly ChainOf[]): Buffer =>
  arrayOf(
    'int8',
    chains.map(({ id }) => id),
  );

export function createRecordRows(
  { query, atOneMoment }: Pick<Pool, 'query' | 'atOneMoment'>,
  rows: EntryRows,
  store: () => string,
  /** Of this process: what it recorded did not arrive. */
  writer: () => number,
): RecordRows<PostgresEntry, ChainOf> {
  return {
    chains: (session) => readChains(query, session, store()),
    sessions: (kinds) =>
      atOneMoment(async ({ query: now }): Promise<NamedChains> => {
        const found = (await now(CHAINS, [])) as unknown as [...ChainColumns, unknown, number | null][];
        const chains = found.map(([id, session, started_at, last_at, last, head, ...row]): NamedChain => {
          const [exchanges, begun, of, from, turn, link, at] = row;
          const storeName = storeOf(store(), { writer: of, store: from });
          const newest = link === null ? null : { link, turn: at };
          const named = { id, session, storeName, turn, newest };
          return { ...named, started_at, last_at, last, head, exchanges, begun };
        });
        const notes = (await now(NOTES, [arrayOf('text', kinds)])) as unknown as NamedChains['notes'];
        return { chains, notes };
      }),
    pages: (chains, from, backwards) =>
      rows.pages('exchanges', chains, from ?? (backwards ? END : START), backwards),
    byIds: rows.byIds,
    unfinished: (session, chains, since) =>
      rows.found(
        'beginnings',
        `chain = ANY ($1::int8[]) AND entry.id > $2::int8 AND NOT EXISTS (SELECT FROM exchanges AS ended
           WHERE ended.id = entry.id AND ended.turn > entry.turn AND ended.chain IN (SELECT id FROM chains WHERE session = $3))`,
        [idsOf(chains), since, session],
      ),
    newest: async (most) => Number((await query(NEWEST, [most]))[0]?.[0]),
    nameOf: async (chain) => {
      const [row] = await query('SELECT session FROM chains WHERE id = $1::int8', [chain]);
      return (row?.[0] as string | null | undefined) ?? null;
    },
    created: (chain) => readCreatedOf(query, chain),
    removed: (chain) => readRemovedOf(query, chain),
    notes: async (chains, kinds) => {
      const found = await query(
        'SELECT chain, seq, at, kind, settings FROM notes WHERE chain = ANY ($1::int8[]) AND kind = ANY ($2::text[]) ORDER BY turn, chain',
        [idsOf(chains), arrayOf('text', kinds)],
      );
      return found.map(
        ([chain, seq, at, kind, settings]) => ({ chain, seq, at, kind, settings }) as NoteOfChain,
      );
    },
    steps: (chains) => readSteps(query, chains),
    arrived: (position, recordOf) =>
      readArrived(query, rows, { store: store(), writer: writer() }, recordOf, position),
  };
}

type ChainColumns = [
  ...[id: number, session: string, startedAt: unknown, lastAt: unknown, last: unknown, head: unknown],
  ...[exchanges: unknown, begun: unknown, writer: number, store: string | null, turn: number],
];

const START = { turn: -1, chain: 0 };
const END = { turn: Number.MAX_SAFE_INTEGER - 1, chain: 0 };

/** Where the steps of a session stand among its entries, over its chains. */
async function readSteps(query: Connection['query'], chains: readonly ChainOf[]) {
  return (await query(STEPS, [idsOf(chains)])).flatMap(([at, kind, settings, ended, begun]) =>
    readNote(readTime(at), kind, readSettings(settings))
      .filter(isStep)
      .map((note) => {
        const before = [...(ended === null ? [] : [Number(ended)]), ...JSON.parse(String(begun ?? '[]'))];
        return { note, before: before.map(idOfNumber) };
      }),
  );
}
