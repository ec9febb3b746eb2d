/** Stores of other versions are brought up to date when they are opened, or refused. */
import { hash } from 'node:crypto';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { createSqliteStore } from '../../src/store/index.js';
import { VERSION as POSTGRES_VERSION } from '../../src/store/postgres/migrations.js';
import { prepareSchema, VERSION } from '../../src/store/sqlite/migrations.js';
import { POSTGRES_VIEWS, SQLITE_VIEWS } from '../../src/store/views.js';
import { aPath, append, aStore, idsIn, recordSource } from './stores.js';

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

function withVersion(path: string, version: number): void {
  const db = new Sqlite(path);
  db.pragma(`user_version = ${version}`);
  db.close();
}

it('a store of today becomes one of the next version, with what it holds, as a new one does', () => {
  const next = ['ALTER TABLE notes ADD COLUMN later TEXT'];
  const path = freshPath();
  const store = aStore({ path });
  append(store, recordSource()());
  store.close();
  const bringUp = (file: string) => {
    const db = new Sqlite(file);
    prepareSchema(db, file, false, next);
    db.close();
    return schemaOf(file);
  };
  expect(bringUp(path)).toEqual(bringUp(aPath()));
  expect(() => createSqliteStore({ path })).toThrow(
    `store version ${VERSION + 1}, this one knows ${VERSION}`,
  );
  withVersion(path, VERSION);
  expect(idsIn(aStore({ path }))).toHaveLength(1);
});

it('a store of before the first release is refused, and left as it is', () => {
  const path = freshPath();
  withVersion(path, VERSION - 1);
  const before = schemaOf(path);
  for (const readonly of [false, true])
    expect(() => createSqliteStore({ path, readonly })).toThrow('of a version before the first release');
  expect(schemaOf(path)).toEqual(before);
});

it('other views need another version, by an empty migration: stores of today would keep the old ones', () => {
  const digest = (sql: string) => hash('sha256', sql).slice(0, 8);
  expect([VERSION, digest(SQLITE_VIEWS)]).toEqual([13, 'b8769082']);
  expect([POSTGRES_VERSION, digest(POSTGRES_VIEWS.join(';'))]).toEqual([6, '8f72e4ca']);
});

it('a store that is up to date is left alone', () => {
  const path = freshPath();
  const before = schemaOf(path);
  for (let i = 0; i < 3; i++) createSqliteStore({ path }).close();
  expect(schemaOf(path)).toEqual(before);
});
