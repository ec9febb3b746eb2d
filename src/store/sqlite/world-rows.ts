/** Rows that tell how far worlds were moved on: headers, and versions of partitions. */
import { type FactChange, homeOf, type StoredFact } from '../../bank/index.js';
import type { RowWriter } from '../driver.js';
import { type AwaitedRequest, MOST_AWAITED, type Owner } from '../port.js';
import { readSettings } from '../tampered.js';
import { type Caught, type Dependency, type Moved, StoreMoved, type WorldState } from '../world-state.js';
import type { Database } from './driver.js';
import { HELD_FACT, storedFact } from './fact-rows.js';

/** A turn of facts: what has a greater one changed later. */
type Cursor = number | null;
type WorldRow = readonly [epoch: number, steps: number, header: string, forgotten: number];

const NO_WORLD: WorldRow = [0, 0, '{}', 0];

export function createSharedWriter(db: Database): Pick<RowWriter, 'checkDependencies' | 'moveOn'> {
  const epoch = db.prepare('SELECT epoch FROM worlds WHERE world = ?').pluck();
  const version = db.prepare('SELECT version FROM partitions WHERE world = ? AND partition = ?').pluck();
  const move = db.prepare(
    `INSERT INTO partitions VALUES (?, ?, 1, (SELECT max(turn) FROM facts))
       ON CONFLICT DO UPDATE SET version = version + 1, turn = excluded.turn`,
  );
  const begin = db.prepare("INSERT OR IGNORE INTO worlds VALUES (?, 0, 0, '{}', 0)");
  // A gateway that knows of the steps has loaded the world since, with all removals.
  const moveWorld = db.prepare(
    `UPDATE worlds SET epoch = epoch + 1, steps = steps + ?, header = coalesce(?, header),
       forgotten = iif(? > 0, 0, forgotten) WHERE world = ?`,
  );

  function movedOf({ world, epoch: known, versions }: Dependency): Moved | null {
    if (((epoch.get(world) as number | undefined) ?? 0) !== known) return { world, partitions: [] };
    const partitions: string[] = [];
    for (const [partition, knownVersion] of versions)
      if (((version.get(world, partition) as number | undefined) ?? 0) !== knownVersion)
        partitions.push(partition);
    return partitions.length === 0 ? null : { world, partitions };
  }

  return {
    checkDependencies: (dependsOn) => {
      const moved = dependsOn.map(movedOf).filter((one) => one !== null);
      if (moved.length > 0) throw new StoreMoved(moved);
    },
    moveOn: ({ world, partitions, header, steps }) => {
      for (const partition of partitions) move.run(world, partition);
      if (header === null && steps === 0) return;
      begin.run(world);
      moveWorld.run(steps, header === null ? null : JSON.stringify(header), steps, world);
    },
  };
}

const worldRow = (db: Database, world: string): WorldRow =>
  (db.prepare('SELECT epoch, steps, header, forgotten FROM worlds WHERE world = ?').raw().get(world) as
    | WorldRow
    | undefined) ?? NO_WORLD;

export const readEpoch = (db: Database, world: string): number => worldRow(db, world)[0];

const newestLayer = (db: Database, world: string): number | undefined =>
  db.prepare('SELECT max(id) FROM layers WHERE world = ?').pluck().get(world) as number | undefined;

export function readState(db: Database, world: string): WorldState {
  const [epoch, steps, header] = worldRow(db, world);
  const versions = db.prepare('SELECT partition, version FROM partitions WHERE world = ?').raw().all(world);
  const cursor = db
    .prepare('SELECT max(turn) FROM facts WHERE layer = ?')
    .pluck()
    .get(newestLayer(db, world) ?? null) as Cursor;
  return {
    epoch,
    steps,
    header: readSettings(header),
    versions: new Map(versions as [string, number][]),
    cursor,
  };
}

/** Reads one moment. */
export function readCaught(db: Database, world: string, known: WorldState): Caught {
  return db.transaction((): Caught => {
    const [epoch, steps, header, forgotten] = worldRow(db, world);
    const since = (known.cursor as Cursor) ?? -1;
    const state = { epoch, steps, header: readSettings(header) };
    if (steps !== known.steps || (since >= 0 && since < forgotten))
      return { ...state, isAnew: true, versions: new Map(), facts: [], cursor: known.cursor };
    const versions = db
      .prepare('SELECT partition, version FROM partitions WHERE world = ? AND turn > ?')
      .raw()
      .all(world, since) as [string, number][];
    const rows = db
      .prepare(`SELECT family, key, ${HELD_FACT}, turn FROM facts WHERE layer = ? AND turn > ? ORDER BY turn`)
      .raw()
      .all(newestLayer(db, world) ?? null, since) as [FactChange['family'], string, string | null, number][];
    const facts = rows.map(([family, key, text]): StoredFact => storedFact(family, key, text));
    const cursor: Cursor = rows.at(-1)?.[3] ?? (known.cursor as Cursor);
    return { ...state, isAnew: false, versions: new Map(versions), facts, cursor };
  })();
}

export function readAwaited(db: Database): AwaitedRequest[] {
  const rows = db
    .prepare(
      `SELECT world, fact FROM facts JOIN layers ON layers.id = facts.layer
         WHERE family = 'authorizes' AND instr(fact, '"awaited":') > 0 AND world IS NOT NULL
           AND NOT EXISTS (SELECT 1 FROM layers AS later WHERE later.world = layers.world AND later.id > layers.id)
         ORDER BY turn DESC LIMIT ${MOST_AWAITED}`,
    )
    .raw()
    .all() as [string, string][];
  return rows.map(([world, fact]) => ({ world, fact: JSON.parse(fact) }));
}

export function readOwner(db: Database, authorisation: string): Owner | null {
  const [row] = db
    .prepare(
      `SELECT world, family, fact FROM facts JOIN layers ON layers.id = facts.layer
         WHERE family IN ('authorisations', 'bankAuthorisations') AND key = ? AND world IS NOT NULL AND fact IS NOT NULL
         ORDER BY turn DESC LIMIT 1`,
    )
    .raw()
    .all(authorisation) as [world: string, family: FactChange['family'], fact: string][];
  if (row === undefined) return null;
  const [world, family, fact] = row;
  const home = homeOf(family, authorisation, JSON.parse(fact));
  const version = db
    .prepare('SELECT version FROM partitions WHERE world = ? AND partition = ?')
    .pluck()
    .get(world, home) as number | undefined;
  return { world, home, version: version ?? 0, steps: worldRow(db, world)[1] };
}

/** Nobody else serves: what gateways left for each other is of no use any more. */
export function forgetHeaders(db: Database): void {
  db.prepare("UPDATE worlds SET header = '{}' WHERE header <> '{}'").run();
}
