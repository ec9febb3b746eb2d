/** The rows of a store in a file, as a copy takes and puts them. */
import { type FactChange, homeOf } from '../../bank/index.js';
import { SandgateError } from '../../spec/index.js';
import {
  type CopiedRow,
  type CopiedTable,
  type CopySource,
  type CopyTarget,
  queriesFor,
  TABLES,
  type Table,
} from '../copy/tables.js';
import { keepKey, keyFileOf, keyFrom } from '../key-file.js';
import { createQueries } from '../rows/queries.js';
import { createDatabase, DIALECT, prepare } from './database.js';
import { type Database, openDatabase } from './driver.js';
import { storeFault } from './faults.js';
import { isCopying, prepareSchema, refuseCopying } from './migrations.js';
import { createPages } from './pages.js';
import { lockServing, type ServingLock } from './serving.js';

/** Rows of a page; fewer if they are large. */
const ROWS = 1_000;
const PAGE_BYTES = 4_194_304;

const OF_WORLDS = 'FROM facts JOIN layers ON layers.id = facts.layer WHERE world IS NOT NULL';
const QUERIES: Readonly<Record<CopiedTable, string>> = {
  ...queriesFor(DIALECT),
  worlds: `SELECT world, coalesce(epoch, 0), coalesce(steps, 0), coalesce(header, '{}')
    FROM (SELECT world FROM layers UNION SELECT world FROM worlds UNION SELECT world FROM partitions)
    LEFT JOIN worlds USING (world) WHERE world IS NOT NULL ORDER BY world`,
  layers:
    'SELECT world, id, parent, snapshot, at, clock FROM layers WHERE world IS NOT NULL ORDER BY world, id',
  facts: `SELECT parent, world, layer, family, key, fact ${OF_WORLDS} ORDER BY turn`,
};

export function openSqliteSource(path: string, keyFile: string): CopySource {
  let db: Database | undefined;
  try {
    db = openDatabase({ path, readonly: true });
    prepareSchema(db, path, true);
    refuseCopying(db, path);
    const opened = db;
    // The first row that is read fixes the moment.
    db.exec('BEGIN');
    const homes = createHomes(db);
    return {
      store: storeIn(db),
      name: path,
      key: keyFrom(keyFileOf(path, keyFile), true),
      *rows(table, chain) {
        for (const page of pages(opened, path, QUERIES[table], [chain]))
          yield table === 'facts' ? page.flatMap((row) => homes(row as FactRow)) : page;
      },
      countFacts: () => opened.prepare(`SELECT count(*) ${OF_WORLDS}`).pluck().get() as number,
      close: () => void opened.close(),
    };
  } catch (error) {
    db?.close();
    throw storeFault(error, path);
  }
}

const storeIn = (db: Database): string => String(db.prepare('SELECT store FROM identity').pluck().get());

function* pages(
  db: Database,
  path: string,
  sql: string,
  values: readonly unknown[],
): IterableIterator<CopiedRow[]> {
  let page: CopiedRow[] = [];
  let bytes = 0;
  try {
    const { statement, bind } = prepare(db, sql);
    for (const row of statement.iterate(...bind(values)) as IterableIterator<CopiedRow>) {
      page.push(row);
      for (const value of row)
        if (typeof value === 'string' || value instanceof Uint8Array) bytes += value.length;
      if (page.length < ROWS && bytes < PAGE_BYTES) continue;
      yield page;
      [page, bytes] = [[], 0];
    }
  } catch (error) {
    throw storeFault(error, path);
  }
  if (page.length > 0) yield page;
}

type FactRow = readonly [
  parent: number | null,
  world: string,
  layer: number,
  family: FactChange['family'],
  key: string,
  fact: string | null,
];

