/** Reads sessions and the exchanges that are recorded in them. */
import { idOfNumber, numberOfId } from '../../exchange/index.js';
import { SandgateError } from '../../spec/index.js';
import type { CertificateReader } from '../certificates.js';
import { hexOf } from '../chain.js';
import type { ChainHead, ChainInfo, FindOptions, LocalStore, ReadsRecords, SessionInfo } from '../port.js';
import { readRows, recordIfReadable } from '../read-rows.js';
import { readRecordTexts } from '../record-codec.js';
import type { RecordedExchange } from '../recorded.js';
import { numberOf, readTime } from '../tampered.js';
import { readArrived } from './arrived.js';
import type { Database } from './driver.js';
import { createStarts, type Found, inOrder, turnOf } from './in-order.js';
import { createChainNotes, readSessionNotes } from './notes.js';
import { BEGINNINGS, type ChainRow, type ExchangeRow, IN_ORDER, type Rows } from './rows.js';
import { readSteps } from './steps.js';

export type Records = Pick<LocalStore, ReadsRecords>;

export function createRecords(
  db: Database,
  rows: Rows,
  certificateOf: CertificateReader,
  storeId: () => string,
  /** Of an exchange, by the number of its id. */
  isOwn: (id: number) => boolean,
): Records {
  const openWhere = (where: string) =>
    db
      .prepare(
        `${BEGINNINGS} WHERE ${where} AND NOT EXISTS (
          SELECT 1 FROM exchanges JOIN sessions ON sessions.id = exchanges.session
          WHERE exchanges.id = beginnings.id AND sessions.name = @name) ORDER BY seq`,
      )
      .raw();
  const open = openWhere('session = @id');
  // By the ids alone: those of a session are most of all there are.
  const openSince = openWhere('+session = @id AND id > @since');
  const places = ['exchanges', 'beginnings'].map((table) =>
    db.prepare(`SELECT session, seq, id, turn FROM ${table} WHERE id = ?`),
  );
  const startsOf = createStarts(db);
  const newest = ['exchanges', 'beginnings'].map((table) =>
    db.prepare(`SELECT max(id) FROM ${table} WHERE id <= ?`).pluck(),
  );
  const chainNotes = createChainNotes(db);

  /** Whatever is wrong with a row, it is told as one thing: a text, a part or a certificate is not what it was. */
  function recordOf(session: string, row: ExchangeRow, isBrief = false): RecordedExchange {
    try {
      const texts = rows.textsOf(session, row, isBrief);
      return readRecordTexts(texts, (reference) => certificateOf(row[1], reference));
    } catch (error) {
      throw unreadable(session, row, error);
    }
  }

  const readerOf = (session: string, { isBrief = false }: FindOptions = {}) => ({
    idOf: ([id]: ExchangeRow) => idOfNumber(id),
    recordOf: (row: ExchangeRow) => recordOf(session, row, isBrief),
  });

  function placeOf(exchangeId: string, chains: readonly ChainRow[], name: string): Found {
    for (const place of places) {
      const found = place.get(numberOfId(exchangeId)) as Found | undefined;
      if (found !== undefined && chains.some(({ id }) => id === found.session)) return found;
    }
    throw new SandgateError('exchange.unknown', { where: `The session ${name}`, id: exchangeId });
  }

  return {
    // Of one moment: the entries that are counted are those that the notes are among.
    sessions: () => db.transaction(() => readSessions(db, storeId()))(),
    *read(session, options = {}) {
      const { after, backwards = false, limit = Number.POSITIVE_INFINITY } = options;
      const chains = rows.chains(session);
      if (chains.length === 0 || limit <= 0) return;
      const from = after === undefined ? null : placeOf(after, chains, session);
      const read = backwards ? rows.exchangesBack : rows.exchanges;
      const found = startsOf(chains, from, backwards).map((start, i) =>
        read((chains[i] as ChainRow).id, start),
      );
      yield* readRows(inOrder(found, backwards), readerOf(session, options), options);
    },
    arrived: (position) => {
      const taken = (session: string, row: ExchangeRow) =>
        isOwn(row[0]) ? null : recordIfReadable(row, () => recordOf(session, row));
      return readArrived(db, rows, storeId(), taken, position);
    },
    unfinished: (session, options = {}) => {
      const { ids, since } = options;
      const openIn = (id: number): unknown[] =>
        since === undefined
          ? open.all({ id, name: session })
          : openSince.all({ id, name: session, since: numberOfId(since) });
      const chains = rows.chains(session).filter(({ begun }) => begun !== 0);
      const isIn = ([, of]: ExchangeRow): boolean => chains.some(({ id }) => id === of);
      if (chains.length === 0) return [];
      const found =
        ids?.map(rows.beginning).filter((row): row is ExchangeRow => row !== undefined && isIn(row)) ??
        inOrder(
          chains.map(({ id }) => (openIn(id) as ExchangeRow[]).values()),
          false,
        );
      return [...readRows(found, readerOf(session, options), options)];
    },
    find: (exchangeId, { isBrief = false } = {}) => {
      const row = rows.find(exchangeId);
      const session = row === undefined ? null : rows.nameOf(row[1]);
      return row === undefined || session === null ? null : recordOf(session, row, isBrief);
    },
    steps: (session) => readSteps(db, rows.chains(session)),
    linkOf: (exchangeId) => {
      const row = rows.find(exchangeId);
      return row === undefined ? null : hexOf(row[4]);
    },
    newest: (most = GREATEST_ID) => {
      const bound = numberOfId(most) ?? 0;
      const number = Math.max(...newest.map((select) => (select.get(bound) as number | null) ?? -1));
      return number < 0 ? null : idOfNumber(number);
    },
    chains: (session) =>
      rows.chains(session).map((row): ChainInfo => {
        const { created } = chainNotes.created(row.id) ?? {};
        return {
          ...headOf(row, storeId()),
          origin: created?.origin ?? null,
          isEarlier: created?.earlier !== undefined,
          removed: chainNotes.removed(row.id),
        };
      }),
    chainNotes: (session, kind) =>
      chainNotes.all(session, kind).map((note) => ({ ...note, store: note.store ?? storeId() })),
  };
}

