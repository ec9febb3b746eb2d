/** Partitions of the recorded by time, one a day; made ahead, so that no commit waits for one. */
import { DAY_MS, dateOf } from '../../spec/index.js';
import { turnAt } from '../turns.js';
import type { Connection } from './client.js';
import { BRIEF, within } from './pool.js';

export const PARTITIONED = ['exchanges', 'beginnings'] as const;
/** Made when the last one but so many has begun. */
const AHEAD = 2;

export interface Partitions {
  /** Does nothing where they are there. */
  readonly makeAhead: (connection: Connection, now: number) => Promise<void>;
  /** They may be gone. */
  readonly forget: () => void;
}

export function createPartitions(schema: string): Partitions {
  /** Days since 1970. */
  let madeUntil = Number.NEGATIVE_INFINITY;
  return {
    makeAhead: async (connection, now) => {
      const today = Math.floor(now / DAY_MS);
      if (madeUntil > today) return;
      await makeDays(connection, schema, today, AHEAD + 1);
      madeUntil = today + AHEAD;
    },
    forget: () => {
      madeUntil = Number.NEGATIVE_INFINITY;
    },
  };
}

/** Attached when it is made: what writes to the others meanwhile goes on. */
export const makeDays = (
  connection: Connection,
  schema: string,
  from: number,
  count: number,
): Promise<void> =>
  within(BRIEF, async ({ query }) => {
    await query("SELECT pg_advisory_xact_lock(hashtextextended('sandgate days ' || $1, 0))", [schema]);
    for (const table of PARTITIONED)
      for (let day = from; day < from + count; day++) {
        const name = nameOf(table, day);
        const [row] = await query('SELECT to_regclass($1) IS NULL', [name]);
        if (row?.[0] !== true) continue;
        await query(`CREATE TABLE ${name} (LIKE ${table} INCLUDING STORAGE INCLUDING COMPRESSION)`);
        await query(
          `ALTER TABLE ${table} ATTACH PARTITION ${name} FOR VALUES FROM (${turnAt(day * DAY_MS)}) TO (${turnAt((day + 1) * DAY_MS)})`,
        );
      }
  })(connection);

const nameOf = (table: string, day: number): string => `${table}_${dateOf(day).replaceAll('-', '_')}`;
