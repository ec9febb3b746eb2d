/** Writes rows, each by a statement that is prepared once. */
import { createCertificateWriter } from '../certificates.js';
import type { Beside } from '../chain-notes.js';
import { createColumnWriter, writeText } from '../columns.js';
import type { RowWriter, SessionEnd } from '../driver.js';

import type { Database } from './driver.js';
import { createEndRows } from './end-rows.js';
import { createFactWriter } from './fact-rows.js';
import { refuseCopying } from './migrations.js';
import { createSharedWriter } from './world-rows.js';

export function createRowWriter(db: Database): RowWriter {
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const rollback = db.prepare('ROLLBACK');
  const version = db.prepare('PRAGMA data_version').pluck();
  const store = db.prepare('SELECT store FROM identity').pluck();
  const session = db
    .prepare('SELECT id, last, head, last_at FROM sessions WHERE name = ? AND store IS NULL')
    .raw();
  const copied = db
    .prepare('SELECT store, last, head FROM sessions WHERE name = ? AND store IS NOT NULL')
    .raw();
  const create = db.prepare('INSERT INTO sessions (name, started_at, last_at) VALUES (?, ?, ?)');
  const update = db.prepare(
    'UPDATE sessions SET last = ?, head = ?, exchanges = exchanges + ?, begun = begun + ?, last_at = ? WHERE id = ?',
  );
  // The row finds another place: one that stays as it is is not written at all.
  const moveRow = db.prepare('UPDATE identity SET rowid = 3 - rowid');
  const insertNote = db.prepare(
    'INSERT INTO notes (session, seq, hash, at, kind, settings) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const insert = db.prepare(
    'INSERT INTO exchanges (id, session, seq, hash, own, shape, verdicts, findings, request_body, answer_body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const insertBegun = db.prepare(
    'INSERT INTO beginnings (id, session, seq, hash, own, shape, verdicts, findings, request_body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const insertPart = db.prepare('INSERT INTO parts (session, content) VALUES (?, ?)');
  const insertCertificate = db.prepare(
    'INSERT OR IGNORE INTO certificates (session, reference, facts) VALUES (?, ?, ?)',
  );
  const columns = createColumnWriter((session, content) =>
    Number(insertPart.run(session, content).lastInsertRowid),
  );
  const certificates = createCertificateWriter((session, reference, facts) =>
    insertCertificate.run(session, reference, facts),
  );
  const facts = createFactWriter(db);
  const shared = createSharedWriter(db);

  let seen: unknown;
  /** Since it was opened, or since others wrote to it, a copy may have begun. */
  function refuseCopy(): void {
    const now = version.get();
    if (now === seen) return;
    try {
      refuseCopying(db, db.name);
    } catch (error) {
      rollback.run();
      throw error;
    }
    seen = now;
  }

  function forget(): void {
    columns.forget();
    certificates.forget();
  }

  return {
    begin: () => {
      begin.run();
      refuseCopy();
      facts.begin();
    },
    commit: () => void commit.run(),
    rollback: () => {
      forget();
      if (db.inTransaction) rollback.run();
    },
    version: () => seen,
    storeId: () => String(store.get() ?? ''),
    session: (name) => session.get(name) as SessionEnd | undefined,
    createSession: (name, at) => Number(create.run(name, at, at).lastInsertRowid),
    writeEnd: ({ last, head, exchanges, begun, lastAt, row }) =>
      update.run(last, head, exchanges, begun, lastAt, row),
    writeNote: (session, seq, link, { at, kind, settings }) =>
      insertNote.run(session, seq, link, at, kind, settings),
    writeExchange: (id, session, seq, link, texts, { exchange: { call } }, isBegun) => {
      if (typeof call.certificate !== 'string') certificates.keep(session, call.certificate);
      const values = [
        id,
        session,
        seq,
        link,
        writeText(texts.own),
        columns.column(session, texts.shape),
        columns.column(session, texts.verdicts),
        columns.column(session, texts.findings),
        columns.column(session, texts.requestBody),
      ];
      try {
        if (isBegun) insertBegun.run(...values);
        else insert.run(...values, columns.column(session, texts.answerBody));
        return true;
      } catch (error) {
        if ((error as { code?: unknown }).code !== 'SQLITE_CONSTRAINT_PRIMARYKEY') throw error;
        return false;
      }
    },
    isTaken: (id, isBegun) =>
      db
        .prepare(`SELECT 1 FROM ${isBegun ? 'beginnings' : 'exchanges'} WHERE id = ?`)
        .pluck()
        .get(id) !== undefined,
    writeFact: facts.writeFact,
    writeStep: facts.writeStep,
    checkDependencies: shared.checkDependencies,
    moveOn: shared.moveOn,
    writeNothing: () => moveRow.run(),
    forget,
    ends: createEndRows(db),
    beside: (name) => copied.all(name) as Beside[],
  };
}
