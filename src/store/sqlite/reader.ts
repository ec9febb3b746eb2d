/** Reads sessions and their exchanges, a page at a time: nothing is held open between two pages. */
import { idOfNumber, numberOfId } from '../../exchange/index.js';
import { SandgateError } from '../../spec/index.js';
import { type RecordTexts, readRecordTexts } from '../record-texts.js';
import type { SharedText } from '../shared-text.js';
import type { ReadOptions, RecordedExchange, SessionInfo, SessionNote } from '../store.js';
import { createCertificateReader } from './certificates.js';
import { type Column, createColumnReader, readText } from './columns.js';
import type { Database, Statement } from './driver.js';

/** A row of `exchanges`, by place; the id of a beginning is negative. */
export type ExchangeRow = readonly [
  id: number,
  session: number,
  seq: number,
  hash: string,
  own: string | Uint8Array,
  shape: Column,
  verdicts: Column,
  findings: Column,
  requestBody: Column,
  answerBody: Column,
];

export interface SessionRow {
  readonly id: number;
  readonly first: number;
  readonly last: number;
  readonly begun: number;
  readonly base: string;
  readonly head: string;
}

export interface Reader {
  readonly sessions: () => SessionInfo[];
  readonly read: (session: string, options?: ReadOptions) => IterableIterator<RecordedExchange>;
  readonly unfinished: (session: string, ids?: readonly string[]) => RecordedExchange[];
  readonly find: (exchangeId: string) => RecordedExchange | null;
  readonly linkOf: (exchangeId: string) => string | null;
  readonly newest: () => string | null;
  /** undefined: there is no such session. */
  readonly sessionRow: (session: string) => SessionRow | undefined;
  /** All rows in order, beginnings too, from behind `after`. */
  readonly links: (session: number, after: number) => IterableIterator<ExchangeRow>;
  readonly textsOf: (session: string, row: ExchangeRow) => RecordTexts;
  readonly checkCertificate: (session: number, texts: RecordTexts) => void;
}

const COLUMNS = 'id, session, seq, hash, own, shape, verdicts, findings, request_body, answer_body';
/** Of rows with the largest bodies a page is some ten MB. */
const PAGE = 64;

