/** Reads sessions and exchanges page by page; nothing is held open between two pages. */
import { idOfNumber, numberOfId } from '../../exchange/index.js';
import { SandgateError } from '../../spec/index.js';
import type { ChainNote, ChainNoteKind } from '../chain-notes.js';
import type { ChainInfo, ReadOptions, RecordedExchange, SessionInfo } from '../port.js';
import { type RecordTexts, readRecordTexts } from '../record-codec.js';
import type { SharedText } from '../shared-text.js';
import { createCertificateReader } from './certificates.js';
import { type Column, createColumnReader, readText } from './columns.js';
import type { Database, Statement } from './driver.js';
import { createEnds, numberOf } from './ends.js';
import { type ChainNotes, createChainNotes, type NoteRow, readSessionNotes, readTime } from './notes.js';

/** A row of `exchanges`, or of `beginnings`, by place. */
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
  isBegun: 0 | 1,
];

export interface SessionRow {
  readonly id: number;
  readonly started_at: unknown;
  readonly last_at: unknown;
  readonly last: unknown;
  readonly head: unknown;
  readonly exchanges: unknown;
  readonly begun: unknown;
}

export interface Reader {
  readonly sessions: () => SessionInfo[];
  readonly read: (session: string, options?: ReadOptions) => IterableIterator<RecordedExchange>;
  readonly unfinished: (session: string, ids?: readonly string[]) => RecordedExchange[];
  readonly find: (exchangeId: string) => RecordedExchange | null;
  readonly linkOf: (exchangeId: string) => string | null;
  readonly newest: (most?: string) => string | null;
  readonly chain: (session: string) => ChainInfo | null;
  readonly chainNotes: ChainNotes;
  readonly chainNotesOf: (session: string, kind?: ChainNoteKind) => ChainNote[];
  readonly storeId: () => string;
  /** undefined: there is no such session. */
  readonly sessionRow: (session: string) => SessionRow | undefined;
  /** The row of its end, else that of its beginning. */
  readonly rowOf: (exchangeId: string) => ExchangeRow | undefined;
  /** Link of the entry at a place of a session, also where it was removed; null where nobody knows it. */
  readonly linkAt: (session: number, place: number) => string | null;
  /** null where it has none, because it is being removed. */
  readonly nameOf: (session: number) => string | null;
  /** All rows in order, those of beginnings for themselves, from behind `after`. */
  readonly beginnings: (session: number, after: number) => IterableIterator<ExchangeRow>;
  readonly links: (session: number, after: number) => IterableIterator<ExchangeRow>;
  readonly notes: (session: number, after: number) => IterableIterator<NoteRow>;
  /** Rows at places that were never given: before the first and behind `last`. */
  readonly strays: (session: number, last: number) => Stray[];
  readonly textsOf: (session: string, row: ExchangeRow) => RecordTexts;
  readonly checkCertificate: (session: number, texts: RecordTexts) => void;
  /** Reads in it all see the same state of the store. */
  readonly snapshot: <T>(work: () => T) => T;
}

export interface Stray {
  readonly seq: unknown;
  /** null where it is a note. */
  readonly id: number | null;
  readonly kind: string | null;
}

const COLUMNS = 'id, session, seq, hash, own, shape, verdicts, findings, request_body';
const EXCHANGES = `SELECT ${COLUMNS}, answer_body, 0 FROM exchanges`;
const BEGINNINGS = `SELECT ${COLUMNS}, NULL, 1 FROM beginnings`;
/** Of rows with the largest bodies a page is some ten MB. */
const PAGE = 64;

