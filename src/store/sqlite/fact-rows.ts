/** Facts as rows, in the layers of their worlds; the newest layer of a world is what it is now. */
import {
  type BankBody,
  type FactChange,
  isBankFamily,
  type StoredFact,
  type StoredLayer,
  type WorldStep,
} from '../../bank/index.js';
import type { RowWriter } from '../driver.js';
import { readSettings } from '../tampered.js';
import type { Database } from './driver.js';

type Layer = readonly [id: number, parent: number | null];

export function createFactWriter(db: Database) {
  // In the place of one with the same key, and behind all others.
  const put = db.prepare('INSERT OR REPLACE INTO facts (layer, family, key, fact) VALUES (?, ?, ?, ?)');
  const remove = db.prepare('DELETE FROM facts WHERE layer = ? AND family = ? AND key = ?');
  const newest = db.prepare('SELECT id, parent FROM layers WHERE world = ? ORDER BY id DESC LIMIT 1').raw();
  const add = db.prepare('INSERT INTO layers (world, parent) VALUES (?, ?)');
  const named = db.prepare('SELECT id FROM layers WHERE world = ? AND snapshot = ?').pluck();
  const unname = db.prepare('UPDATE layers SET snapshot = NULL WHERE world = ? AND snapshot = ?');
  const name = db.prepare('UPDATE layers SET snapshot = ?, at = ?, clock = ? WHERE id = ?');
  const known = new Map<string, Layer>();

  function addLayer(world: string, parent: number | null): Layer {
    const layer = [Number(add.run(world, parent).lastInsertRowid), parent] as const;
    known.set(world, layer);
    return layer;
  }

  function layerOf(world: string): Layer {
    const layer = known.get(world) ?? (newest.get(world) as Layer | undefined) ?? addLayer(world, null);
    known.set(world, layer);
    return layer;
  }

  return {
    /** Another process may have written meanwhile. */
    begin: () => known.clear(),
    writeFact: (world, { family, key, fact }, isFollowed) => {
      const [layer, parent] = layerOf(world);
      // Its parent may have it, and other gateways have to read the removal: it is a row as well.
      if (fact === null && parent === null && !isFollowed) remove.run(layer, family, key);
      else put.run(layer, family, key, fact === null ? null : JSON.stringify(fact));
    },
    writeStep: (world, step: WorldStep) => {
      if (step.step === 'reset') {
        addLayer(world, null);
      } else if (step.step === 'restore') {
        const parent = named.get(world, step.name) as number | undefined;
        if (parent !== undefined) addLayer(world, parent);
      } else {
        unname.run(world, step.name);
        if (step.step === 'drop') return;
        const [layer] = layerOf(world);
        name.run(step.name, step.at, JSON.stringify(step.clock), layer);
        addLayer(world, layer);
      }
    },
  } satisfies Pick<RowWriter, 'writeFact' | 'writeStep' | 'begin'>;
}

type ReadLayer = StoredLayer & { readonly facts: IterableIterator<StoredFact> };

export function readLayers(db: Database, world: string): ReadLayer[] {
  const rows = db
    .prepare('SELECT id, parent, snapshot, at, clock FROM layers WHERE world = ? ORDER BY id')
    .raw()
    .all(world) as [id: number, parent: number | null, name: string | null, at: number, clock: string][];
  return rows.map(([id, parent, name, at, clock]) => ({
    id,
    parent,
    snapshot: name === null ? null : { name, at, clock: readSettings(clock) },
    facts: readFacts(db, id),
  }));
}

/** A fact as it is held in memory: long bodies stay where they are. */
export const HELD_FACT = `CASE family WHEN 'bankBodies' THEN substr(fact, 1, instr(fact, ',"body":') - 1) || '}' ELSE fact END`;

export function readBody(db: Database, world: string, payment: string): object | null {
  const fact = db
    .prepare(
      `SELECT fact FROM layers JOIN facts ON layer = id AND family = 'bankBodies' AND key = ?
         WHERE world = ? AND fact IS NOT NULL LIMIT 1`,
    )
    .pluck()
    .get(payment, world) as string | undefined;
  return fact === undefined ? null : ((JSON.parse(fact) as BankBody).body ?? null);
}

/** So many facts come out of the database at once: one by one, most of the time goes into handing them over. */
const PART = 500;
type FactRow = readonly [family: string, key: string, text: string | null];

/** Gives facts by age, so that a world made of them ages as the live one did. */
function* readFacts(db: Database, layer: number): IterableIterator<StoredFact> {
  const rows = isMost(db, layer) ? readParts(db, layer) : readFew(db, layer);
  for (const [family, key, text] of rows) yield storedFact(family as FactChange['family'], key, text);
}

export function storedFact(family: FactChange['family'], key: string, text: string | null): StoredFact {
  if (text !== null && isBankFamily(family)) return { family, key, text };
  return { family, key, fact: text === null ? null : JSON.parse(text) } as FactChange;
}

/** The table is read as it lies. */
function* readParts(db: Database, layer: number): IterableIterator<FactRow> {
  const some = `SELECT turn, family, key, ${HELD_FACT} AS fact FROM facts WHERE +layer = ? AND turn > ? ORDER BY turn LIMIT ${PART}`;
  const lines = `group_concat(family || char(10) || key || char(10) || coalesce(fact, ''), char(10))`;
  const part = db.prepare(`SELECT max(turn), count(*), ${lines} FROM (${some})`).raw();
  const rows = db.prepare(some).raw();
  for (let from = 0; ; ) {
    const [last, count, text] = part.get(layer, from) as [number, number, string] | [null, 0, null];
    if (last === null) return;
    const lines = text.split('\n');
    // A key may hold a line break, as somebody named it.
    if (lines.length !== 3 * count)
      for (const [, ...row] of rows.all(layer, from) as [number, ...FactRow][]) yield row;
    else
      for (let at = 0; at < lines.length; at += 3)
        yield [lines[at] as string, lines[at + 1] as string, lines[at + 2] || null];
    from = last;
  }
}

/** By the index, and nothing large is sorted. */
function readFew(db: Database, layer: number): Iterable<FactRow> {
  const inOrder = 'turn IN (SELECT turn FROM facts WHERE layer = ?) ORDER BY turn';
  const rows = db.prepare(`SELECT family, key, ${HELD_FACT} FROM facts WHERE ${inOrder}`).raw();
  // A store in memory has one connection only, which could not write while it is read from.
  return (db.memory ? rows.all(layer) : rows.iterate(layer)) as Iterable<FactRow>;
}

/** Whether most of the table is of the layer. */
function isMost(db: Database, layer: number): boolean {
  const count = db.prepare('SELECT count(*) FROM facts WHERE layer = ?').pluck().get(layer) as number;
  const span = 'SELECT (SELECT max(turn) FROM facts) - (SELECT min(turn) FROM facts)';
  const all = (db.prepare(span).pluck().get() as number | null) ?? 0;
  return count * 3 > all;
}

export function readWorldsOf(db: Database, authorisation: string): string[] {
  return db
    .prepare(
      `SELECT DISTINCT world FROM facts JOIN layers ON layers.id = facts.layer
         WHERE family IN ('authorisations', 'bankAuthorisations') AND key = ? AND world IS NOT NULL`,
    )
    .pluck()
    .all(authorisation) as string[];
}
