/** The rows of a store in a file, as a copy takes them. */
import { type FactChange, homeOf } from '../../bank/index.js';
import type { Column } from '../columns.js';
import type {
  CopiedChain,
  CopiedEntry,
  CopiedFact,
  CopiedLayer,
  CopiedWorld,
  CopySource,
} from '../copy/parts.js';
import { keyFrom } from '../key-file.js';
import { numberOf, readTime } from '../tampered.js';
import { TURNS_PER_MS } from '../turns.js';
import { type Database, openDatabase } from './driver.js';
import { storeFault } from './faults.js';
import { prepareSchema, refuseCopying } from './migrations.js';
import { IN_ORDER } from './rows.js';

/** Of a page; of large rows fewer. */
const ROWS = 1_000;
const PAGE_BYTES = 4_194_304;

type EntryRow = readonly [
  seq: unknown,
  id: unknown,
  turn: number | null,
  kind: 'exchange' | 'begun' | 'note',
  hash: unknown,
  own: unknown,
  ...columns: Column[],
];

/** At one place, those of others too that somebody put there. */
const ENTRIES = `
  SELECT seq, id, turn, 'exchange', hash, own, shape, verdicts, findings, request_body, answer_body
    FROM exchanges WHERE session = @chain
  UNION ALL SELECT seq, id, turn, 'begun', hash, own, shape, verdicts, findings, request_body, NULL
    FROM beginnings WHERE session = @chain
  UNION ALL SELECT seq, id, turn, 'note', hash, at, kind, settings, NULL, NULL, NULL
    FROM notes WHERE session = @chain
  ORDER BY 1, 2`;

export function createSqliteSource(path: string): CopySource {
  let db: Database | undefined;
  try {
    db = openDatabase({ path, readonly: true });
    prepareSchema(db, path, true);
    refuseCopying(db, path);
    const opened = db;
    // The first row that is read fixes the moment.
    db.exec('BEGIN');
    const store = String(db.prepare('SELECT store FROM identity').pluck().get());
    return {
      store,
      name: path,
      key: keyFrom(`${path}.key`, true),
      ...readers(db, path, store),
      close: () => void opened.close(),
    };
  } catch (error) {
    db?.close();
    throw storeFault(error, path);
  }
}

