/** Stores of older versions are brought up to date when they are opened. */
import { hash } from 'node:crypto';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { numberOfId } from '../../src/exchange/index.js';
import { earlierLink } from '../../src/store/chain.js';
import { createSqliteStore, type RecordedExchange } from '../../src/store/index.js';
import { MIGRATIONS as POSTGRES_MIGRATIONS } from '../../src/store/postgres/migrations.js';
import { recordTexts } from '../../src/store/record-codec.js';
import { MIGRATIONS, runStep } from '../../src/store/sqlite/migrations.js';
import { DROP_SQLITE_VIEWS, POSTGRES_VIEWS, SQLITE_VIEWS } from '../../src/store/views.js';
import { NOW } from '../builders.js';
import { aPath, append, aStore, factsIn, idsIn, recordSource } from './stores.js';

/** As it was before the facts of a living bank stood beside it. */
const LEDGER =
  'CREATE TABLE ledger (family TEXT, key TEXT, turn INTEGER, fact TEXT, PRIMARY KEY (family, key))';

const WITHOUT_TURNS = `${DROP_SQLITE_VIEWS} ${['parts', 'certificates', 'exchanges', 'beginnings', 'notes']
  .map((table) => `ALTER TABLE ${table} RENAME COLUMN chain TO session;`)
  .join('')}
  ALTER TABLE parts RENAME COLUMN part TO id; ALTER TABLE chains RENAME COLUMN session TO name;
  ALTER TABLE chains RENAME TO sessions; DROP INDEX exchanges_by_turn; ALTER TABLE exchanges DROP COLUMN turn;
  ALTER TABLE beginnings DROP COLUMN turn; ALTER TABLE notes DROP COLUMN turn;
  DROP TABLE keys; ALTER TABLE identity DROP COLUMN erasures; ALTER TABLE identity DROP COLUMN heard;
  ALTER TABLE identity DROP COLUMN copying;`;
const WITHOUT_WORLDS = 'DROP TABLE facts; DROP TABLE layers; DROP TABLE worlds; DROP TABLE partitions;';

function schemaOf(path: string): unknown[] {
  const db = new Sqlite(path, { readonly: true });
  const rows = db
    .prepare("SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name")
    .all();
  const versions = [
    db.pragma('user_version', { simple: true }),
    db.pragma('application_id', { simple: true }),
  ];
  db.close();
  return [...rows, versions];
}

const freshPath = (): string => {
  const path = aPath();
  createSqliteStore({ path }).close();
  return path;
};

describe.each(MIGRATIONS.map((_, version) => version))('a store of version %i', (version) => {
  it('becomes one of today', () => {
    const path = aPath();
    if (version > 0) {
      const application = schemaOf(freshPath()).at(-1) as [number, number];
      const db = new Sqlite(path);
      for (const step of MIGRATIONS.slice(0, version)) runStep(db, step);
      db.pragma(`application_id = ${application[1]}`);
      db.pragma(`user_version = ${version}`);
      db.close();
    }
    const store = aStore({ path });
    append(store, recordSource()());
    expect(idsIn(store)).toHaveLength(1);
    store.close();
    expect(schemaOf(path)).toEqual(schemaOf(freshPath()));
  });
});

it('other views need another version, by an empty migration: stores of today would keep the old ones', () => {
  const digest = (sql: string) => hash('sha256', sql).slice(0, 8);
  expect([MIGRATIONS.length, digest(SQLITE_VIEWS)]).toEqual([13, 'b8769082']);
  expect([POSTGRES_MIGRATIONS.length, digest(POSTGRES_VIEWS.join(';'))]).toEqual([6, '8f72e4ca']);
});

