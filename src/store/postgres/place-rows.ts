/** Rows of worlds and partitions: one that is to be locked must be there, so they are made before they are needed first. */
import type { Moved } from '../world-state.js';
import { arrayOf, arraysOf } from './arrays.js';
import type { Connection } from './client.js';
import { givenText } from './odd-text.js';
import type { Collected } from './row-writer.js';

type Places = readonly (readonly [world: string, partition: string | null])[];

/** That are known to have rows. */
const MOST_SEEN = 200_000;

/** In another era what was there may be gone. */
export function createPlaceRows(era: () => number) {
  const seen = new Set<string>();
  let seenIn = era();
  const nameOf = (world: string, partition: string): string => `${world} ${partition}`;
  return {
    ensure: async (
      { query }: Connection,
      { worlds, partitions }: Pick<Collected, 'worlds' | 'partitions'>,
    ) => {
      if (seenIn !== era()) seen.clear();
      seenIn = era();
      const newWorlds = [...worlds].filter((world) => !seen.has(world));
      const newPlaces = partitions.filter((place) => !seen.has(nameOf(...place)));
      if (newWorlds.length > 0)
        await query('INSERT INTO worlds (world) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING', [
          arrayOf('text', newWorlds.sort()),
        ]);
      if (newPlaces.length > 0)
        await query(
          `INSERT INTO partitions (world, partition) SELECT DISTINCT * FROM unnest($1::text[], $2::text[]) AS given (world, partition)
             ORDER BY world, partition ON CONFLICT DO NOTHING`,
          arraysOf(['text', 'text'], newPlaces),
        );
      if (seen.size > MOST_SEEN) seen.clear();
      for (const world of newWorlds) seen.add(world);
      for (const place of newPlaces) seen.add(nameOf(...place));
    },
    /** Takes the answer to a batch: rows that have moved may be gone. */
    moved: (answer: string) => {
      const all = JSON.parse(answer, (_, text) =>
        typeof text === 'string' ? givenText(text) : text,
      ) as Places;
      for (const [world, partition] of all) if (partition !== null) seen.delete(nameOf(world, partition));
      return byWorld(all);
    },
  };
}

function byWorld(all: Places): Moved[] {
  const worlds = new Map<string, string[]>();
  for (const [world, partition] of all) {
    const partitions = worlds.get(world) ?? [];
    worlds.set(world, partitions);
    if (partition !== null) partitions.push(partition);
  }
  // If the epoch moved, all of the world did.
  const whole = new Set(all.filter(([, partition]) => partition === null).map(([world]) => world));
  return [...worlds].map(([world, partitions]) => ({
    world,
    partitions: whole.has(world) ? [] : partitions,
  }));
}