function readers(
  db: Database,
  path: string,
  store: string,
): Omit<CopySource, 'store' | 'name' | 'key' | 'close'> {
  function* pages<R, T>(
    sql: string,
    values: readonly unknown[],
    rowOf: (row: R) => T,
  ): IterableIterator<T[]> {
    let page: T[] = [];
    let bytes = 0;
    try {
      for (const row of db
        .prepare(sql)
        .raw()
        .iterate(...values) as IterableIterator<R>) {
        page.push(rowOf(row));
        for (const value of row as Iterable<unknown>)
          if (typeof value === 'string' || value instanceof Uint8Array) bytes += value.length;
        if (page.length < ROWS && bytes < PAGE_BYTES) continue;
        yield page;
        [page, bytes] = [[], 0];
      }
    } catch (error) {
      throw storeFault(error, path);
    }
    if (page.length > 0) yield page;
  }

  const layersOf = (world: string): CopiedLayer[] =>
    db
      .prepare('SELECT id, parent, snapshot, at, clock FROM layers WHERE world = ? ORDER BY id')
      .all(world) as CopiedLayer[];

  /** Turns of the chains of this store begin behind all that was copied into it, and in the order in which they began. */
  const floors = new Map<number, number>();
  const newestCopied = db.prepare('SELECT coalesce(max(turn), 0) FROM sessions').pluck();

  /** What this store recorded itself gets its turns here. */
  function entries(chain: number): IterableIterator<CopiedEntry[]> {
    let newest = floors.get(chain) ?? 0;
    return pages(
      ENTRIES,
      [{ chain }],
      ([seq, id, turn, kind, hash, own, ...columns]: EntryRow): CopiedEntry => {
        const number = wholeOf(id);
        // An exchange is looked for from the time on that its id tells.
        newest = turn ?? Math.max(newest + 1, kind === 'note' ? 0 : number);
        const at = { turn: newest, seq: wholeOf(seq), link: String(hash) };
        if (kind === 'note') {
          const [what, settings] = columns;
          return { ...at, kind, note: [wholeOf(own), String(what), String(settings)] };
        }
        return { ...at, kind, id: number, own: isText(own) ? own : '', columns };
      },
    );
  }

  return {
    chains: () => {
      let floor = newestCopied.get() as number;
      const found = db.prepare(
        `SELECT id, name, store, started_at, last_at, last, head, exchanges, begun, first_turn, turn FROM sessions
           WHERE name IS NOT NULL ORDER BY ${IN_ORDER}`,
      );
      return (found.all() as Record<string, unknown>[]).map((row): CopiedChain => {
        const startedAt = readTime(row.started_at);
        if (row.store === null) {
          floor = Math.max(floor + 1, Math.min(startedAt, LATEST_MS) * TURNS_PER_MS);
          floors.set(Number(row.id), floor);
        }
        return {
          id: Number(row.id),
          session: String(row.name),
          store: String(row.store ?? store),
          startedAt,
          lastAt: readTime(row.last_at),
          last: numberOf(row.last),
          head: String(row.head),
          exchanges: numberOf(row.exchanges),
          begun: numberOf(row.begun),
          turns: row.store === null ? null : [numberOf(row.first_turn), numberOf(row.turn)],
        };
      });
    },
    parts: (chain) =>
      pages(
        'SELECT id, content FROM parts WHERE session = ?',
        [chain],
        ([part, content]: [number, unknown]) => [part, isText(content) ? content : ''],
      ),
    certificates: (chain) =>
      pages(
        'SELECT reference, facts FROM certificates WHERE session = ?',
        [chain],
        ([reference, facts]: [unknown, unknown]) => [String(reference), String(facts)],
      ),
    entries,
    worlds: () => {
      const known = db.prepare(
        `SELECT world, coalesce(epoch, 0) AS epoch, coalesce(steps, 0) AS steps, coalesce(header, '{}') AS header
           FROM (SELECT world FROM layers UNION SELECT world FROM worlds UNION SELECT world FROM partitions)
           LEFT JOIN worlds USING (world) WHERE world IS NOT NULL ORDER BY world`,
      );
      return (known.all() as Omit<CopiedWorld, 'layers'>[]).map((world) => ({
        ...world,
        layers: layersOf(world.world),
      }));
    },
    partitions: () =>
      pages('SELECT world, partition, version FROM partitions', [], (row: [string, string, number]) => row),
    countFacts: () => db.prepare(`SELECT count(*) FROM facts ${OF_WORLDS}`).pluck().get() as number,
    *facts() {
      const homes = createHomes(db);
      const columns = 'SELECT world, layer, parent, family, key, fact FROM facts';
      for (const page of pages(`${columns} ${OF_WORLDS} ORDER BY turn`, [], (row: FactRow) => row))
        yield page.flatMap(([world, layer, parent, family, key, fact]): CopiedFact[] => {
          const home = homes(parent, family, key, fact);
          return home === null ? [] : [{ world, layer, family, key, fact, home }];
        });
    },
  };
}

const OF_WORLDS = 'JOIN layers ON layers.id = facts.layer WHERE world IS NOT NULL';
/** No id tells a later time, in ms. */
const LATEST_MS = Math.floor(Number.MAX_SAFE_INTEGER / TURNS_PER_MS / 2);

type FactRow = [
  world: string,
  layer: number,
  parent: number | null,
  family: FactChange['family'],
  key: string,
  fact: string | null,
];

/** Where facts belong. A removal is where the fact was, which is below it; of one that is not, nobody needs to know: null. */
function createHomes(db: Database) {
  const below = db
    .prepare(
      'SELECT fact, parent FROM layers LEFT JOIN facts ON layer = id AND family = ? AND key = ? WHERE id = ?',
    )
    .raw();
  return (
    parent: number | null,
    family: FactChange['family'],
    key: string,
    fact: string | null,
  ): string | null => {
    if (fact !== null) return homeOf(family, key, JSON.parse(fact));
    for (let layer = parent; layer !== null; ) {
      const [found, next] = below.get(family, key, layer) as [string | null, number | null];
      if (found !== null) return homeOf(family, key, JSON.parse(found));
      layer = next;
    }
    return null;
  };
}

const isText = (value: unknown): value is string | Uint8Array =>
  typeof value === 'string' || value instanceof Uint8Array;

/** A place or an id that was changed into something else is 0. */
const wholeOf = (value: unknown): number => (Number.isSafeInteger(value) ? (value as number) : 0);
