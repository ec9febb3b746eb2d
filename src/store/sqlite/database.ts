/** SQLite, for the queries that are written once for all databases. */
import type { Column } from '../columns.js';
import type { Database as CommonDatabase, Dialect, Query, Row } from '../rows/database.js';
import { outcomeAtOnce, type Steps } from '../steps.js';
import type { Database, Statement } from './driver.js';

export const DIALECT: Dialect = {
  order: 'seq',
  noteKey: 'id',
  rowKey: 'rowid',
  storeName: 'coalesce(store, (SELECT store FROM identity))',
  newest:
    'LEFT JOIN exchanges AS newest ON newest.id = (SELECT id FROM exchanges WHERE chain = chains.id ORDER BY seq DESC LIMIT 1)',
  strays: ['seq < 1', 'seq > $2::int8', 'seq IS NULL'],
  mayHaveId: 'TRUE',
  mayEnd: 'TRUE',
  // Copied chains have no writer here.
  isLeft: 'TRUE',
  lessBytes: '',
  lockSession: [],
  forgetWorld: [
    'UPDATE layers SET world = NULL WHERE world = $1',
    'DELETE FROM partitions WHERE world = $1',
    "UPDATE worlds SET epoch = epoch + 1, steps = steps + 1, header = '{}', forgotten = 0 WHERE world = $1",
  ],
  columnOf: (value) => value as Column,
  valueOf: (column) => column,
  isPart: (column) => `typeof(${column}) IN ('integer', 'real')`,
  part: 'part',
  factKey: { turn: ['int8', -1] },
  facts: 'facts LEFT JOIN layers ON layers.id = facts.layer',
  renewWorld: `INSERT INTO worlds VALUES ($1, 1, 1, '{}', 0)
    ON CONFLICT DO UPDATE SET epoch = epoch + 1, steps = steps + 1, forgotten = 0`,
};

export function createDatabase(db: Database): CommonDatabase {
  const query = createQuery(db);
  const inOne = <T>(work: (query: Query) => Steps<never, T>): (() => T) =>
    db.transaction(() => outcomeAtOnce(work(query)));
  return {
    query,
    dialect: DIALECT,
    atOneMoment: (work) => inOne(work)(),
    inTransaction: (work) => db.transaction(() => outcomeAtOnce(work(query))).immediate(),
  };
}

function createQuery(db: Database): (text: string, values?: readonly unknown[]) => Row[] {
  const known = new Map<string, Prepared>();
  return (text, values) => {
    const prepared = known.get(text) ?? prepare(db, text);
    known.set(text, prepared);
    const { statement, bind } = prepared;
    if (statement.reader) return statement.all(...bind(values)) as Row[];
    statement.run(...bind(values));
    return [];
  };
}

interface Prepared {
  readonly statement: Statement;
  readonly bind: (values?: readonly unknown[]) => unknown[];
}

/** Parameters by their numbers become parameters in order, and lists are JSON. */
export function prepare(db: Database, text: string): Prepared {
  const sql = text
    .replaceAll(/= ANY \((\$\d+)::\w+\[\]\)/g, 'IN (SELECT value FROM json_each($1))')
    .replaceAll(/ FOR UPDATE|::\w+/g, '');
  const places = [...sql.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number) - 1);
  const statement = db.prepare<unknown[]>(sql.replaceAll(/\$\d+/g, '?'));
  const bind = (values: readonly unknown[] = []): unknown[] =>
    places.map((place) => {
      const value = values[place];
      return Array.isArray(value) ? JSON.stringify(value) : value;
    });
  return { statement: statement.reader ? statement.raw() : statement, bind };
}