export function createReader(db: Database): Reader {
  const pageOf = (rows: string, where: string, order: string) =>
    db.prepare(`${rows} WHERE session = ? AND ${where} ORDER BY ${order} LIMIT ${PAGE}`).raw();
  const page = pageOf(EXCHANGES, '(seq, id) > (?, ?)', 'seq, id');
  const pageBack = pageOf(EXCHANGES, '(seq, id) < (?, ?)', 'seq DESC, id DESC');
  const pageOfBegun = pageOf(BEGINNINGS, '(seq, id) > (?, ?)', 'seq, id');
  const pageOfNotes = db
    .prepare(
      `SELECT seq, hash, at, kind, settings, id FROM notes WHERE session = ? AND (seq, id) > (?, ?) ORDER BY seq, id LIMIT ${PAGE}`,
    )
    .raw();
  const open = db
    .prepare(
      `${BEGINNINGS} WHERE session = ? AND NOT EXISTS (SELECT 1 FROM exchanges WHERE id = beginnings.id) ORDER BY seq`,
    )
    .raw();
  const one = db.prepare(`${EXCHANGES} WHERE id = ?`).raw();
  const oneBegun = db.prepare(`${BEGINNINGS} WHERE id = ?`).raw();
  const place = db.prepare('SELECT seq FROM exchanges WHERE id = ? AND session = ?').pluck();
  const newest = ['exchanges', 'beginnings'].map((table) =>
    db.prepare(`SELECT max(id) FROM ${table} WHERE id <= ?`).pluck(),
  );
  const sessionRow = db.prepare(
    'SELECT id, started_at, last_at, last, head, exchanges, begun FROM sessions WHERE name = ?',
  );
  const selectName = db.prepare('SELECT name FROM sessions WHERE id = ?').pluck();
  const selectStore = db.prepare('SELECT store FROM identity').pluck();
  const stray = ['seq < 1', 'seq > @last', 'seq IS NULL'].map((place) =>
    db.prepare(
      `SELECT seq, id, NULL AS kind FROM exchanges WHERE session = @session AND ${place}
       UNION ALL SELECT seq, id, NULL FROM beginnings WHERE session = @session AND ${place}
       UNION ALL SELECT seq, NULL, kind FROM notes WHERE session = @session AND ${place} LIMIT ${PAGE}`,
    ),
  );
  const readColumn = createColumnReader(db);
  const certificateOf = createCertificateReader(db);
  const chainNotes = createChainNotes(db);
  const { linkAt } = createEnds(db);
  const storeId = (): string => String(selectStore.get() ?? '');

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

  const rows = (pages: Statement, session: number, from: Place): IterableIterator<ExchangeRow> =>
    paged(pages, session, from, (row: ExchangeRow) => [row[2], row[0]]);

  /** Whatever is wrong with a row, it is told as one thing: a text, a part or a certificate is not what it was. */
  function recordOf(session: string, row: ExchangeRow): RecordedExchange {
    try {
      return readRecordTexts(textsOf(session, row), (reference) => certificateOf(row[1], reference));
    } catch (error) {
      throw unreadable(session, row, error);
    }
  }

  /** The row of its end, else that of its beginning. */
  function rowOf(exchangeId: string): ExchangeRow | undefined {
    const number = numberOfId(exchangeId);
    if (number === null) return undefined;
    return (one.get(number) ?? oneBegun.get(number)) as ExchangeRow | undefined;
  }

  const nameOf = (session: number): string | null =>
    (selectName.get(session) as string | null | undefined) ?? null;

  const rowOfSession = (session: string) => sessionRow.get(session) as SessionRow | undefined;

  function recordOrNull(session: string, row: ExchangeRow): RecordedExchange | null {
    try {
      return recordOf(session, row);
    } catch (error) {
      if (error instanceof SandgateError && error.kind === 'wanting') return null;
      throw error;
    }
  }

  function placeOf(exchangeId: string, session: number, name: string): Place {
    const number = numberOfId(exchangeId);
    const seq = number === null ? undefined : (place.get(number, session) as number | undefined);
    if (number !== null && seq !== undefined) return [seq, number];
    throw new SandgateError('input', `The session ${name} holds no exchange ${exchangeId}.`);
  }

  return {
    // Of one moment: the entries that are counted are those that the notes are among.
    sessions: () => db.transaction(() => readSessions(db))(),
    *read(session, { after, backwards = false, limit = Number.POSITIVE_INFINITY, onUnreadable } = {}) {
      const { id } = rowOfSession(session) ?? {};
      if (id === undefined || limit <= 0) return;
      let left = limit;
      const end: Place = backwards ? [Number.MAX_SAFE_INTEGER, 0] : [0, 0];
      const from = after === undefined ? end : placeOf(after, id, session);
      for (const row of rows(backwards ? pageBack : page, id, from)) {
        const record = onUnreadable === undefined ? recordOf(session, row) : recordOrNull(session, row);
        if (record === null) onUnreadable?.(idOfRow(row));
        else yield record;
        if (--left === 0) return;
      }
    },
    unfinished: (session, ids) => {
      const { id, begun = 0 } = rowOfSession(session) ?? {};
      if (id === undefined || begun === 0) return [];
      const found =
        ids === undefined
          ? open.all(id)
          : ids.map((begun) => oneBegun.get(numberOfId(begun))).filter((row) => row !== undefined);
      return (found as ExchangeRow[]).map((row) => recordOf(session, row));
    },
    find: (exchangeId) => {
      const row = rowOf(exchangeId);
      const session = row === undefined ? null : nameOf(row[1]);
      return row === undefined || session === null ? null : recordOf(session, row);
    },
    linkOf: (exchangeId) => {
      const row = rowOf(exchangeId);
      return row === undefined ? null : hexOf(row[3]);
    },
    newest: (most = GREATEST_ID) => {
      const bound = numberOfId(most) ?? 0;
      const number = Math.max(...newest.map((select) => (select.get(bound) as number | null) ?? -1));
      return number < 0 ? null : idOfNumber(number);
    },
    chain: (session) => {
      const row = rowOfSession(session);
      if (row === undefined) return null;
      const { created } = chainNotes.created(row.id) ?? {};
      return {
        ...{ store: storeId(), entries: numberOf(row.last), head: hexOf(String(row.head)) },
        origin: created?.origin ?? null,
        isEarlier: created?.earlier !== undefined,
        removed: chainNotes.removed(row.id),
      };
    },
    chainNotesOf: (session, kind) => {
      const row = rowOfSession(session);
      return row === undefined ? [] : chainNotes.all(row.id, kind);
    },
    ...{ chainNotes, storeId, sessionRow: rowOfSession, rowOf, nameOf, linkAt },
    links: (session, after) => rows(page, session, [after, Number.MAX_SAFE_INTEGER]),
    beginnings: (session, after) => rows(pageOfBegun, session, [after, Number.MAX_SAFE_INTEGER]),
    notes: (session, after) =>
      paged(pageOfNotes, session, [after, Number.MAX_SAFE_INTEGER], (row: NoteRow) => [row[0], row[5]]),
    strays: (session, last) => stray.flatMap((select) => select.all({ session, last }) as Stray[]),
    textsOf,
    checkCertificate: (session, texts) => {
      const { certificate } = JSON.parse(texts.shape.text) as { certificate: string };
      if (certificate !== 'absent' && certificate !== 'not-observed') certificateOf(session, certificate);
    },
    snapshot: (work) => db.transaction(work)(),
  };
}

/** Place and id of a row: others may stand at the same place, put there by somebody else. */
type Place = readonly [seq: number, id: number];

/** The greatest number that an id stands for. */
const GREATEST_ID = idOfNumber(Number.MAX_SAFE_INTEGER);

function* paged<R>(
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

const idOfRow = ([id]: ExchangeRow): string => idOfNumber(id);

function unreadable(session: string, row: ExchangeRow, cause: unknown): SandgateError {
  return new SandgateError(
    'wanting',
    `Exchange ${idOfRow(row)} of the session ${session} is not as it was recorded: what is kept of it cannot be read any more.`,
    { cause },
  );
}

/** Links are kept as base64url and shown as hex. */
export const hexOf = (link: string): string => Buffer.from(link, 'base64url').toString('hex');

function readSessions(db: Database): SessionInfo[] {
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
    notes: notes.get(id) ?? [],
  }));
}
