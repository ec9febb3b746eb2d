/** Locks of a connection, by which gateways on a schema tell who is who: they end with it. */
import { SandgateError } from '../../spec/index.js';
import { SLOTS } from '../world-state.js';
import type { PostgresAddress } from './address.js';
import type { Connection } from './client.js';

/** Held by each writer for as long as it lives: the key of it, of two expressions. */
export const writerLock = (schema: string, writer: string): string =>
  `hashtextextended('sandgate writer ' || ${schema}::text, ${writer})`;

/** False where another connection holds it. */
export async function lock(
  { query }: Connection,
  schema: string,
  name: 'first' | 'slot',
  number = 0,
): Promise<boolean> {
  const [row] = await query('SELECT pg_try_advisory_lock(hashtextextended($1, $2::int8))', [
    `sandgate ${name} ${schema}`,
    number,
  ]);
  return row?.[0] === true;
}

/** The one that it had, or another one: while it was cut off, somebody may have taken that. */
export async function freeSlot(
  connection: Connection,
  { shown, schema }: PostgresAddress,
  before: number | null,
): Promise<number> {
  const all = Array.from({ length: SLOTS }, (_, number) => number);
  for (const number of before === null ? all : [before, ...all])
    if (await lock(connection, schema, 'slot', number)) return number;
  throw new SandgateError('store.crowded', { store: shown, most: SLOTS });
}

/** Whether no other gateway has a slot. */
export async function isAlone({ query }: Connection, schema: string): Promise<boolean> {
  const [row] = await query(
    `SELECT count(*)::int8 FROM pg_locks JOIN generate_series(0, $2::int8 - 1) AS slot
       ON (classid::int8 << 32 | objid::int8) = hashtextextended($1, slot)
       WHERE locktype = 'advisory' AND objsubid = 1
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [`sandgate slot ${schema}`, SLOTS],
  );
  return Number(row?.[0]) === 1;
}
