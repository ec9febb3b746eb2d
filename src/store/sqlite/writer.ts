/** Writes batches: sessions, exchanges with their links, and the ledger, all in one transaction. */
import { type Exchange, idOfNumber, numberOfId } from '../../exchange/index.js';
import { SandgateError } from '../../spec/index.js';
import { exchangeLink } from '../chain.js';
import { CHAIN_NOTES } from '../chain-notes.js';
import type { Batch, NotedSession, RecordedExchange, Unsigned } from '../port.js';
import { recordTexts } from '../record-codec.js';
import { createCertificateWriter } from './certificates.js';
import { createColumnWriter, writeText } from './columns.js';
import type { Database } from './driver.js';
import { createLedgerWriter } from './ledger-rows.js';
import { createTails, type NewNote, type Tail } from './tails.js';

export interface Writer {
  readonly append: (batch: Batch) => void;
  /** Writes what changes nothing: throws where it cannot. */
  readonly probe: () => void;
  readonly note: (session: string, note: NotedSession['note']) => void;
  /** Works on the end of a session's chain, and notes what comes of it; null notes nothing. */
  readonly mark: (session: string, at: number, work: (tail: Tail) => NewNote | null) => void;
  readonly takeUnsigned: (least: number) => Unsigned[];
  /** What was remembered of sessions may no longer be so. */
  readonly forget: () => void;
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
  const insertBegun = db.prepare(
    'INSERT INTO beginnings (id, session, seq, hash, own, shape, verdicts, findings, request_body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  // The page is written although nothing in it changes.
  const touch = db.prepare('UPDATE sessions SET last_at = last_at WHERE id = (SELECT max(id) FROM sessions)');

  function insertRecord(record: RecordedExchange, isBegun: boolean): void {
    const { call } = record.exchange;
    const tail = tails.open(call.session, call.at);
    const { row } = tail;
    const texts = recordTexts(record);
    const seq = tail.last + 1;
    const link = exchangeLink(tail.head, seq, texts, isBegun);
    if (typeof call.certificate !== 'string') certificates.keep(row, call.certificate);
    const values = [
      numberOf(record.exchange),
      row,
      seq,
      link,
      writeText(texts.own),
      columns.column(row, texts.shape),
      columns.column(row, texts.verdicts),
      columns.column(row, texts.findings),
      columns.column(row, texts.requestBody),
    ];
    if (isBegun) insertBegun.run(...values);
    else insert.run(...values, columns.column(row, texts.answerBody));
    tails.advance(tail, link, true);
    if (isBegun) tail.begun += 1;
    else tail.exchanges += 1;
    tail.lastAt = Math.max(tail.lastAt, call.at);
  }

  /** Where somebody else has put a row under its id, it is kept under the next one that is free, and that is noted. */
  function keepRecord(record: RecordedExchange, isBegun: boolean): void {
    try {
      insertRecord(record, isBegun);
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'SQLITE_CONSTRAINT_PRIMARYKEY') throw error;
      const { call } = record.exchange;
      const id = freeId(numberOf(record.exchange), isBegun);
      insertRecord({ ...record, exchange: { ...record.exchange, call: call.with({ id }) } }, isBegun);
      const tail = tails.open(call.session, call.at);
      const settings = { expected: { exchange: call.id }, found: { exchange: id } };
      tails.addNote(tail, { at: call.at, kind: 'disturbed', settings });
    }
  }

  function freeId(taken: number, isBegun: boolean): string {
    const isTaken = db.prepare(`SELECT 1 FROM ${isBegun ? 'beginnings' : 'exchanges'} WHERE id = ?`).pluck();
    let number = taken;
    for (let step = 1; isTaken.get(number) !== undefined; step *= 2) number += step;
    return idOfNumber(number);
  }

  function writeNote({ session, note, of }: NotedSession): void {
    const { at, kind } = note;
    const tail = of === undefined ? tails.open(session, at, kind) : tails.find(session, at);
    if (tail === null || (of !== undefined && tail.row !== of)) return;
    if (!TIMELESS.has(kind)) tail.lastAt = Math.max(tail.lastAt, at);
    tails.addNote(tail, note);
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
      tails.committed();
    } catch (error) {
      forget();
      if (db.inTransaction) rollback.run();
      throw error;
    }
  }

  return {
    append: ({ notes = [], begun = [], records, changes }) =>
      inTransaction(() => {
        for (const noted of notes) writeNote(noted);
        for (const record of begun) keepRecord(record, true);
        for (const record of records) keepRecord(record, false);
        if (changes.length > 0) ledger.write(changes);
      }),
    probe: () => inTransaction(() => touch.run()),
    note: (session, note) => inTransaction(() => writeNote({ session, note })),
    mark: (session, at, work) =>
      inTransaction(() => {
        const tail = tails.find(session, at);
        const note = tail === null ? null : work(tail);
        if (tail !== null && note !== null) tails.addNote(tail, note);
      }),
    takeUnsigned: tails.takeUnsigned,
    forget,
  };
}

/** Notes of the chain on itself: a session did not go on with them. */
const TIMELESS: ReadonlySet<string> = new Set(CHAIN_NOTES);

function numberOf({ call }: Exchange): number {
  const number = numberOfId(call.id);
  if (number === null) throw new SandgateError('store.foreign-id', { id: call.id });
  return number;
}
