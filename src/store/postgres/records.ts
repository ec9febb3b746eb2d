/** Reads sessions and the exchanges that are recorded in them. */
import { idOfNumber, NOTE_KINDS, numberOfId, readNote, type SessionNote } from '../../exchange/index.js';
import { SandgateError } from '../../spec/index.js';
import { hexOf } from '../chain.js';
import type {
  ChainHead,
  ChainInfo,
  FindOptions,
  ReadOptions,
  ReadsRecords,
  SessionInfo,
  Store,
} from '../port.js';
import { readRows, recordIfReadable } from '../read-rows.js';
import { readRecordTexts } from '../record-codec.js';
import type { RecordedExchange } from '../recorded.js';
import { numberOf, readSettings, readTime } from '../tampered.js';
import { arrayOf } from './arrays.js';
import { readArrived } from './arrived.js';
import { type ChainOf, readChains, storeOf } from './chain-rows.js';
import { ENTRY_TABLES } from './entry-queries.js';
import { readChainNotes, readCreatedOf, readRemovedOf } from './notes.js';
import type { Pool } from './pool.js';
import type { Entry, EntryRows, Point } from './rows.js';
import { readSteps } from './steps.js';

export type Records = Pick<Store, ReadsRecords>;

const START: Point = { turn: -1, chain: 0 };
const END: Point = { turn: Number.MAX_SAFE_INTEGER - 1, chain: 0 };

const SESSIONS = `
  SELECT session, min(started_at), max(last_at), sum(exchanges)::int8, sum(last)::int8,
    (array_agg(head ORDER BY turn DESC))[1],
    (SELECT newest.hash FROM chains AS own CROSS JOIN LATERAL (
       SELECT hash, turn FROM exchanges WHERE chain = own.id AND turn BETWEEN own.first_turn AND own.turn ORDER BY turn DESC LIMIT 1
     ) AS newest WHERE own.session = chains.session ORDER BY newest.turn DESC LIMIT 1)
  FROM chains WHERE session IS NOT NULL GROUP BY session ORDER BY min(first_turn), min(id)`;
const NOTES = `SELECT session, at, kind, settings FROM chains JOIN notes ON chain = id
  WHERE session IS NOT NULL AND kind = ANY ($1::text[]) ORDER BY notes.turn, chain`;

const CHAINS =
  'SELECT session, writer, store, last, head FROM chains WHERE session IS NOT NULL ORDER BY first_turn, id';

const headOf = (
  store: string,
  { last, head, ...of }: Pick<ChainOf, 'writer' | 'store' | 'last' | 'head'>,
): ChainHead => ({
  store: storeOf(store, of),
  entries: numberOf(last),
  head: hexOf(String(head)),
});