export function createReader(db: Database): Reader {
  const pageOf = (where: string, order: string) =>
    db
      .prepare(
        `SELECT ${COLUMNS} FROM exchanges WHERE session = ? AND ${where} ORDER BY ${order} LIMIT ${PAGE}`,
      )
      .raw();
  const page = pageOf('seq > ? AND id > 0', 'seq');
  const pageBack = pageOf('seq < ? AND id > 0', 'seq DESC');
  const pageOfLinks = pageOf('seq > ?', 'seq');
  const open = db
    .prepare(
      `SELECT ${COLUMNS} FROM exchanges AS begun WHERE session = ? AND id < 0 AND NOT EXISTS (SELECT 1 FROM exchanges WHERE id = -begun.id) ORDER BY seq`,
    )
    .raw();
  const one = db.prepare(`SELECT ${COLUMNS} FROM exchanges WHERE id = ?`).raw();
  const place = db.prepare('SELECT seq FROM exchanges WHERE id = ? AND session = ?').pluck();
  const newest = db.prepare('SELECT max(max(id), -min(id)) FROM exchanges').pluck();
  const sessionRow = db.prepare('SELECT id, first, last, begun, base, head FROM sessions WHERE name = ?');
  const nameOf = db.prepare('SELECT name FROM sessions WHERE id = ?').pluck();
  const readColumn = createColumnReader(db);
  const certificateOf = createCertificateReader(db);

  function textsOf(session: string, row: ExchangeRow): RecordTexts {
    const [id, , , , own, shape, verdicts, findings, requestBody, answerBody] = row;
    return {
      id: idOfNumber(Math.abs(id)),
      session,
      own: readText(own),
      shape: readColumn(shape) as SharedText,
      verdicts: readColumn(verdicts),
      findings: readColumn(findings),
      requestBody: readColumn(requestBody),
      answerBody: readColumn(answerBody),
    };
  }

  function* rows(pages: Statement, session: number, after: number): IterableIterator<ExchangeRow> {
    let from = after;
    for (;;) {
      const found = pages.all(session, from) as ExchangeRow[];
      yield* found;
      const last = found.at(-1);
      if (last === undefined || found.length < PAGE) return;
      from = last[2];
    }
  }

  const recordOf = (session: string, row: ExchangeRow): RecordedExchange =>
    readRecordTexts(textsOf(session, row), (reference) => certificateOf(row[1], reference));

  /** The row of its end, else that of its beginning. */
  function rowOf(exchangeId: string): ExchangeRow | undefined {
    const number = numberOfId(exchangeId);
    if (number === null) return undefined;
    return (one.get(number) ?? one.get(-number)) as ExchangeRow | undefined;
  }

  function placeOf(exchangeId: string, session: number, name: string): number {
    const number = numberOfId(exchangeId);
    const seq = number === null ? undefined : (place.get(number, session) as number | undefined);
    if (seq !== undefined) return seq;
    throw new SandgateError('input', `The session ${name} holds no exchange ${exchangeId}.`);
  }

  return {
    sessions: () => readSessions(db),
    *read(session, { after, backwards = false, limit = Number.POSITIVE_INFINITY } = {}) {
      const { id } = (sessionRow.get(session) as SessionRow | undefined) ?? {};
      if (id === undefined || limit <= 0) return;
      let left = limit;
      const end = backwards ? Number.MAX_SAFE_INTEGER : 0;
      const from = after === undefined ? end : placeOf(after, id, session);
      for (const row of rows(backwards ? pageBack : page, id, from)) {
        yield recordOf(session, row);
        if (--left === 0) return;
      }
    },
    unfinished: (session, ids) => {
      const { id, begun = 0 } = (sessionRow.get(session) as SessionRow | undefined) ?? {};
      if (id === undefined || begun === 0) return [];
      const found =
        ids === undefined
          ? open.all(id)
          : ids.map((begun) => one.get(-(numberOfId(begun) ?? 0))).filter((row) => row !== undefined);
      return (found as ExchangeRow[]).map((row) => recordOf(session, row));
    },
    find: (exchangeId) => {
      const row = rowOf(exchangeId);
      const session = row === undefined ? null : (nameOf.get(row[1]) as string | null);
      return row === undefined || session === null ? null : recordOf(session, row);
    },
    linkOf: (exchangeId) => {
      const row = rowOf(exchangeId);
      return row === undefined ? null : hexOf(row[3]);
    },
    newest: () => {
      const number = newest.get() as number | null;
      return number === null ? null : idOfNumber(number);
    },
    sessionRow: (session) => sessionRow.get(session) as SessionRow | undefined,
    links: (session, after) => rows(pageOfLinks, session, after),
    textsOf,
    checkCertificate: (session, texts) => {
      const { certificate } = JSON.parse(texts.shape.text) as { certificate: string };
      if (certificate !== 'absent' && certificate !== 'not-observed') certificateOf(session, certificate);
    },
  };
}

/** Links are kept as base64url and shown as hex. */
const hexOf = (link: string): string => Buffer.from(link, 'base64url').toString('hex');

function readSessions(db: Database): SessionInfo[] {
  const notes = new Map<number, SessionNote[]>();
  const noteRows = db.prepare('SELECT session, at, kind, settings FROM notes ORDER BY id').raw().all();
  for (const [session, at, kind, settings] of noteRows as [number, number, SessionNote['kind'], string][]) {
    const list = notes.get(session) ?? [];
    list.push({ at, kind, settings: JSON.parse(settings) as SessionNote['settings'] });
    notes.set(session, list);
  }
  const rows = db
    .prepare(
      'SELECT id, name, started_at, last_at, first, last, begun, head FROM sessions WHERE name IS NOT NULL ORDER BY id',
    )
    .raw()
    .all() as [number, string, number, number, number, number, number, string][];
  const newest = db
    .prepare('SELECT hash FROM exchanges WHERE session = ? AND id > 0 ORDER BY seq DESC LIMIT 1')
    .pluck();
  return rows.map(([id, name, startedAt, lastAt, first, last, begun, head]) => ({
    name,
    startedAt,
    lastAt,
    exchanges: last - first + 1 - begun,
    head: hexOf(begun === 0 ? head : ((newest.get(id) as string | undefined) ?? '')),
    notes: notes.get(id) ?? [],
  }));
}
