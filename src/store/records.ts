/** Reads sessions and the exchanges that are recorded in them, from the rows of any driver. */
import { idOfNumber, NOTE_KINDS, numberOfId, readNote, type SessionNote } from '../exchange/index.js';
import { SandgateError } from '../spec/index.js';
import { hexOf } from './chain.js';
import { CHAIN_NOTES, type ChainNote } from './chain-notes.js';
import { matches } from './filter/match.js';
import {
  type Arrived,
  type Awaitable,
  after,
  type ChainHead,
  type ChainInfo,
  type FindOptions,
  type PlacedStep,
  type ReadOptions,
  type SessionInfo,
  type Store,
  type StoredChains,
  type UnfinishedOptions,
} from './port.js';
import { readRecordTexts } from './record-codec.js';
import type { RecordedExchange } from './recorded.js';
import type { Chain, Chains, NamedChain, NamedChains } from './rows/chains.js';
import type { createEntries, Entry, EntryPages } from './rows/entries.js';
import { outcome, type Steps, wait } from './steps.js';
import { numberOf, readSettings, readTime } from './tampered.js';

/** The rows that a store is read from. */
export interface RecordRows {
  readonly chains: Chains;
  readonly entries: ReturnType<typeof createEntries>;
  readonly pages: EntryPages['pages'];
  readonly steps: (chains: readonly Chain[]) => Awaitable<readonly PlacedStep[]>;
  /** `recordOf` gives undefined for what cannot be read. */
  readonly arrived: (
    position: unknown,
    recordOf: (session: string, entry: Entry) => RecordedExchange | undefined,
  ) => Awaitable<Arrived>;
}

/** The parts of a store made from its rows alone. A session is read in steps. */
export interface Records extends Pick<Store, 'sessions' | 'find' | 'calls'> {
  readonly read: (session: string, options?: ReadOptions) => Steps<RecordedExchange>;
  readonly chains: Omit<StoredChains, 'verify' | 'verifyInTurns' | 'verifyLink' | 'takeUnsigned'>;
}

/** `main`: read for what a start needs, and for single exchanges, in place of `rows` of a replica. */
export function createRecords(rows: RecordRows, main: RecordRows = rows): Records {
  /** Whatever is wrong with a row, it is one error: a text, a part or a certificate is not what it was. */
  function recordOf(session: string, entry: Entry, isBrief = false): RecordedExchange {
    try {
      return readRecordTexts(entry.opened(entry.texts(session, isBrief)), entry.certificateOf);
    } catch (cause) {
      throw new SandgateError('record.changed', { id: idOfNumber(entry.id), session }, { cause });
    }
  }

  const readerOf = (session: string, { isBrief = false }: FindOptions = {}) => ({
    idOf: ({ id }: Entry) => idOfNumber(id),
    recordOf: (entry: Entry) => recordOf(session, entry, isBrief),
  });

  function* read(session: string, options: ReadOptions = {}): Steps<RecordedExchange> {
    const { after: behind, backwards = false, limit = Number.POSITIVE_INFINITY } = options;
    const chains = yield* wait(rows.chains.of(session));
    if (chains.length === 0 || limit <= 0) return;
    const isWithin = ({ chain }: Entry): boolean => chains.some(({ id }) => id === chain);
    const from = behind === undefined ? null : yield* rows.entries.find(behind, isWithin);
    if (from === undefined)
      throw new SandgateError('exchange.unknown', { where: `The session ${session}`, id: behind as string });
    const nextPage = rows.pages(chains, from, backwards);
    let page = nextPage();
    for (let left = limit; ; ) {
      const found = yield* wait(page);
      const isLast = left <= found.length;
      // One that has to be waited for is on its way while this one is used.
      const isAhead = page instanceof Promise && !isLast && found.length > 0;
      if (isAhead) page = nextPage();
      if (isAhead && page instanceof Promise) page.catch(() => {});
      yield* readRows(found, readerOf(session, options), { ...options, limit: left });
      if (isLast || found.length === 0) return;
      if (!isAhead) page = nextPage();
      left -= found.length;
    }
  }

  function* unfinished(session: string, options: UnfinishedOptions = {}): Steps<never, RecordedExchange[]> {
    const { ids, since } = options;
    const chains = (yield* wait(rows.chains.of(session))).filter(({ begun }) => numberOf(begun) > 0);
    if (chains.length === 0) return [];
    const numbers = ids?.map(numberOfId).filter((id) => id !== null);
    const found =
      numbers === undefined
        ? yield* wait(rows.entries.unfinished(session, chains, (since && numberOfId(since)) || -1))
        : (yield* wait(rows.entries.byIds('beginnings', numbers))).filter(({ chain }) =>
            chains.some(({ id }) => id === chain),
          );
    return [...readRows(found, readerOf(session, options), options)];
  }

  function* find(exchangeId: string, { isBrief }: FindOptions): Steps<never, RecordedExchange | null> {
    const entry = yield* main.entries.find(exchangeId);
    const session = entry === undefined ? null : yield* wait(main.chains.nameOf(entry.chain));
    return entry === undefined || session === null ? null : recordOf(session, entry, isBrief);
  }

  function* chainsOf(session: string): Steps<never, ChainInfo[]> {
    const chains: ChainInfo[] = [];
    for (const chain of yield* wait(rows.chains.of(session))) {
      const found = yield* wait(rows.chains.created(chain.id));
      const { origin = null } = found?.created ?? {};
      const removed = yield* wait(rows.chains.removed(chain.id));
      chains.push({ ...headOf(chain), origin, removed });
    }
    return chains;
  }

  const notesOf = (chains: readonly Chain[], kinds: readonly string[]): Awaitable<ChainNote[]> => {
    const stores = new Map(chains.map(({ id, storeName }) => [id, storeName]));
    return after(rows.chains.notes(chains, kinds), (notes) =>
      notes.map(({ chain, seq, at, kind, settings }) => ({
        store: stores.get(chain) ?? '',
        seq,
        at: readTime(at),
        kind: kind as ChainNote['kind'],
        settings: readSettings(settings),
      })),
    );
  };

  return {
    read,
    sessions: () => after(main.chains.all(NOTE_KINDS), sessionsOf),
    find: (exchangeId, options = {}) => outcome(find(exchangeId, options)),
    calls: {
      newest: (most) =>
        after(
          main.chains.newest(most === undefined ? Number.MAX_SAFE_INTEGER : (numberOfId(most) ?? 0)),
          (newest) => (newest < 0 ? null : idOfNumber(newest)),
        ),
      unfinished: (session, options) => outcome(unfinished(session, options)),
      arrived: (position) =>
        main.arrived(position, (session, entry) => recordIfReadable(entry, (one) => recordOf(session, one))),
    },
    chains: {
      of: (session) => outcome(chainsOf(session)),
      notes: (session, kind) =>
        after(rows.chains.of(session), (chains) =>
          notesOf(chains, kind === undefined ? CHAIN_NOTES : [kind]),
        ),
      steps: (session) => after(rows.chains.of(session), rows.steps),
      linkOf: (exchangeId) =>
        after(outcome(main.entries.find(exchangeId)), (entry) =>
          entry === undefined ? null : hexOf(entry.link),
        ),
    },
  };
}