/** The greatest number that an id stands for. */
const GREATEST_ID = idOfNumber(Number.MAX_SAFE_INTEGER);

function unreadable(session: string, [id]: ExchangeRow, cause: unknown): SandgateError {
  return new SandgateError('record.changed', { id: idOfNumber(id), session }, { cause });
}

const headOf = (
  { store, last, head }: Pick<ChainRow, 'store' | 'last' | 'head'>,
  own: string,
): ChainHead => ({ store: store ?? own, entries: numberOf(last), head: hexOf(String(head)) });

type NamedChain = ChainRow & { readonly name: unknown };

function readSessions(db: Database, store: string): SessionInfo[] {
  const notes = readSessionNotes(db);
  // A name in bytes reads the same, and is that of no chain.
  const rows = db
    .prepare(
      `SELECT id, name, started_at, last_at, exchanges, begun, last, head, store, turn FROM sessions
         WHERE typeof(name) = 'text' ORDER BY ${IN_ORDER}`,
    )
    .all() as NamedChain[];
  const newest = db.prepare('SELECT hash, turn FROM exchanges WHERE session = ? ORDER BY seq DESC LIMIT 1');
  const sessions = new Map<string, NamedChain[]>();
  for (const row of rows) {
    const chains = sessions.get(String(row.name)) ?? [];
    sessions.set(String(row.name), chains);
    chains.push(row);
  }
  return [...sessions].map(([name, chains]) => {
    const sumOf = (count: (chain: NamedChain) => unknown): number =>
      chains.reduce((sum, chain) => sum + numberOf(count(chain)), 0);
    const exchanges = chains
      .map(({ id }) => newest.get(id) as { hash: unknown; turn: number | null } | undefined)
      .filter((one) => one !== undefined);
    return {
      name,
      startedAt: Math.min(...chains.map(({ started_at }) => readTime(started_at))),
      lastAt: Math.max(...chains.map(({ last_at }) => readTime(last_at))),
      exchanges: sumOf((chain) => chain.exchanges),
      head: hexOf(String(lastOf(exchanges)?.hash ?? '')),
      entries: sumOf(({ last }) => last),
      end: hexOf(String(lastOf(chains)?.head)),
      chains: chains.map((chain) => headOf(chain, store)),
      notes: notes.get(name) ?? [],
    };
  });
}

/** By their turns; of two at one turn the later one. */
const lastOf = <T extends { readonly turn: number | null }>(all: readonly T[]): T | undefined =>
  all.reduce<T | undefined>(
    (last, one) => (last !== undefined && turnOf(one.turn) < turnOf(last.turn) ? last : one),
    undefined,
  );
