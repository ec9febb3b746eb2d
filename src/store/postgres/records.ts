/** The rows of a schema from which sessions are read. */
import { idOfNumber, isStep, readNote } from '../../exchange/index.js';
import type { Arrived } from '../port.js';
import type { RecordedExchange } from '../recorded.js';
import type { NamedChain, NamedChains, NoteOfChain, RecordRows } from '../records.js';
import { readSettings, readTime } from '../tampered.js';
import { turnAt } from '../turns.js';
import { arrayOf, arraysOf } from './arrays.js';
import { type ChainOf, readChains, readCreatedOf, readRemovedOf, storeOf } from './chain-rows.js';
import type { Connection } from './client.js';
import type { Pool } from './pool.js';
import type { Chain, EntryRows, PostgresEntry } from './rows.js';

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
  /** What this process recorded did not arrive. */
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

/** Places the steps of a session among its entries, over its chains. */
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

interface Position {
  readonly store: string;
  /** The last turn that was read, by chains with one behind `floor`. */
  readonly turns: ReadonlyMap<number, number>;
  readonly floor: number;
}

/** A commit shows later than its turn says: by no more than a statement may take. */
const SLACK = turnAt(300_000);
const GROWN = `SELECT id, session, turn FROM chains
  WHERE session IS NOT NULL AND writer <> $1::int8
    AND turn > coalesce($2::int8, (SELECT max(turn) FROM chains) - ${SLACK})`;

/** `writer`: whose chains are not looked at. `recordOf` gives undefined for what cannot be read. */
async function readArrived(
  query: Connection['query'],
  rows: Pick<EntryRows, 'pages'>,
  { store, writer }: { readonly store: string; readonly writer: number },
  recordOf: (session: string, entry: PostgresEntry) => RecordedExchange | undefined,
  position: unknown,
): Promise<Arrived> {
  const given = position as Position | undefined;
  const known = given?.store === store ? given : undefined;
  // What another database holds came all of it.
  const bound = known?.floor ?? (given === undefined ? null : -1);
  const found = (await query(GROWN, [writer, bound])) as unknown as [number, string, number][];
  const names = new Map(found.map(([id, name]) => [id, name]));
  const ends = new Map(found.map(([id, , turn]) => [id, turn]));
  if (given === undefined)
    return { records: [], hasNotes: false, position: settled(store, ends, -1), isMore: false };
  const from = (id: number): number => known?.turns.get(id) ?? bound ?? -1;
  const grown = found.filter(([id, , turn]) => turn > from(id)).map(([id]) => ({ id, from: from(id) + 1 }));
  const turns = new Map(found.map(([id]) => [id, from(id)]));
  const hasNotes = grown.length > 0 && (await areNoted(query, grown));
  const page = grown.length === 0 ? [] : await rows.pages('exchanges', grown, START, false)();
  for (const { chain, turn } of page) turns.set(chain, turn);
  if (page.length === 0) for (const [id, end] of ends) turns.set(id, Math.max(end, from(id)));
  const records = page.flatMap((entry) => recordOf(names.get(entry.chain) ?? '', entry) ?? []);
  return { records, hasNotes, position: settled(store, turns, bound ?? -1), isMore: page.length > 0 };
}

async function areNoted(query: Connection['query'], chains: readonly Chain[]): Promise<boolean> {
  const [row] = await query(
    `SELECT EXISTS (SELECT FROM unnest($1::int8[], $2::int8[]) AS given (id, first)
       WHERE EXISTS (SELECT FROM notes WHERE chain = given.id AND turn >= given.first))`,
    arraysOf(
      ['int8', 'int8'],
      chains.map(({ id, from }) => [id, from]),
    ),
  );
  return row?.[0] === true;
}

/** Chains that have rested for long need not be remembered. */
function settled(store: string, turns: ReadonlyMap<number, number>, before: number): Position {
  const floor = Math.max(before, Math.max(-1, ...turns.values()) - SLACK);
  return { store, floor, turns: new Map([...turns].filter(([, turn]) => turn > floor)) };
}
