/** The database behind queries that are written once: it runs statements, and holds transactions. */
import type { Column } from '../columns.js';
import type { Awaitable } from '../port.js';
import { type Steps, wait } from '../steps.js';

export type Row = readonly unknown[];

/** Parameters have types (`$1::int8`), and lists are compared by `= ANY ($1::int8[])`: SQLite's driver writes both its own way. */
export type Query = (text: string, values?: readonly unknown[]) => Awaitable<Row[]>;

export interface Database {
  readonly query: Query;
  /** Reads as of one moment. */
  readonly atOneMoment: <T>(work: (query: Query) => Steps<never, T>) => Awaitable<T>;
  /** Keeps all that it writes, or nothing. */
  readonly inTransaction: <T>(work: (query: Query) => Steps<never, T>) => Awaitable<T>;
  readonly dialect: Dialect;
}

/** The differences between the databases' tables. */
export interface Dialect {
  /** The column by which the entries of a chain are ordered, and found by an index. */
  readonly order: 'seq' | 'turn';
  /** Tells apart notes that somebody put at one place. */
  readonly noteKey: 'id' | 'seq';
  /** A key of the rows of a chain, in each of the tables of entries. */
  readonly rowKey: 'rowid' | 'turn';
  /** By what a chain names its store. */
  readonly storeName: string;
  /** Joins the newest exchange of each chain, as `newest`. */
  readonly newest: string;
  /** Entries at places that were never given: the place of the last is `$2`, the first turn `$3`. */
  readonly strays: readonly string[];
  /** Whether an entry may have an id that was given after the turn `$2`. */
  readonly mayHaveId: string;
  /** A condition that an exchange `ended` meets if it can be the end of the beginning `entry`. */
  readonly mayEnd: string;
  /** Whether nobody adds to a chain any more who looks after it. */
  readonly isLeft: string;
  /** The bytes that a chain gives back with `$2` exchanges and `$3` beginnings, if they are counted. */
  readonly lessBytes: string;
  /** Locks the session `$1` and its world in the order of a batch, so that none of both waits for the other one. */
  readonly lockSession: readonly string[];
  /** Moves world `$1`, whose session is removed, so that others notice. */
  readonly forgetWorld: readonly string[];
  readonly columnOf: (value: unknown) => Column;
  /** The inverse: a value for a column. */
  readonly valueOf: (column: Column) => unknown;
  /** Whether a column holds the number of a part. */
  readonly isPart: (column: string) => string;
  /** The number of a part, as columns hold it. */
  readonly part: string;
  /** Columns by which facts are ordered, and each is found, with a first value that none has. */
  readonly factKey: Readonly<Record<string, readonly [type: string, before: unknown]>>;
  /** The facts with their worlds. */
  readonly facts: string;
  /** Moves world `$1` on as a whole, so that all gateways that share it load it anew. */
  readonly renewWorld: string;
}

/** The order in which chains began. */
export const IN_ORDER = 'first_turn IS NULL, first_turn, chains.id';

/** The first row that a query finds. */
export function* first(
  query: Query,
  text: string,
  values: readonly unknown[],
): Steps<never, Row | undefined> {
  return (yield* wait(query(text, values)))[0];
}
