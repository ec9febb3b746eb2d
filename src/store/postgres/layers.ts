/** Worlds, their layers and their facts as rows: `worlds` knows the newest layer of each, `layers` all others. */
import {
  type FactChange,
  isBankFamily,
  type StoredFact,
  type StoredLayer,
  type WorldStep,
} from '../../bank/index.js';
import { type AwaitedRequest, MOST_AWAITED, type Owner } from '../port.js';
import type { Caught, CaughtFact, Standing } from '../standing.js';
import { readSettings } from '../tampered.js';
import type { Connection, Row } from './client.js';

type Query = Connection['query'];

/** In a transaction that has the world locked. */
export async function takeSteps({ query }: Connection, world: string, step: WorldStep): Promise<void> {
  const unname = (name: string) =>
    query('UPDATE layers SET snapshot = NULL WHERE world = $1 AND snapshot = $2', [world, name]);
  if (step.step === 'drop') return void (await unname(step.name));
  if (step.step === 'take') {
    await unname(step.name);
    await query(
      `INSERT INTO layers (world, id, parent, snapshot, at, clock)
         SELECT world, layer, parent, $2, $3::int8, $4 FROM worlds WHERE world = $1`,
      [world, step.name, step.at, JSON.stringify(step.clock)],
    );
    await query('UPDATE worlds SET parent = layer, layer = last + 1, last = last + 1 WHERE world = $1', [
      world,
    ]);
    return;
  }
  const named = step.step === 'restore' ? step.name : null;
  // What it was is nobody's any more; where there is no such snapshot, nothing befalls it.
  await query(
    `WITH base AS (
       SELECT NULL::int8 AS id WHERE $2::text IS NULL UNION ALL SELECT id FROM layers WHERE world = $1 AND snapshot = $2
     ), was AS (
       INSERT INTO left_layers (world, layer) SELECT world, layer FROM worlds, base WHERE world = $1 ON CONFLICT DO NOTHING
     )
     UPDATE worlds SET parent = base.id, layer = last + 1, last = last + 1 FROM base WHERE world = $1`,
    [world, named],
  );
}

type Named = readonly [id: number, parent: number | null, name: string | null, at: number, clock: string];

/** As of one moment. Facts that are removed are none where nothing is below them. */
export async function readLayers({ query }: Connection, world: string): Promise<StoredLayer[]> {
  const rows = (await query(
    `SELECT id, parent, snapshot, at, clock FROM layers WHERE world = $1
     UNION ALL SELECT layer, parent, NULL, NULL, NULL FROM worlds WHERE world = $1 ORDER BY id`,
    [world],
  )) as unknown as Named[];
  const layers: (StoredLayer & { facts: StoredFact[] })[] = [];
  for (const [id, parent, name, at, clock] of rows) {
    const snapshot = name === null ? null : { name, at, clock: readSettings(clock) };
    const facts = await readFacts(query, world, id, parent === null);
    layers.push({ id, parent, snapshot, facts });
  }
  // A world that was only looked at is none.
  return layers.length === 1 && layers[0]?.facts.length === 0 ? [] : layers;
}

/** Of one fetch. */
const FACTS = 10_000;

async function readFacts(
  query: Query,
  world: string,
  layer: number,
  isLowest: boolean,
): Promise<StoredFact[]> {
  const facts: StoredFact[] = [];
  await query('BEGIN', []);
  try {
    await query(
      `DECLARE facts_of_layer CURSOR FOR SELECT family, key, fact FROM facts
         WHERE world = $1 AND layer = $2::int8 AND (fact IS NOT NULL OR NOT $3::bool) ORDER BY turn`,
      [world, layer, isLowest],
    );
    for (let count = FACTS; count === FACTS; ) {
      const rows = await query(`FETCH ${FACTS} FROM facts_of_layer`, []);
      for (const [family, key, text] of rows) facts.push(storedFact(family, key, text));
      count = rows.length;
    }
    return facts;
  } finally {
    await query('ROLLBACK', []);
  }
}

function storedFact(family: unknown, key: unknown, text: unknown): StoredFact {
  if (text !== null && isBankFamily(String(family))) return { family, key, text } as StoredFact;
  return { family, key, fact: text === null ? null : JSON.parse(String(text)) } as FactChange;
}

const AUTHORISATION = `family IN ('authorisations', 'bankAuthorisations') AND key = $1 AND fact IS NOT NULL`;

export async function readWorldsOf({ query }: Connection, authorisation: string): Promise<string[]> {
  const rows = await query(
    `SELECT DISTINCT facts.world FROM facts JOIN worlds ON worlds.world = facts.world
       WHERE ${AUTHORISATION} AND (facts.layer = worlds.layer
         OR EXISTS (SELECT FROM layers WHERE layers.world = facts.world AND layers.id = facts.layer))`,
    [authorisation],
  );
  return rows.map(([world]) => String(world));
}

