/** Rows of exchanges and of their beginnings, a page at a time: nothing is held open between two pages. */
import { idOfNumber, numberOfId } from '../../exchange/index.js';
import type { SessionRow } from '../chain-rows.js';
import { type Column, createColumnReader, readText } from '../columns.js';
import type { RecordTexts } from '../record-codec.js';
import type { SharedText } from '../shared-text.js';
import type { Database, Statement } from './driver.js';

/** A row of `exchanges`, or of `beginnings`, by place. */
export type ExchangeRow = readonly [
  id: number,
  session: number,
  seq: number,
  turn: number | null,
  hash: string,
  own: string | Uint8Array,
  shape: Column,
  verdicts: Column,
  findings: Column,
  requestBody: Column,
  answerBody: Column,
  isBegun: 0 | 1,
];

/** A chain as its row says. */
export interface ChainRow extends SessionRow {
  /** What it calls the store that it was copied from; null: it is of this one. */
  readonly store: string | null;
  /** Of its last entry; null where it is of this store. */
  readonly turn: number | null;
}

/** Place and id of a row: others may stand at the same place, put there by somebody else. */
export type Place = readonly [seq: number, id: number];

/** Behind all rows at a place. */
export const behind = (place: number): Place => [place, Number.MAX_SAFE_INTEGER];

/** Of chains, as they began. */
export const IN_ORDER = 'first_turn IS NULL, first_turn, id';

const COLUMNS = 'id, session, seq, turn, hash, own, shape, verdicts, findings, request_body';
const EXCHANGES = `SELECT ${COLUMNS}, answer_body, 0 FROM exchanges`;
export const BEGINNINGS = `SELECT ${COLUMNS}, NULL, 1 FROM beginnings`;
/** Of rows with the largest bodies a page is some ten MB. */
export const PAGE = 64;

export interface Rows {
  /** Of a session, in the order in which they began. */
  readonly chains: (name: string) => ChainRow[];
  /** undefined where it is gone, or its session is being removed. */
  readonly chain: (id: number) => ChainRow | undefined;
  /** null where it has none, because it is being removed. */
  readonly nameOf: (session: number) => string | null;
  readonly exchanges: (session: number, from: Place) => IterableIterator<ExchangeRow>;
  readonly exchangesBack: (session: number, from: Place) => IterableIterator<ExchangeRow>;
  readonly beginnings: (session: number, from: Place) => IterableIterator<ExchangeRow>;
  readonly beginning: (exchangeId: string) => ExchangeRow | undefined;
  /** The row of its end, else that of its beginning. */
  readonly find: (exchangeId: string) => ExchangeRow | undefined;
  /** `isBrief`: see `FindOptions`. */
  readonly textsOf: (session: string, row: ExchangeRow, isBrief?: boolean) => RecordTexts;
}

export function createRows(db: Database): Rows {
  const pageOf = (rows: string, where: string, order: string) =>
    db.prepare(`${rows} WHERE session = ? AND ${where} ORDER BY ${order} LIMIT ${PAGE}`).raw();
  const page = pageOf(EXCHANGES, '(seq, id) > (?, ?)', 'seq, id');
  const pageBack = pageOf(EXCHANGES, '(seq, id) < (?, ?)', 'seq DESC, id DESC');
  const pageOfBegun = pageOf(BEGINNINGS, '(seq, id) > (?, ?)', 'seq, id');
  const one = db.prepare(`${EXCHANGES} WHERE id = ?`).raw();
  const oneBegun = db.prepare(`${BEGINNINGS} WHERE id = ?`).raw();
  const chains = 'SELECT id, started_at, last_at, last, head, exchanges, begun, store, turn FROM sessions';
  const ofSession = db.prepare(`${chains} WHERE name = ? ORDER BY ${IN_ORDER}`);
  const chain = db.prepare(`${chains} WHERE id = ? AND name IS NOT NULL`);
  const name = db.prepare('SELECT name FROM sessions WHERE id = ?').pluck();
  const part = db.prepare('SELECT content FROM parts WHERE id = ?').pluck();
  const readColumn = createColumnReader((id) => part.get(id) as string | Uint8Array | undefined);
  const rows = (pages: Statement) => (id: number, from: Place) =>
    paged(pages, id, from, (row: ExchangeRow) => [row[2], row[0]]);
  const beginning = (exchangeId: string) => oneBegun.get(numberOfId(exchangeId)) as ExchangeRow | undefined;
  return {
    chains: (name) => ofSession.all(name) as ChainRow[],
    chain: (id) => chain.get(id) as ChainRow | undefined,
    nameOf: (id) => (name.get(id) as string | null | undefined) ?? null,
    exchanges: rows(page),
    exchangesBack: rows(pageBack),
    beginnings: rows(pageOfBegun),
    beginning,
    find: (exchangeId) =>
      (one.get(numberOfId(exchangeId)) as ExchangeRow | undefined) ?? beginning(exchangeId),
    textsOf: (session, [id, , , , , own, shape, verdicts, findings, requestBody, answerBody], isBrief) => ({
      id: idOfNumber(id),
      session,
      own: readText(own),
      shape: readColumn(shape) as SharedText,
      verdicts: readColumn(verdicts),
      findings: readColumn(findings),
      requestBody: readColumn(requestBody, isBrief),
      answerBody: readColumn(answerBody, isBrief),
    }),
  };
}

export function* paged<R>(
  pages: Statement,
  session: number,
  from: Place,
  placeOf: (row: R) => Place,
): IterableIterator<R> {
  for (let place = from; ; ) {
    const found = pages.all(session, ...place) as R[];
    yield* found;
    const last = found.at(-1);
    if (last === undefined || found.length < PAGE) return;
    place = placeOf(last);
  }
}
