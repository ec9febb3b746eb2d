/** Writes batches: sessions, exchanges with their links, and the ledger, all in one transaction. */
import { createRecentCache, type Exchange, numberOfId } from '../../exchange/index.js';
import { SandgateError } from '../../spec/index.js';
import { linkHash } from '../chain.js';
import { recordTexts } from '../record-texts.js';
import type { Batch, RecordedExchange, SessionNote } from '../store.js';
import { createCertificateWriter } from './certificates.js';
import { createColumnWriter, writeText } from './columns.js';
import type { Database } from './driver.js';
import { createLedgerWriter } from './ledger-rows.js';

export interface Writer {
  readonly append: (batch: Batch) => void;
  /** Writes what changes nothing: throws where it cannot. */
  readonly probe: () => void;
  readonly note: (session: string, note: SessionNote) => void;
  /** What was remembered of sessions may no longer be so. */
  readonly forget: () => void;
}

/** The end of a session's chain as this process knows it. */
interface Tail {
  readonly row: number;
  readonly name: string;
  last: number;
  /** How many rows of it are beginnings. */
  begun: number;
  head: string;
  lastAt: number;
}

export function createWriter(db: Database): Writer {
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const rollback = db.prepare('ROLLBACK');
  const tails = createTails(db);
  const columns = createColumnWriter(db);
  const certificates = createCertificateWriter(db);
  const ledger = createLedgerWriter(db);
  const insert = db.prepare(
    'INSERT INTO exchanges (id, session, seq, hash, own, shape, verdicts, findings, request_body, answer_body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  // The page is written although nothing in it changes.
  const touch = db.prepare('UPDATE sessions SET last_at = last_at WHERE id = (SELECT max(id) FROM sessions)');
  const insertNote = db.prepare('INSERT INTO notes (session, at, kind, settings) VALUES (?, ?, ?, ?)');

  /** A row of its beginning has the negative of its id. */
  function insertRecord(record: RecordedExchange, isBegun: boolean): void {
    const { call } = record.exchange;
    const tail = tails.open(call.session, call.at);
    const { row } = tail;
    const texts = recordTexts(record);
    const seq = tail.last + 1;
    const link = linkHash(tail.head, seq, texts, isBegun);
    if (typeof call.certificate !== 'string') certificates.keep(row, call.certificate);
    insert.run(
      isBegun ? -numberOf(record.exchange) : numberOf(record.exchange),
      row,
      seq,
      link,
      writeText(texts.own),
      columns.column(row, texts.shape),
      columns.column(row, texts.verdicts),
      columns.column(row, texts.findings),
      columns.column(row, texts.requestBody),
      columns.column(row, texts.answerBody),
    );
    tail.last = seq;
    if (isBegun) tail.begun += 1;
    tail.head = link;
    tail.lastAt = Math.max(tail.lastAt, call.at);
  }

  function writeNote(session: string, note: SessionNote): void {
    const tail = tails.open(session, note.at);
    tail.lastAt = Math.max(tail.lastAt, note.at);
    insertNote.run(tail.row, note.at, note.kind, JSON.stringify(note.settings));
  }

  function forget(): void {
    tails.forget();
    columns.forget();
    certificates.forget();
  }

  function inTransaction(work: () => void): void {
    begin.run();
    try {
      tails.begin();
      work();
      tails.write();
      commit.run();
    } catch (error) {
      forget();
      if (db.inTransaction) rollback.run();
      throw error;
    }
  }

  return {
    append: ({ notes = [], begun = [], records, changes }) =>
      inTransaction(() => {
        for (const { session, note } of notes) writeNote(session, note);
        for (const record of begun) insertRecord(record, true);
        for (const record of records) insertRecord(record, false);
        if (changes.length > 0) ledger.write(changes);
      }),
    probe: () => inTransaction(() => touch.run()),
    note: (session, note) => inTransaction(() => writeNote(session, note)),
    forget,
  };
}

function numberOf({ call }: Exchange): number {
  const number = numberOfId(call.id);
  if (number === null)
    throw new SandgateError('internal', `The exchange id ${call.id} is none of this store.`);
  return number;
}

/** More sessions than this at a time are read anew when they come again. */
const REMEMBERED = 256;

interface Tails {
  readonly begin: () => void;
  readonly open: (session: string, at: number) => Tail;
  readonly write: () => void;
  readonly forget: () => void;
}

/** The tails of sessions, kept in memory for as long as no other process has written. */
function createTails(db: Database): Tails {
  const dataVersion = db.prepare('PRAGMA data_version').pluck();
  const select = db.prepare('SELECT id, last, begun, head, last_at FROM sessions WHERE name = ?').raw();
  const create = db.prepare('INSERT INTO sessions (name, started_at, last_at) VALUES (?, ?, ?)');
  const update = db.prepare('UPDATE sessions SET last = ?, begun = ?, head = ?, last_at = ? WHERE id = ?');
  const known = createRecentCache<string, Tail>(REMEMBERED);
  const touched = new Set<Tail>();
  let seen: unknown;

  function read(session: string, at: number): Tail {
    const found = select.get(session) as [number, number, number, string, number] | undefined;
    if (found === undefined) {
      const row = Number(create.run(session, at, at).lastInsertRowid);
      return { row, name: session, last: 0, begun: 0, head: '', lastAt: at };
    }
    const [row, last, begun, head, lastAt] = found;
    return { row, name: session, last, begun, head, lastAt };
  }

  return {
    begin: () => {
      touched.clear();
      const version = dataVersion.get();
      if (version !== seen) known.clear();
      seen = version;
    },
    open: (session, at) => {
      let tail = known.get(session);
      if (tail === undefined) {
        tail = read(session, at);
        known.set(session, tail);
      }
      touched.add(tail);
      return tail;
    },
    write: () => {
      for (const tail of touched) update.run(tail.last, tail.begun, tail.head, tail.lastAt, tail.row);
    },
    forget: known.clear,
  };
}
