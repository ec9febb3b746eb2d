/**
 * Tells other gateways which worlds were written to, so that they keep their copies warm. Not in the commits: the server
 * lets one transaction at a time tell something, whatever it is of.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { arrayOf } from './arrays.js';
import type { Pool } from './pool.js';

const PAUSE_MS = 100;
/** PostgreSQL's limit for a name. */
const MOST_CHARACTERS = 63;

/** Schemas whose long names begin alike share one: a notice too many does no harm. */
export const channelOf = (schema: string): string => `sandgate ${schema}`.slice(0, MOST_CHARACTERS);

export function createNotices(
  near: Pick<Pool, 'query'>,
  { schema, writer }: { readonly schema: string; readonly writer: () => number },
) {
  let waiting = new Set<string>();
  let isTelling = false;

  async function send(): Promise<void> {
    isTelling = true;
    while (waiting.size > 0) {
      const worlds = arrayOf('text', [...waiting]);
      waiting = new Set();
      // A gateway that misses this notice learns it from a failed batch.
      await near
        .query(
          `SELECT set_config('synchronous_commit', 'off', true),
             pg_notify($3, $2::text || ' ' || world) FROM unnest($1::text[]) AS given (world)`,
          [worlds, String(writer()), channelOf(schema)],
        )
        .catch(() => {});
      await sleep(PAUSE_MS, null, { ref: false });
    }
    isTelling = false;
  }

  return {
    /** The first at once, what follows within `PAUSE_MS` all together. */
    tell: (worlds: Iterable<string>) => {
      for (const world of worlds) waiting.add(world);
      if (!isTelling) void send();
    },
    /** The world that others tell of; null where this process did. */
    read: (text: string) => {
      const space = text.indexOf(' ');
      return Number(text.slice(0, space)) === writer() ? null : text.slice(space + 1);
    },
  };
}

const MOST = 10_000;

export function createStamps() {
  const stamps = new Map<string, number>();
  let last = 0;
  /** The stamp of all worlds that have none of their own. */
  let common = 0;
  const renew = (): void => {
    stamps.clear();
    last += 1;
    common = last;
  };
  return {
    of: (world: string) => stamps.get(world) ?? common,
    /** Others wrote to it. */
    notice: (world: string) => {
      if (stamps.size > MOST) renew();
      last += 1;
      stamps.set(world, last);
    },
    /** All have another one: nobody knows what was written. */
    renew,
  };
}
