/** Reads sessions and the exchanges that are recorded in them. */
import { idOfNumber, numberOfId } from '../../exchange/index.js';
import { SandgateError } from '../../spec/index.js';
import type { CertificateReader } from '../certificates.js';
import { hexOf } from '../chain.js';
import type { ChainInfo, FindOptions, LocalStore, SessionInfo } from '../port.js';
import { readRows, recordIfReadable } from '../read-rows.js';
import { readRecordTexts } from '../record-codec.js';
import type { RecordedExchange } from '../recorded.js';
import { numberOf, readTime } from '../tampered.js';
import { readArrived } from './arrived.js';
import type { Database } from './driver.js';
import { createChainNotes, readSessionNotes } from './notes.js';
import { BEGINNINGS, type ExchangeRow, isPassed, type PassedRow, type Place, type Rows } from './rows.js';
import { whereOf } from './where.js';

export type Records = Pick<
  LocalStore,
  'sessions' | 'read' | 'arrived' | 'unfinished' | 'find' | 'linkOf' | 'newest' | 'chains' | 'chainNotes'
>;

export function createRecords(
  db: Database,
  rows: Rows,
  certificateOf: CertificateReader,
  storeId: () => string,
  /** Of an exchange, by the number of its id. */
  isOwn: (id: number) => boolean,
): Records {
  const open = db
    .prepare(
      `${BEGINNINGS} WHERE session = ? AND NOT EXISTS (SELECT 1 FROM exchanges WHERE id = beginnings.id) ORDER BY seq`,
    )
    .raw();
  const place = db.prepare('SELECT seq FROM exchanges WHERE id = ? AND session = ?').pluck();
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
    idOf: ([id]: ExchangeRow | PassedRow) => idOfNumber(id),
    recordOf: (row: ExchangeRow | PassedRow) => (isPassed(row) ? null : recordOf(session, row, isBrief)),
  });

  function placeOf(exchangeId: string, session: number, name: string): Place {
    const number = numberOfId(exchangeId);
    const seq = number === null ? undefined : (place.get(number, session) as number | undefined);
    if (number !== null && seq !== undefined) return [seq, number];
    throw new SandgateError('exchange.unknown', { where: `The session ${name}`, id: exchangeId });
  }

  return {
    // Of one moment: the entries that are counted are those that the notes are among.
    sessions: () => db.transaction(() => readSessions(db, storeId()))(),
    *read(session, options = {}) {
      const { after, backwards = false, limit = Number.POSITIVE_INFINITY, where } = options;
      const { id } = rows.session(session) ?? {};
      if (id === undefined || limit <= 0) return;
      const end: Place = backwards ? [Number.MAX_SAFE_INTEGER, 0] : [0, 0];
      const from = after === undefined ? end : placeOf(after, id, session);
      if (where === undefined) {
        const found = backwards ? rows.exchangesBack(id, from) : rows.exchanges(id, from);
        yield* readRows(found, readerOf(session, options), options);
        return;
      }
      const condition = whereOf(where);
      const found = rows.where(id, from, backwards, condition);
      yield* readRows(found, readerOf(session, options), { ...options, where: condition.rest ?? undefined });
    },
    arrived: (position) => {
      const taken = (session: string, row: ExchangeRow) =>
        isOwn(row[0]) ? null : recordIfReadable(row, () => recordOf(session, row));
      return readArrived(db, rows, storeId(), taken, position);
    },
    unfinished: (session, options = {}) => {
      const { ids } = options;
      const { id, begun = 0 } = rows.session(session) ?? {};
      if (id === undefined || begun === 0) return [];
      const found = ids?.map(rows.beginning).filter((row) => row !== undefined) ?? open.all(id);
      return [...readRows(found as ExchangeRow[], readerOf(session), options)];
    },
    find: (exchangeId, { isBrief = false } = {}) => {
      const row = rows.find(exchangeId);
      const session = row === undefined ? null : rows.nameOf(row[1]);
      return row === undefined || session === null ? null : recordOf(session, row, isBrief);
    },
    linkOf: (exchangeId) => {
      const row = rows.find(exchangeId);
      return row === undefined ? null : hexOf(row[3]);
    },
    newest: (most = GREATEST_ID) => {
      const bound = numberOfId(most) ?? 0;
      const number = Math.max(...newest.map((select) => (select.get(bound) as number | null) ?? -1));
      return number < 0 ? null : idOfNumber(number);
    },
    chains: (session) => {
      const row = rows.session(session);
      if (row === undefined) return [];
      const { created } = chainNotes.created(row.id) ?? {};
      const info: ChainInfo = {
        ...{ store: storeId(), entries: numberOf(row.last), head: hexOf(String(row.head)) },
        origin: created?.origin ?? null,
        isEarlier: created?.earlier !== undefined,
        removed: chainNotes.removed(row.id),
      };
      return [info];
    },
    chainNotes: (session, kind) => {
      const row = rows.session(session);
      return row === undefined
        ? []
        : chainNotes.all(row.id, kind).map((note) => ({ store: storeId(), ...note }));
    },
  };
}

/** The greatest number that an id stands for. */
const GREATEST_ID = idOfNumber(Number.MAX_SAFE_INTEGER);

function unreadable(session: string, [id]: ExchangeRow, cause: unknown): SandgateError {
  return new SandgateError('record.changed', { id: idOfNumber(id), session }, { cause });
}

function readSessions(db: Database, store: string): SessionInfo[] {
  const notes = readSessionNotes(db);
  const rows = db
    .prepare(
      'SELECT id, name, started_at, last_at, exchanges, last, head FROM sessions WHERE name IS NOT NULL ORDER BY id',
    )
    .raw()
    .all() as [number, string, unknown, unknown, unknown, unknown, unknown][];
  const newest = db.prepare('SELECT hash FROM exchanges WHERE session = ? ORDER BY seq DESC LIMIT 1').pluck();
  return rows.map(([id, name, startedAt, lastAt, exchanges, last, head]) => ({
    name: String(name),
    startedAt: readTime(startedAt),
    lastAt: readTime(lastAt),
    exchanges: numberOf(exchanges),
    head: hexOf(String(newest.get(id) ?? '')),
    entries: numberOf(last),
    end: hexOf(String(head)),
    chains: [{ store, entries: numberOf(last), head: hexOf(String(head)) }],
    notes: notes.get(id) ?? [],
  }));
}