/** Facts with their homes. A removal is at home where the fact was, which is below it; one that is nowhere below says nothing, and is left out. */
function createHomes(db: Database) {
  const below = db
    .prepare(
      'SELECT fact, parent FROM layers LEFT JOIN facts ON layer = id AND family = ? AND key = ? WHERE id = ?',
    )
    .raw();
  return ([parent, world, layer, family, key, fact]: FactRow): CopiedRow[] => {
    let known = fact;
    for (let at = parent; known === null && at !== null; )
      [known, at] = below.get(family, key, at) as [string | null, number | null];
    return known === null ? [] : [[homeOf(family, key, JSON.parse(known)), world, layer, family, key, fact]];
  };
}

/** Facts that were forgotten, and the newest one of a partition, are known to nobody. */
const MORE: Partial<Record<Table, string>> = { worlds: 'forgotten', partitions: 'turn' };

/** Facts lie in their layers, where of two with one key the later one counts: on a server they may be in two partitions. */
function insertInto(db: Database, table: Table): (row: CopiedRow) => void {
  const isFacts = table === 'facts';
  const names = Object.keys(TABLES[table]).slice(isFacts ? 2 : 0);
  const more = MORE[table];
  const values = names.map(() => '?').join(', ');
  const insert = db.prepare(
    `INSERT ${isFacts ? 'OR REPLACE ' : ''}INTO ${table} (${more === undefined ? '' : `${more}, `}${names.join(', ')})
       VALUES (${more === undefined ? '' : '0, '}${values})`,
  );
  return (row) => void insert.run(...row.slice(-names.length));
}

export function openSqliteTarget(path: string): CopyTarget {
  let db: Database | undefined;
  let lock: ServingLock | undefined;
  try {
    db = openDatabase({ path, readonly: false });
    prepareSchema(db, path, false);
    db.pragma('journal_mode = WAL');
    lock = lockTarget(path);
    return targetIn(db, path, lock);
  } catch (error) {
    lock?.release();
    db?.close();
    throw storeFault(error, path);
  }
}

/** Nobody serves on it, or copies into it, for as long as this process lives. */
function lockTarget(path: string): ServingLock {
  try {
    return lockServing(path);
  } catch (cause) {
    if (cause instanceof SandgateError && cause.code === 'store.served')
      throw new SandgateError('store.copy-busy', { store: path }, { cause });
    throw cause;
  }
}

function targetIn(db: Database, path: string, lock: ServingLock): CopyTarget {
  const guarded = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      throw storeFault(error, path);
    }
  };
  const tables = Object.keys(TABLES) as Table[];
  const inserts = new Map(tables.map((table) => [table, insertInto(db, table)]));
  const store = storeIn(db);
  return {
    store,
    name: path,
    begin: (key) => {
      const hadRest = isCopying(db);
      const begin = db.transaction(() => {
        const used = tables.find((table) => db.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() !== undefined);
        if (used !== undefined && !hadRest) throw new SandgateError('store.copy-used', { store: path });
        if (key !== null && !keepKey(`${path}.key`, key))
          throw new SandgateError('store.copy-other-key', { file: `${path}.key` });
        db.prepare('UPDATE identity SET copying = 1').run();
        for (const table of tables) db.prepare(`DELETE FROM ${table}`).run();
      });
      guarded(begin.immediate);
      // Until it is finished it is nobody's, whatever a power failure leaves of it.
      db.pragma('synchronous = OFF');
      return { hadRest };
    },
    put: (table, rows) =>
      guarded(
        db.transaction(() => {
          for (const row of rows) inserts.get(table)?.(row);
        }).immediate,
      ),
    chainRows: createQueries(createDatabase(db), createPages).chainRows,
    finish: () =>
      guarded(() => {
        db.pragma('synchronous = FULL');
        // Something is to be written, or the checkpoint does not wait for what is in the file already.
        db.prepare('UPDATE identity SET copying = 1').run();
        db.pragma('wal_checkpoint(TRUNCATE)');
        db.prepare('UPDATE identity SET copying = 0').run();
        db.pragma('wal_checkpoint(TRUNCATE)');
      }),
    close: () => {
      lock.release();
      db.close();
    },
  };
}