export function createRecords(
  { query }: Pick<Pool, 'query'>,
  rows: EntryRows,
  store: () => Promise<string>,
  /** What a gateway needs to start and calls wait for is asked of the store itself, never of a replica. */
  main: Pick<Pool, 'query' | 'atOneMoment'> & { readonly rows: EntryRows; readonly writer: () => number },
): Records {
  function recordOf(session: string, entry: Entry, isBrief = false): RecordedExchange {
    try {
      return readRecordTexts(entry.texts(session, isBrief), entry.certificateOf);
    } catch (cause) {
      throw new SandgateError('record.changed', { id: idOfNumber(entry.id), session }, { cause });
    }
  }

  const readerOf = (session: string, { isBrief = false }: FindOptions = {}) => ({
    idOf: ({ id }: Entry) => idOfNumber(id),
    recordOf: (entry: Entry) => recordOf(session, entry, isBrief),
  });

  async function pointOf(exchangeId: string, session: string, chains: readonly ChainOf[]): Promise<Point> {
    for (const table of ENTRY_TABLES) {
      const found = await rows.byIds(table, [exchangeId]);
      const entry = found.find(({ chain }) => chains.some(({ id }) => id === chain));
      if (entry !== undefined) return entry;
    }
    throw new SandgateError('exchange.unknown', { where: `The session ${session}`, id: exchangeId });
  }

  async function find(exchangeId: string): Promise<Entry | undefined> {
    for (const table of ENTRY_TABLES) {
      const [entry] = await main.rows.byIds(table, [exchangeId]);
      if (entry !== undefined) return entry;
    }
    return undefined;
  }

  async function nameOf(chain: number): Promise<string | null> {
    const [row] = await main.query('SELECT session FROM chains WHERE id = $1::int8', [chain]);
    return (row?.[0] as string | null | undefined) ?? null;
  }

  async function* read(session: string, options: ReadOptions = {}): AsyncIterableIterator<RecordedExchange> {
    const { after, backwards = false, limit = Number.POSITIVE_INFINITY } = options;
    const chains = await readChains(query, session);
    if (chains.length === 0 || limit <= 0) return;
    const from = after === undefined ? (backwards ? END : START) : await pointOf(after, session, chains);
    const nextPage = rows.pages('exchanges', chains, from, backwards);
    // The next page is on its way while this one is used.
    let page = nextPage();
    for (let left = limit; left > 0; ) {
      const found = await page;
      if (found.length === 0) return;
      if (left > found.length) {
        page = nextPage();
        page.catch(() => {});
      }
      yield* readRows(found, readerOf(session, options), { ...options, limit: left });
      left -= found.length;
    }
  }

  return {
    sessions: () =>
      main.atOneMoment(async ({ query: now }) => {
        const notes = new Map<string, SessionNote[]>();
        for (const [session, at, kind, settings] of await now(NOTES, [arrayOf('text', NOTE_KINDS)])) {
          const list = notes.get(String(session)) ?? [];
          notes.set(String(session), list);
          list.push(...readNote(readTime(at), kind, readSettings(settings)));
        }
        const name = await store();
        const chains = new Map<string, ChainHead[]>();
        for (const [session, writer, from, last, head] of await now(CHAINS, [])) {
          const list = chains.get(String(session)) ?? [];
          chains.set(String(session), list);
          list.push(headOf(name, { writer, store: from, last, head } as ChainOf));
        }
        const found = await now(SESSIONS, []);
        return found.map(
          ([session, startedAt, lastAt, exchanges, entries, end, head]): SessionInfo => ({
            name: String(session),
            startedAt: readTime(startedAt),
            lastAt: readTime(lastAt),
            exchanges: numberOf(exchanges),
            head: hexOf(String(head ?? '')),
            entries: numberOf(entries),
            end: hexOf(String(end)),
            chains: chains.get(String(session)) ?? [],
            notes: notes.get(String(session)) ?? [],
          }),
        );
      }),
    read,
    arrived: async (position) => {
      const taken = (session: string, entry: Entry) =>
        recordIfReadable(entry, () => recordOf(session, entry));
      const own = { store: await store(), writer: main.writer() };
      return readArrived(main.query, main.rows, own, taken, position);
    },
    unfinished: async (session, options = {}) => {
      const { ids, since } = options;
      const after = since === undefined ? -1 : (numberOfId(since) ?? -1);
      const all = await readChains(query, session);
      const chains = all.filter(({ begun }) => begun > 0);
      if (chains.length === 0) return [];
      const idsOf = (some: readonly ChainOf[]) =>
        arrayOf(
          'int8',
          some.map(({ id }) => id),
        );
      const found =
        ids === undefined
          ? await rows.found(
              'beginnings',
              `chain = ANY ($1::int8[]) AND entry.id > $2::int8 AND NOT EXISTS
                 (SELECT FROM exchanges AS ended WHERE ended.id = entry.id AND ended.turn > entry.turn AND ended.chain = ANY ($3::int8[]))`,
              [idsOf(chains), after, idsOf(all)],
            )
          : (await rows.byIds('beginnings', ids)).filter(({ chain }) =>
              chains.some(({ id }) => id === chain),
            );
      return [...readRows(found, readerOf(session, options), options)];
    },
    steps: async (session) => readSteps(query, await readChains(query, session)),
    find: async (exchangeId, { isBrief = false } = {}) => {
      const entry = await find(exchangeId);
      const session = entry === undefined ? null : await nameOf(entry.chain);
      return entry === undefined || session === null ? null : recordOf(session, entry, isBrief);
    },
    linkOf: async (exchangeId) => {
      const entry = await find(exchangeId);
      return entry === undefined ? null : hexOf(entry.link);
    },
    newest: async (most) => {
      const bound = most === undefined ? Number.MAX_SAFE_INTEGER : (numberOfId(most) ?? 0);
      const [row] = await main.query(
        `SELECT greatest((SELECT max(id) FROM exchanges WHERE id <= $1::int8), (SELECT max(id) FROM beginnings WHERE id <= $1::int8))`,
        [bound],
      );
      const newest = row?.[0] as number | null | undefined;
      return newest === null || newest === undefined ? null : idOfNumber(newest);
    },
    chains: async (session) => {
      const name = await store();
      const chains = await readChains(query, session);
      return Promise.all(
        chains.map(async (chain): Promise<ChainInfo> => {
          const created = await readCreatedOf(query, chain.id);
          const [origin, removed] = [created?.created.origin ?? null, await readRemovedOf(query, chain.id)];
          const isEarlier = created?.created.earlier !== undefined;
          return { ...headOf(name, chain), origin, isEarlier, removed };
        }),
      );
    },
    chainNotes: async (session, kind) => {
      const name = await store();
      const chains = await readChains(query, session);
      const stores = new Map(chains.map((chain) => [chain.id, storeOf(name, chain)]));
      return readChainNotes(query, stores, kind === undefined ? undefined : [kind]);
    },
  };
}
