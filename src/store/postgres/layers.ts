/** Worlds, their layers and their facts as rows: `worlds` knows the newest layer of each, `layers` all others. */
import {
  type BankBody,
  COMMON_PARTITION,
  type FactChange,
  isBankFamily,
  isTag,
  type StoredFact,
  type StoredLayer,
  type WorldStep,
} from '../../bank/index.js';
import { type AwaitedRequest, MOST_AWAITED, type Owner } from '../port.js';
import { readSettings } from '../tampered.js';
import type { Caught, CaughtFact, WorldState } from '../world-state.js';
import { arraysOf } from './arrays.js';
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
  // The old layer belongs to nobody now. A missing snapshot leaves the world unchanged.
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

/** The layers at one moment. A removed fact with nothing below it is absent. */
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

/** A fact as it is held in memory: long bodies stay where they are. */
const HELD_FACT = `CASE family WHEN 'bankBodies' THEN split_part(fact, ',"body":', 1) || '}' ELSE fact END`;

export async function readBody(
  { query }: Connection,
  world: string,
  tpp: string,
  payment: string,
): Promise<object | null> {
  const [row] = await query(
    `SELECT fact FROM facts WHERE partition = $1 AND world = $2 AND family = 'bankBodies' AND key = $3
       AND fact IS NOT NULL LIMIT 1`,
    [tpp, world, payment],
  );
  return row === undefined ? null : ((JSON.parse(String(row[0])) as BankBody).body ?? null);
}

/** Rows of a fetch. */
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
      `DECLARE facts_of_layer CURSOR FOR SELECT family, key, ${HELD_FACT} FROM facts
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
       WHERE awaited ORDER BY turn DESC LIMIT ${MOST_AWAITED}`,
  );
  return rows.map(([world, fact]) => ({ world: String(world), fact: JSON.parse(String(fact)) }));
}

export async function readOwner({ query }: Connection, authorisation: string): Promise<Owner | null> {
  const [row] = await query(
    `SELECT facts.world, facts.partition, coalesce(partitions.version, 0), steps FROM facts
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

/** The state of a world. Later changes come with `readCaught`, as long as the cursor belongs to this connection. */
export async function readState({ query }: Connection, cursor: number, world: string): Promise<WorldState> {
  const [row = NO_WORLD] = await query('SELECT epoch, steps, header FROM worlds WHERE world = $1', [world]);
  const versions = await query('SELECT partition, version FROM partitions WHERE world = $1', [world]);
  return {
    epoch: Number(row[0]),
    steps: Number(row[1]),
    header: readSettings(row[2]),
    versions: new Map(versions as unknown as [string, number][]),
    cursor,
  };
}

export async function readEpoch({ query }: Connection, world: string): Promise<number> {
  const [row] = await query('SELECT epoch FROM worlds WHERE world = $1', [world]);
  return Number(row?.[0] ?? 0);
}

/**
 * As of one moment, in one statement: the world, then partitions that moved, then facts that changed in these. What
 * nobody moved is not looked at (OFFSET 0), whatever the planner thinks of tables that it has not counted yet.
 */
const caughtIn = (name: string, moved: string) => ({
  name: `sandgate_caught_${name}`,
  text: `WITH given AS MATERIALIZED (SELECT * FROM unnest($2::text[], $3::int8[]) AS given (partition, version)),
    moved AS MATERIALIZED (SELECT partition, now.version, now.told, coalesce(given.version, 0) AS known FROM ${moved}
      WHERE coalesce(now.version, 0) <> coalesce(given.version, 0))
    SELECT 0::int4, epoch, steps, header, EXISTS (SELECT FROM moved WHERE version IS NULL OR known > version OR known < told),
      NULL::text, NULL::text, NULL::text
      FROM (VALUES (1)) AS one LEFT JOIN worlds ON world = $1
    UNION ALL SELECT 1, version, NULL, partition, NULL, NULL, NULL, NULL FROM moved
    UNION ALL (SELECT 2, NULL, turn, moved.partition, NULL, family, key, fact
      FROM moved CROSS JOIN (SELECT layer FROM worlds WHERE world = $1) AS newest CROSS JOIN LATERAL (
        SELECT family, key, turn, ${HELD_FACT} AS fact FROM facts WHERE facts.partition = moved.partition AND facts.world = $1
          AND facts.layer = newest.layer AND facts.stretch >= moved.known / 128 AND facts.version > moved.known OFFSET 0
      ) AS changed ORDER BY turn)`,
});
/** With all that somebody knows. */
const CAUGHT_ANYWHERE = caughtIn(
  'anywhere',
  'given FULL JOIN (SELECT partition, version, told FROM partitions WHERE world = $1) AS now USING (partition)',
);
const CAUGHT_IN_SOME = caughtIn(
  'in_some',
  'given LEFT JOIN LATERAL (SELECT version, told FROM partitions WHERE partitions.partition = given.partition AND world = $1 OFFSET 0) AS now ON true',
);

/**
 * What changed since: in those partitions that are named, or in all. What has a tag, or no TPP that one knows of, may be in
 * any. Where the connection is
 * none of those by which the world is known, versions may have been given again.
 */
export async function readCaught(
  { query }: Connection,
  cursor: number,
  world: string,
  known: WorldState,
  named: readonly string[],
): Promise<Caught> {
  const areAll = named.length === 0 || named.includes(COMMON_PARTITION) || named.some(isTag);
  const given = areAll
    ? [...known.versions]
    : named.map((name) => [name, known.versions.get(name) ?? 0] as const);
  const [head, ...rows] = await query(areAll ? CAUGHT_ANYWHERE : CAUGHT_IN_SOME, [
    world,
    ...arraysOf(['text', 'int8'], given),
  ]);
  const [, epoch, steps, header, isBehind] = head ?? [];
  const state = {
    epoch: Number(epoch ?? 0),
    steps: Number(steps ?? 0),
    header: readSettings(header ?? '{}'),
    cursor,
  };
  if (state.steps !== known.steps || isBehind === true || cursor !== known.cursor)
    return { ...state, isAnew: true, versions: new Map(), facts: [] };
  const versions = new Map<string, number>();
  const facts: CaughtFact[] = [];
  for (const [kind, version, , home, , family, key, fact] of rows) {
    if (kind === 1) versions.set(String(home), Number(version));
    else if (fact === null) facts.push({ family, key, fact, home } as CaughtFact);
    else facts.push(storedFact(family, key, fact));
  }
  return { ...state, isAnew: false, versions, facts };
}
