/** Reads sessions and their exchanges, a page at a time: nothing is held open between two pages. */
import { idOfNumber, numberOfId } from '../../exchange/index.js';
import { SandgateError } from '../../spec/index.js';
import { type RecordTexts, readRecordTexts } from '../record-texts.js';
import type { SharedText } from '../shared-text.js';
import type { ReadOptions, RecordedExchange, SessionInfo, SessionNote } from '../store.js';
import { createCertificateReader } from './certificates.js';
import { type Column, createColumnReader, readText } from './columns.js';
import type { Database } from './driver.js';

/** A row of `exchanges`, by place. */
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
  readonly base: string;
  readonly head: string;
}

export interface Reader {
  readonly sessions: () => SessionInfo[];
  readonly read: (session: string, options?: ReadOptions) => IterableIterator<RecordedExchange>;
  readonly find: (exchangeId: string) => RecordedExchange | null;
  readonly linkOf: (exchangeId: string) => string | null;
  readonly newest: () => string | null;
  /** undefined: there is no such session. */
  readonly sessionRow: (session: string) => SessionRow | undefined;
  /** In order, from behind `after`. */
  readonly rows: (session: number, after: number) => IterableIterator<ExchangeRow>;
  readonly textsOf: (session: string, row: ExchangeRow) => RecordTexts;
  readonly checkCertificate: (session: number, texts: RecordTexts) => void;
}

const COLUMNS = 'id, session, seq, hash, own, shape, verdicts, findings, request_body, answer_body';
/** Of rows with the largest bodies a page is some ten MB. */
const PAGE = 64;

export function createReader(db: Database): Reader {
  const page = db
    .prepare(`SELECT ${COLUMNS} FROM exchanges WHERE session = ? AND seq > ? ORDER BY seq LIMIT ${PAGE}`)
    .raw();
  const pageBack = db
    .prepare(`SELECT ${COLUMNS} FROM exchanges WHERE session = ? AND seq < ? ORDER BY seq DESC LIMIT ${PAGE}`)
    .raw();
  const one = db.prepare(`SELECT ${COLUMNS} FROM exchanges WHERE id = ?`).raw();
  const place = db.prepare('SELECT seq FROM exchanges WHERE id = ? AND session = ?').pluck();
  const newest = db.prepare('SELECT max(id) FROM exchanges').pluck();
  const sessionRow = db.prepare('SELECT id, first, last, base, head FROM sessions WHERE name = ?');
  const nameOf = db.prepare('SELECT name FROM sessions WHERE id = ?').pluck();
  const readColumn = createColumnReader(db);
  const certificateOf = createCertificateReader(db);

  function textsOf(session: string, row: ExchangeRow): RecordTexts {
    const [id, , , , own, shape, verdicts, findings, requestBody, answerBody] = row;
    return {
      id: idOfNumber(id),
      session,
      own: readText(own),
      shape: readColumn(shape) as SharedText,
      verdicts: readColumn(verdicts),
      findings: readColumn(findings),
      requestBody: readColumn(requestBody),
      answerBody: readColumn(answerBody),
    };
  }

  function* rows(session: number, after: number, isBack = false): IterableIterator<ExchangeRow> {
    let from = after;
    for (;;) {
      const found = (isBack ? pageBack : page).all(session, from) as ExchangeRow[];
      yield* found;
      const last = found.at(-1);
      if (last === undefined || found.length < PAGE) return;
      from = last[2];
    }
  }

  const recordOf = (session: string, row: ExchangeRow): RecordedExchange =>
    readRecordTexts(textsOf(session, row), (reference) => certificateOf(row[1], reference));

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
      for (const row of rows(id, after === undefined ? end : placeOf(after, id, session), backwards)) {
        yield recordOf(session, row);
        if (--left === 0) return;
      }
    },
    find: (exchangeId) => {
      const number = numberOfId(exchangeId);
      const row = number === null ? undefined : (one.get(number) as ExchangeRow | undefined);
      const session = row === undefined ? null : (nameOf.get(row[1]) as string | null);
      return row === undefined || session === null ? null : recordOf(session, row);
    },
    linkOf: (exchangeId) => {
      const number = numberOfId(exchangeId);
      const row = number === null ? undefined : (one.get(number) as ExchangeRow | undefined);
      return row === undefined ? null : hexOf(row[3]);
    },
    newest: () => {
      const number = newest.get() as number | null;
      return number === null ? null : idOfNumber(number);
    },
    sessionRow: (session) => sessionRow.get(session) as SessionRow | undefined,
    rows,
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
      'SELECT id, name, started_at, last_at, first, last, head FROM sessions WHERE name IS NOT NULL ORDER BY id',
    )
    .raw()
    .all() as [number, string, number, number, number, number, string][];
  return rows.map(([id, name, startedAt, lastAt, first, last, head]) => ({
    name,
    startedAt,
    lastAt,
    exchanges: last - first + 1,
    head: hexOf(head),
    notes: notes.get(id) ?? [],
  }));
}