const headOf = ({ storeName, last, head }: Chain): ChainHead => ({
  store: storeName,
  entries: numberOf(last),
  head: hexOf(String(head)),
});

function sessionsOf({ chains, notes }: NamedChains): SessionInfo[] {
  const notesOf = new Map<string, SessionNote[]>();
  for (const [session, at, kind, settings] of notes) {
    const list = notesOf.get(session) ?? [];
    notesOf.set(session, list);
    list.push(...readNote(readTime(at), kind, readSettings(settings)));
  }
  const bySession = new Map<string, NamedChain[]>();
  for (const chain of chains) {
    const list = bySession.get(chain.session) ?? [];
    bySession.set(chain.session, list);
    list.push(chain);
  }
  return [...bySession].map(([name, all]) => sessionOf(name, all, notesOf.get(name) ?? []));
}

function sessionOf(name: string, chains: readonly NamedChain[], notes: readonly SessionNote[]): SessionInfo {
  const sumOf = (count: (chain: NamedChain) => unknown): number =>
    chains.reduce((sum, chain) => sum + numberOf(count(chain)), 0);
  const newest = chains.map((chain) => chain.newest).filter((one) => one !== null);
  return {
    name,
    startedAt: Math.min(...chains.map(({ started_at }) => readTime(started_at))),
    lastAt: Math.max(...chains.map(({ last_at }) => readTime(last_at))),
    exchanges: sumOf((chain) => chain.exchanges),
    head: hexOf(String(lastOf(newest)?.link ?? '')),
    entries: sumOf(({ last }) => last),
    end: hexOf(String(lastOf(chains)?.head)),
    chains: chains.map(headOf),
    notes,
  };
}

/** Entries without a turn come after all others. */
export const turnOf = (turn: number | null): number => turn ?? Number.POSITIVE_INFINITY;

/** By their turns; of two at one turn the later one. */
const lastOf = <T extends { readonly turn: number | null }>(all: readonly T[]): T | undefined =>
  all.reduce<T | undefined>(
    (last, one) => (last !== undefined && turnOf(one.turn) < turnOf(last.turn) ? last : one),
    undefined,
  );

interface RowReader<R> {
  readonly idOf: (row: R) => string;
  /** Throws a SandgateError of kind `wanting` where the row is not as it was recorded. */
  readonly recordOf: (row: R) => RecordedExchange;
}

type RowOptions = Pick<ReadOptions, 'limit' | 'where' | 'onUnreadable' | 'onPassed'>;

function* readRows<R>(
  rows: Iterable<R>,
  { idOf, recordOf }: RowReader<R>,
  { limit = Number.POSITIVE_INFINITY, where, onUnreadable, onPassed }: RowOptions,
): IterableIterator<RecordedExchange> {
  const fits = where === undefined ? () => true : matches(where);
  let left = limit;
  for (const row of rows) {
    const record = onUnreadable === undefined ? recordOf(row) : recordIfReadable(row, recordOf);
    if (record === undefined) onUnreadable?.(idOf(row));
    else if (fits(record)) yield record;
    else onPassed?.(idOf(row));
    if (--left === 0) return;
  }
}

/** undefined where it cannot be read. */
function recordIfReadable<R>(row: R, recordOf: RowReader<R>['recordOf']) {
  try {
    return recordOf(row);
  } catch (error) {
    if (error instanceof SandgateError && error.kind === 'wanting') return undefined;
    throw error;
  }
}
