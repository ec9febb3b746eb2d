/** Removes layers of facts that no world and no snapshot needs, in steps that are each a commit. */
import type { Database } from './driver.js';

/** Rows of one step. */
const STEP = 500;

/** One that nothing depends on, and that is neither a snapshot nor what its world is now. */
const LEFT = `SELECT id FROM layers AS one WHERE world IS NULL OR snapshot IS NULL
  AND NOT EXISTS (SELECT 1 FROM layers WHERE parent = one.id)
  AND id < (SELECT max(id) FROM layers WHERE world = one.world) LIMIT 1`;
/** One that is no snapshot, and that one other alone depends on. */
const BETWEEN = `SELECT one.id, one.parent, min(next.id) FROM layers AS one JOIN layers AS next ON next.parent = one.id
  WHERE one.snapshot IS NULL AND one.world IS NOT NULL GROUP BY one.id HAVING count(*) = 1 LIMIT 1`;

export function* tidyFacts(db: Database): IterableIterator<number> {
  yield* removeLeft(db);
  yield* joinBetween(db);
  yield* forgetRemovals(db);
}

/** Gateways that have not read a removal within this many later changes of its world load the world anew. */
const MOST_BEHIND = 10_000;

/** Removals that were kept for others who know the facts. */
function* forgetRemovals(db: Database): IterableIterator<number> {
  const worlds = db
    .prepare('SELECT world, max(id) FROM layers WHERE world IN (SELECT world FROM partitions) GROUP BY world')
    .raw()
    .all() as [string, number][];
  const newest = db.prepare('SELECT max(turn) FROM facts WHERE layer = ?').pluck();
  const some = db
    .prepare(
      `SELECT turn FROM facts WHERE layer = ? AND fact IS NULL AND turn <= ?
         AND (SELECT parent FROM layers WHERE id = layer) IS NULL ORDER BY turn LIMIT ${STEP}`,
    )
    .pluck();
  const drop = db.prepare('DELETE FROM facts WHERE turn = ?');
  const note = db.prepare(
    `INSERT INTO worlds VALUES (?, 0, 0, '{}', ?) ON CONFLICT DO UPDATE SET forgotten = excluded.forgotten`,
  );
  const step = db.transaction((world: string, layer: number, through: number): number => {
    const turns = some.all(layer, through) as number[];
    for (const turn of turns) drop.run(turn);
    const last = turns.at(-1);
    if (last !== undefined) note.run(world, last);
    return turns.length;
  });
  for (const [world, layer] of worlds) {
    const through = ((newest.get(layer) as number | null) ?? 0) - MOST_BEHIND;
    for (
      let gone = step.immediate(world, layer, through);
      gone > 0;
      gone = step.immediate(world, layer, through)
    )
      yield gone;
  }
}

/** Yields how many facts went with each step. */
export function* removeLeft(db: Database): IterableIterator<number> {
  const left = db.prepare(LEFT).pluck();
  const step = db.prepare(
    `DELETE FROM facts WHERE turn IN (SELECT turn FROM facts WHERE layer = ? LIMIT ${STEP})`,
  );
  const drop = db.prepare('DELETE FROM layers WHERE id = ?');
  for (let layer = left.get(); layer !== undefined; layer = left.get()) {
    for (let gone = step.run(layer).changes; gone > 0; gone = step.run(layer).changes) yield gone;
    drop.run(layer);
  }
}

/**
 * Its facts go to the other one, but for those that it has as well; each keeps its turn. Removals that other gateways may
 * still have to read stay, as does the newest turn, behind which these look for what follows.
 */
function* joinBetween(db: Database): IterableIterator<number> {
  const between = db.prepare(BETWEEN).raw();
  const some = db.prepare(`SELECT turn FROM facts WHERE layer = ? LIMIT ${STEP}`).pluck();
  const move = db.prepare('UPDATE OR IGNORE facts SET layer = ? WHERE turn = ?');
  const drop = db.prepare('DELETE FROM facts WHERE turn = ? AND layer = ?');
  const clean = db.prepare(
    `DELETE FROM facts WHERE layer = ? AND fact IS NULL AND NOT EXISTS (
       SELECT 1 FROM layers AS one JOIN partitions USING (world)
         WHERE one.id = layer AND one.id = (SELECT max(id) FROM layers WHERE world = one.world))`,
  );
  const follow = db.prepare('UPDATE layers SET parent = ? WHERE id = ?');
  const dropLayer = db.prepare('DELETE FROM layers WHERE id = ?');
  const step = db.transaction((layer: number, parent: number | null, next: number): number => {
    const turns = some.all(layer) as number[];
    for (const turn of turns) {
      move.run(next, turn);
      drop.run(turn, layer);
    }
    if (turns.length > 0) return turns.length;
    follow.run(parent, next);
    if (parent === null) clean.run(next);
    dropLayer.run(layer);
    return 0;
  });
  for (;;) {
    const found = between.get() as [number, number | null, number] | undefined;
    if (found === undefined) return;
    for (let moved = step.immediate(...found); moved > 0; moved = step.immediate(...found)) yield moved;
  }
}
