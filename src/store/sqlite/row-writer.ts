/** Writes rows, each by a statement that is prepared once. */
import { createCertificateWriter } from '../certificates.js';
import { type Beside, readRemoved } from '../chain-notes.js';
import { createColumnWriter, writeText } from '../columns.js';
import type { ChainEnd, EndRows, RowWriter, SessionEnd } from '../driver.js';
import { readSettings } from '../tampered.js';

import type { Database } from './driver.js';
import { createFactWriter } from './fact-rows.js';
import { refuseCopying } from './migrations.js';
import { createSharedWriter } from './world-rows.js';

/** `onErased`: another process may have destroyed keys that are remembered. */
export function createRowWriter(db: Database, onErased: () => void): RowWriter {
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const rollback = db.prepare('ROLLBACK');
  const version = db.prepare('PRAGMA data_version').pluck();
  const store = db.prepare('SELECT store FROM identity').pluck();
  const session = db
    .prepare('SELECT id, last, head, last_at FROM chains WHERE session = ? AND store IS NULL')
    .raw();
  const copied = db
    .prepare('SELECT store, last, head FROM chains WHERE session = ? AND store IS NOT NULL')
    .raw();
  const create = db.prepare('INSERT INTO chains (session, started_at, last_at) VALUES (?, ?, ?)');
  const update = db.prepare(
    'UPDATE chains SET last = ?, head = ?, exchanges = exchanges + ?, begun = begun + ?, last_at = ? WHERE id = ?',
  );
  // The row finds another place: one that stays as it is is not written at all.
  const moveRow = db.prepare('UPDATE identity SET rowid = 3 - rowid');
  const insertNote = db.prepare(
    'INSERT INTO notes (chain, seq, hash, at, kind, settings) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const insert = db.prepare(
    'INSERT INTO exchanges (id, chain, seq, hash, own, shape, verdicts, findings, request_body, answer_body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const insertBegun = db.prepare(
    'INSERT INTO beginnings (id, chain, seq, hash, own, shape, verdicts, findings, request_body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const insertPart = db.prepare('INSERT INTO parts (chain, content) VALUES (?, ?)');
  const insertCertificate = db.prepare(
    'INSERT OR IGNORE INTO certificates (chain, reference, facts) VALUES (?, ?, ?)',
  );
  const insertKey = db.prepare('INSERT INTO keys (chain, key, wrapped) VALUES (?, ?, ?)');
  const columns = createColumnWriter((session, content) =>
    Number(insertPart.run(session, content).lastInsertRowid),
  );
  const certificates = createCertificateWriter((session, reference, facts) =>
    insertCertificate.run(session, reference, facts),
  );
  const facts = createFactWriter(db);
  const shared = createSharedWriter(db);

  const erasures = db.prepare('SELECT erasures FROM identity').pluck();
  let [seen, erased]: unknown[] = [undefined, erasures.get()];
  /** Since it was opened, or since others wrote to it, a copy may have begun, or texts that are remembered were erased. */
  function lookAtOthers(): void {
    const now = version.get();
    if (now === seen) return;
    const erasedNow = erasures.get();
    if (erasedNow !== erased) {
      forget();
      onErased();
    }
    erased = erasedNow;
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
      lookAtOthers();
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
    writeKey: (chain, key, wrapped) => insertKey.run(chain, key, wrapped),
    writeNote: (session, seq, link, { at, kind, settings }) =>
      insertNote.run(session, seq, link, at, kind, settings),
    writeExchange: (id, session, seq, link, texts, { exchange: { call } }, isBegun) => {
      for (const one of [call.certificate, call.seal])
        if (typeof one === 'object') certificates.keep(session, one);
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

const TABLES = ['exchanges', 'beginnings', 'notes'];

/** Entries by their places. */
function createEndRows(db: Database): EndRows {
  const removed = db
    .prepare("SELECT settings FROM notes WHERE chain = ? AND kind = 'removed' ORDER BY seq DESC LIMIT 1")
    .pluck();
  const between = TABLES.map((table) =>
    db.prepare(
      `SELECT seq AS last, hash AS head FROM ${table} WHERE chain = @session AND seq > @place AND seq < @limit AND typeof(seq) = 'integer' ORDER BY seq DESC LIMIT 1`,
    ),
  );
  const at = TABLES.map((table) =>
    db.prepare(`SELECT hash FROM ${table} WHERE chain = ? AND seq = ?`).pluck(),
  );
  return {
    lastBetween: (session, place, limit) => {
      const found = between
        .map((select) => select.get({ session, place, limit }) as ChainEnd | undefined)
        .filter((end) => end !== undefined)
        .sort((a, b) => b.last - a.last)[0];
      return found === undefined ? null : { last: found.last, head: String(found.head) };
    },
    *linksAt(session, place) {
      for (const select of at) for (const link of select.all(session, place)) yield String(link);
    },
    gaps: (session) => readRemoved(readSettings(removed.get(session)))?.gaps ?? [],
  };
}