it('sessions of the first release keep their links, and say that their beginning is not in the chain', () => {
  const path = aPath();
  const db = new Sqlite(path);
  for (const step of MIGRATIONS.slice(0, 2)) runStep(db, step);
  const application = schemaOf(freshPath()).at(-1) as [number, number];
  db.pragma(`application_id = ${application[1]}`);
  db.pragma('user_version = 2');
  const next = recordSource('old');
  let head = 'of one that was removed';
  const insert = db.prepare(
    'INSERT INTO exchanges (id, session, seq, hash, own, shape, verdicts) VALUES (?, 1, ?, ?, ?, ?, ?)',
  );
  const ids: string[] = [];
  for (let seq = 5; seq < 9; seq++) {
    const record = next({ call: { certificate: 'absent' } });
    const texts = recordTexts({ ...record, exchange: { ...record.exchange, answer: null } });
    head = earlierLink(head, seq, texts, false);
    const { id } = record.exchange.call;
    ids.push(id);
    insert.run(numberOfId(id), seq, head, texts.own, texts.shape.text, texts.verdicts?.text);
  }
  db.exec(`INSERT INTO sessions VALUES (1, 'old', ${NOW}, ${NOW + 4}, 5, 8, 'of one that was removed', '${head}', 0);
    INSERT INTO notes (session, at, kind, settings) VALUES (1, ${NOW}, 'started', '{"profile":"sandbox"}')`);
  db.close();

  const store = aStore({ path });
  expect([...store.chains.verify('old')]).toEqual([]);
  expect(store.chains.of('old')[0]).toMatchObject({ isEarlier: true, entries: 10 });
  expect(store.sessions()[0]).toMatchObject({
    ...{ exchanges: 4, head: Buffer.from(head, 'base64url').toString('hex') },
    notes: [{ kind: 'started', settings: { profile: 'sandbox' } }],
  });
  append(store, next(), next());
  for (const id of ids) expect(store.chains.verifyLink(id)).toEqual([]);
  expect([...store.chains.verify('old')]).toEqual([]);
  for (const _ of store.remove('old', { before: ids[2] as string, at: NOW }));
  expect([...store.chains.verify('old')]).toEqual([]);
  expect(store.chains.of('old')[0]?.removed).toMatchObject({ exchanges: 2, lost: 0 });
  const tampering = new Sqlite(path);
  tampering.exec("UPDATE notes SET settings = '{}' WHERE kind = 'started'");
  tampering.close();
  expect([...store.chains.verify('old')]).toMatchObject([{ kind: 'changed', note: 'started' }]);
});

it('beginnings that stood among the exchanges keep their places in the chain', () => {
  const path = aPath();
  const store = aStore({ path });
  const next = recordSource();
  const records = [next(), next(), next()];
  for (const record of records) {
    const fault = { kind: 'unfinished', message: 'Sent to the bank.' } as const;
    const begun = { ...record, exchange: { ...record.exchange, answer: null, fault } };
    store.append({ begun: [begun], records: [], changes: [] });
  }
  append(store, ...records.slice(0, 2));
  const newest = store.calls.newest();
  store.close();
  const db = new Sqlite(path);
  db.exec(`${WITHOUT_TURNS} INSERT INTO exchanges SELECT -id, session, seq, hash, own, shape, verdicts, findings, request_body, NULL FROM beginnings;
    DROP TABLE beginnings; ${WITHOUT_WORLDS} ${LEDGER}`);
  db.pragma('user_version = 5');
  db.close();

  const opened = aStore({ path });
  expect([...opened.chains.verify('test')]).toEqual([]);
  expect(opened.calls.unfinished('test').map(({ exchange }) => exchange.call.id)).toEqual([newest]);
  expect([opened.calls.newest(), idsIn(opened).length, opened.sessions()[0]?.exchanges]).toEqual([
    newest,
    2,
    2,
  ]);
  append(opened, records[2] as RecordedExchange);
  expect([...opened.chains.verify('test')]).toEqual([]);
  expect(opened.calls.unfinished('test')).toEqual([]);
});

it('a store that is up to date is left alone', () => {
  const path = freshPath();
  const before = schemaOf(path);
  for (let i = 0; i < 3; i++) createSqliteStore({ path }).close();
  expect(schemaOf(path)).toEqual(before);
});

it('what a ledger of an earlier version held is the common world, in the order of its changes', async () => {
  const path = aPath();
  createSqliteStore({ path }).close();
  const db = new Sqlite(path);
  db.exec(`${WITHOUT_TURNS} ${WITHOUT_WORLDS} ${LEDGER};
    INSERT INTO ledger VALUES ('tokens', 'a', 7, '{"tpp":"T"}'), ('codes', 'b', 3, '{}')`);
  db.pragma('user_version = 6');
  db.close();
  const facts = await factsIn(aStore({ path }));
  expect(facts.map(({ family, key }) => `${family} ${key}`)).toEqual(['codes b', 'tokens a']);
});
