/** The tables of a copy: rows stay as they are, so that every link, checkpoint and time stamp holds. */
import type { Awaitable, Rows } from '../port.js';
import { type Dialect, IN_ORDER } from '../rows/database.js';
import type { ChainRows } from '../rows/linked.js';

/** In `bytea` a number is the id of a part, a string itself, and bytes are compressed (columns.ts). */
export type ColumnType = 'int8' | 'text' | 'bytea';

const ENTRY = {
  chain: 'int8',
  turn: 'int8',
  seq: 'int8',
  id: 'int8',
  hash: 'text',
  own: 'bytea',
  shape: 'bytea',
  verdicts: 'bytea',
  findings: 'bytea',
  request_body: 'bytea',
} as const;
const COUNTS = { last: 'int8', head: 'text', exchanges: 'int8', begun: 'int8' } as const;
const NOTE = { hash: 'text', at: 'int8', kind: 'text', settings: 'text' } as const;

/** The tables that every store has: the columns of each, in the order in which rows have them. */
export const TABLES = {
  /** `turn` orders the entries of all chains; where a store gives its own none, `first_turn` and `turn` are null. */
  chains: {
    ...{ id: 'int8', session: 'text', store: 'text', started_at: 'int8', last_at: 'int8' },
    ...{ ...COUNTS, first_turn: 'int8', turn: 'int8' },
  },
  parts: { chain: 'int8', part: 'int8', content: 'bytea' },
  certificates: { chain: 'int8', reference: 'text', facts: 'text' },
  keys: { chain: 'int8', key: 'text', wrapped: 'text' },
  exchanges: { ...ENTRY, answer_body: 'bytea' },
  beginnings: ENTRY,
  notes: { chain: 'int8', turn: 'int8', seq: 'int8', ...NOTE },
  worlds: { world: 'text', epoch: 'int8', steps: 'int8', header: 'text' },
  layers: { world: 'text', id: 'int8', parent: 'int8', snapshot: 'text', at: 'int8', clock: 'text' },
  partitions: { world: 'text', partition: 'text', version: 'int8' },
  facts: {
    ...{ partition: 'text', world: 'text', layer: 'int8' },
    ...{ family: 'text', key: 'text', turn: 'int8', fact: 'text' },
  },
} as const satisfies Record<string, Readonly<Record<string, ColumnType>>>;

/** Columns that may hold nothing. */
const EMPTY: ReadonlySet<string> = new Set([
  'first_turn',
  'turn',
  'parent',
  'snapshot',
  'at',
  'clock',
  'fact',
]);

/** Whatever somebody put into a row becomes something that any store can hold: it does not fit its link in any case. */
export function soundRow(table: Table, row: CopiedRow): CopiedRow {
  return Object.entries<ColumnType>(TABLES[table]).map(([name, type], i) => {
    const value = row[i] ?? null;
    if (type === 'bytea' || (value === null && EMPTY.has(name))) return value;
    if (type === 'text') return String(value);
    return Number.isSafeInteger(value) ? value : 0;
  });
}

export type Table = keyof typeof TABLES;
export type CopiedRow = readonly unknown[];
/** `entries`: rows of exchanges, beginnings and notes in the order of the chain; each begins with the name of its table. */
export type CopiedTable =
  | 'chains'
  | 'parts'
  | 'certificates'
  | 'keys'
  | 'entries'
  | 'worlds'
  | 'layers'
  | 'partitions'
  | 'facts';

const COLUMNS = 'turn, seq, id, hash, own, shape, verdicts, findings, request_body';
const NO_BYTES = Array(6).fill('NULL::bytea').join(', ');

/** The queries for any database. If somebody put several entries at one place, they return all. */
export const queriesFor = ({ order, storeName }: Dialect) => ({
  chains: `SELECT id, session, ${storeName}, started_at, last_at, last, head, exchanges, begun, first_turn, turn
    FROM chains WHERE session IS NOT NULL ORDER BY ${IN_ORDER}`,
  parts: 'SELECT chain, part, content FROM parts WHERE chain = $1::int8',
  certificates: 'SELECT chain, reference, facts FROM certificates WHERE chain = $1::int8',
  keys: 'SELECT chain, key, wrapped FROM keys WHERE chain = $1::int8',
  entries: `SELECT 'exchanges', ${COLUMNS}, answer_body, NULL::text, NULL::text FROM exchanges WHERE chain = $1::int8
    UNION ALL SELECT 'beginnings', ${COLUMNS}, NULL, NULL, NULL FROM beginnings WHERE chain = $1::int8
    UNION ALL SELECT 'notes', turn, seq, at, hash, ${NO_BYTES}, kind, settings FROM notes WHERE chain = $1::int8
    ORDER BY ${order === 'turn' ? '2' : '3, 4'}`,
  partitions: 'SELECT world, partition, version FROM partitions',
});

/** Everything is read as of one moment, whoever writes meanwhile. */
export interface CopySource {
  /** Its id: no other store has it. */
  readonly store: string;
  /** Its address or path, without password. */
  readonly name: string;
  /** The secret of its fingerprints; null where it has none yet. */
  readonly key: Uint8Array | null;
  /** Pages of rows; whatever somebody made of them. Chains come in the order in which they began, facts by age. */
  readonly rows: (table: CopiedTable, chain?: number) => Rows<readonly CopiedRow[]>;
  readonly countFacts: () => Awaitable<number>;
  readonly close: () => Awaitable<void>;
}

/** A store that nobody uses yet. */
export interface CopyTarget {
  readonly store: string;
  readonly name: string;
  /**
   * From here on nobody else may use it, until it is finished; what an unfinished copy left is removed. `hadRest`: there
   * was such a copy. Throws a SandgateError where the store is in use, or holds anything else.
   */
  readonly begin: (key: Uint8Array | null) => Awaitable<{ readonly hadRest: boolean }>;
  /** All rows or none. */
  readonly put: (table: Table, rows: readonly CopiedRow[]) => Awaitable<void>;
  readonly chainRows: ChainRows;
  /** The copy is whole: gateways may serve on it. */
  readonly finish: () => Awaitable<void>;
  readonly close: () => Awaitable<void>;
}

export interface CopyPlace {
  /** See `openStore`. */
  readonly address: string;
  /** Holds the password of a server. */
  readonly passwordFile: string | undefined;
  /** Holds the secret of the fingerprints of a store on a server. */
  readonly keyFile: string;
}
