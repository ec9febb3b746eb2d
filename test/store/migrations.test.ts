/** Stores of older versions are brought up to date when they are opened. */
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { createSqliteStore } from '../../src/store/index.js';
import { MIGRATIONS } from '../../src/store/sqlite/migrations.js';
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

describe.each(MIGRATIONS.map((_, version) => version))('a store of version %i', (version) => {
  it('becomes one of today', () => {
    const path = aPath();
    if (version > 0) {
      const application = schemaOf(freshPath()).at(-1) as [number, number];
      const db = new Sqlite(path);
      for (const step of MIGRATIONS.slice(0, version)) db.exec(step);
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

it('a store that is up to date is left alone', () => {
  const path = freshPath();
  const before = schemaOf(path);
  for (let i = 0; i < 3; i++) createSqliteStore({ path }).close();
  expect(schemaOf(path)).toEqual(before);
});