export async function readAwaited({ query }: Connection): Promise<AwaitedRequest[]> {
  const rows = await query(
    `SELECT facts.world, fact FROM facts JOIN worlds ON worlds.world = facts.world AND worlds.layer = facts.layer
       WHERE family = 'authorizes' AND fact LIKE '%"awaited":%' ORDER BY turn DESC LIMIT ${MOST_AWAITED}`,
  );
  return rows.map(([world, fact]) => ({ world: String(world), fact: JSON.parse(String(fact)) }));
}

export async function readOwner({ query }: Connection, authorisation: string): Promise<Owner | null> {
  const [row] = await query(
    `SELECT facts.world, facts.partition, coalesce(version, 0), steps FROM facts
       JOIN worlds ON worlds.world = facts.world
       LEFT JOIN partitions ON partitions.world = facts.world AND partitions.partition = facts.partition
       WHERE ${AUTHORISATION} AND (facts.layer = worlds.layer
         OR EXISTS (SELECT FROM layers WHERE layers.world = facts.world AND layers.id = facts.layer))
       ORDER BY turn DESC LIMIT 1`,
    [authorisation],
  );
  if (row === undefined) return null;
  const [world, home, version, steps] = row;
  return { world: String(world), home: String(home), version: Number(version), steps: Number(steps) };
}

const NO_WORLD: Row = [0, 0, '{}'];

/** What is kept after it was asked comes with `readCaught`: the cursor is the snapshot in which it was read. */
export async function readStanding({ query }: Connection, world: string): Promise<Standing> {
  const [cursor] = await query('SELECT pg_current_snapshot()::text', []);
  const [row = NO_WORLD] = await query('SELECT epoch, steps, header FROM worlds WHERE world = $1', [world]);
  const versions = await query('SELECT partition, version FROM partitions WHERE world = $1', [world]);
  return {
    epoch: Number(row[0]),
    steps: Number(row[1]),
    header: readSettings(row[2]),
    versions: new Map(versions as unknown as [string, number][]),
    cursor: cursor?.[0],
  };
}

export async function readEpoch({ query }: Connection, world: string): Promise<number> {
  const [row] = await query('SELECT epoch FROM worlds WHERE world = $1', [world]);
  return Number(row?.[0] ?? 0);
}

/** Changed since the snapshot `$2` was taken. */
const SINCE = 'tx >= pg_snapshot_xmin($2::pg_snapshot) AND NOT pg_visible_in_snapshot(tx, $2::pg_snapshot)';

/** As of one moment, in one statement: the world, then partitions that moved, then facts that changed. */
const CAUGHT = {
  name: 'sandgate_caught',
  text: `SELECT 0::int4, epoch, steps, header, pg_current_snapshot()::text,
      $2::pg_snapshot IS NOT NULL AND forgotten >= pg_snapshot_xmin($2::pg_snapshot), NULL::text, 0::int8, NULL::text
    FROM (VALUES (1)) AS one LEFT JOIN worlds ON world = $1
    UNION ALL SELECT 1, version, NULL, partition, NULL, NULL, NULL, 0, NULL FROM partitions WHERE world = $1 AND ${SINCE}
    UNION ALL (SELECT 2, NULL, NULL, partition, family, NULL, key, turn, fact FROM facts
      WHERE world = $1 AND layer = (SELECT layer FROM worlds WHERE world = $1) AND ${SINCE} ORDER BY turn)`,
};

export async function readCaught({ query }: Connection, world: string, known: Standing): Promise<Caught> {
  const [head, ...rows] = await query(CAUGHT, [world, known.cursor ?? null]);
  const [, epoch, steps, header, cursor, isForgotten] = head ?? [];
  const standing = {
    epoch: Number(epoch ?? 0),
    steps: Number(steps ?? 0),
    header: readSettings(header ?? '{}'),
    cursor,
  };
  if (standing.steps !== known.steps || isForgotten === true)
    return { ...standing, isAnew: true, versions: new Map(), facts: [] };
  const versions = new Map<string, number>();
  const facts: CaughtFact[] = [];
  for (const [kind, version, , place, family, , key, , fact] of rows) {
    if (kind === 1) versions.set(String(place), Number(version));
    else {
      facts.push(
        fact === null ? ({ family, key, fact, home: place } as CaughtFact) : storedFact(family, key, fact),
      );
    }
  }
  return { ...standing, isAnew: false, versions, facts };
}

/** A world whose session is removed: whoever knows it finds that it moved. */
export async function forgetWorld({ query }: Connection, world: string): Promise<void> {
  await query(
    `WITH gone AS (DELETE FROM layers WHERE world = $1 RETURNING id), parts AS (DELETE FROM partitions WHERE world = $1)
     INSERT INTO left_layers (world, layer) SELECT $1, id FROM gone UNION SELECT world, layer FROM worlds WHERE world = $1
       ON CONFLICT DO NOTHING`,
    [world],
  );
  await query(
    `UPDATE worlds SET epoch = epoch + 1, steps = steps + 1, header = '{}', parent = NULL, layer = last + 1, last = last + 1
       WHERE world = $1`,
    [world],
  );
}
