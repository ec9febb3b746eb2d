/** The rows of a store in a file, as a copy takes and puts them. */
import { type FactChange, homeOf } from '../../bank/index.js';
import { SandgateError } from '../../spec/index.js';
import type { CopiedRow, CopiedTable, CopySource, CopyTarget, Table } from '../copy/tables.js';
import { keepKey, keyFrom } from '../key-file.js';
import { createChainRows } from './chain-rows.js';
import { type Database, openDatabase } from './driver.js';
import { storeFault } from './faults.js';
import { isCopying, prepareSchema, refuseCopying, refuseOlder } from './migrations.js';
import { createRows, IN_ORDER } from './rows.js';
import { lockServing, type ServingLock } from './serving.js';

/** Rows of a page; fewer if they are large. */
const ROWS = 1_000;
const PAGE_BYTES = 4_194_304;

const OF_WORLDS = 'FROM facts JOIN layers ON layers.id = facts.layer WHERE world IS NOT NULL';
const COLUMNS = 'turn, seq, id, hash, own, shape, verdicts, findings, request_body';

/** Entries are in the order of their places; somebody may have put several at one place. */
const QUERIES: Readonly<Record<CopiedTable, string>> = {
  chains: `SELECT id, name, coalesce(store, (SELECT store FROM identity)), started_at, last_at, last, head, exchanges, begun,
      first_turn, turn FROM sessions WHERE name IS NOT NULL ORDER BY ${IN_ORDER}`,
  parts: 'SELECT session, id, content FROM parts WHERE session = @chain',
  certificates: 'SELECT session, reference, facts FROM certificates WHERE session = @chain',
  entries: `SELECT 'exchanges', ${COLUMNS}, answer_body FROM exchanges WHERE session = @chain
    UNION ALL SELECT 'beginnings', ${COLUMNS}, NULL FROM beginnings WHERE session = @chain
    UNION ALL SELECT 'notes', turn, seq, hash, at, kind, settings, NULL, NULL, NULL, NULL FROM notes WHERE session = @chain
    ORDER BY 3, 4`,
  worlds: `SELECT world, coalesce(epoch, 0), coalesce(steps, 0), coalesce(header, '{}')
    FROM (SELECT world FROM layers UNION SELECT world FROM worlds UNION SELECT world FROM partitions)
    LEFT JOIN worlds USING (world) WHERE world IS NOT NULL ORDER BY world`,
  layers:
    'SELECT world, id, parent, snapshot, at, clock FROM layers WHERE world IS NOT NULL ORDER BY world, id',
  partitions: 'SELECT world, partition, version FROM partitions',
  facts: `SELECT parent, world, layer, family, key, fact ${OF_WORLDS} ORDER BY turn`,
};

export function openSqliteSource(path: string): CopySource {
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
      key: keyFrom(`${path}.key`, true),
      *rows(table, chain) {
        for (const page of pages(opened, path, QUERIES[table], chain === undefined ? [] : [{ chain }]))
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
    const rows = db.prepare(sql).raw();
    for (const row of rows.iterate(...values) as IterableIterator<CopiedRow>) {
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

/** What a row goes into; facts lie in their layers, where of two with one key the later one counts: on a server they may be in two partitions. */
const INTO: Readonly<Record<Table, string>> = {
  chains:
    'INTO sessions (id, name, store, started_at, last_at, last, head, exchanges, begun, first_turn, turn)',
  parts: 'INTO parts (session, id, content)',
  certificates: 'INTO certificates (session, reference, facts)',
  exchanges: `INTO exchanges (session, ${COLUMNS}, answer_body)`,
  beginnings: `INTO beginnings (session, ${COLUMNS})`,
  notes: 'INTO notes (session, turn, seq, hash, at, kind, settings)',
  worlds: 'INTO worlds (world, epoch, steps, header, forgotten)',
  layers: 'INTO layers (world, id, parent, snapshot, at, clock)',
  partitions: 'INTO partitions (world, partition, version, turn)',
  facts: 'OR REPLACE INTO facts (layer, family, key, turn, fact)',
};
/** Facts that were forgotten, and the newest one of a partition, are told to nobody. */
const BEGUN_ANEW = 0;
const CHANGED: Partial<Record<Table, (row: CopiedRow) => CopiedRow>> = {
  worlds: (row) => [...row, BEGUN_ANEW],
  partitions: (row) => [...row, BEGUN_ANEW],
  facts: (row) => row.slice(2),
};

export function openSqliteTarget(path: string): CopyTarget {
  let db: Database | undefined;
  let lock: ServingLock | undefined;
  try {
    db = openDatabase({ path, readonly: false });
    refuseOlder(db, path);
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
  const inserts = new Map(
    Object.entries(INTO).map(([table, into]) => {
      const values = into.split(',').map(() => '?');
      return [table, db.prepare(`INSERT ${into} VALUES (${values.join(', ')})`)];
    }),
  );
  const tables = [...new Set(Object.values(INTO).map((into) => /INTO (\w+)/.exec(into)?.[1]))];
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
          for (const row of rows) inserts.get(table)?.run(...(CHANGED[table]?.(row) ?? row));
        }).immediate,
      ),
    chainRows: createChainRows(db, createRows(db)),
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
