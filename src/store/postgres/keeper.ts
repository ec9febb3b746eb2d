/**
 * Keeps batches through a connection of its own. Where that is lost in the middle of a batch, nobody knows whether it was
 * kept: the number of the last batch, which is kept with it, says so on the next connection; and what is still under way
 * to the server from the lost one comes to nothing there, because the next one moves the fence on.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { SandgateError } from '../../spec/index.js';
import { StoreUncertain } from '../port.js';
import { LANES, type Moved, StoreMoved } from '../standing.js';
import { arrayOf } from './arrays.js';
import { type Connection, type ConnectOptions, connect, type Row } from './client.js';
import { keepOf, PUT_MORE_FACTS } from './flush.js';
import { takeSteps } from './layers.js';
import { givenText } from './odd-text.js';
import { createPartitions } from './partitions.js';
import { writerLock } from './removal.js';
import type { Collected, KnownChain } from './row-writer.js';

/** Chains of this writer were removed: the batch is to be made once more, and goes into new ones. */
export class ChainsGone extends Error {}

export interface KeeperParts {
  readonly options: ConnectOptions;
  /** Epoch ms. */
  readonly clock: () => number;
  /** Once for each connection, before anything else is asked on it. */
  readonly onConnect: (connection: Connection) => Promise<void>;
  /** Of the chains of this writer, as they are now; null, it is gone. */
  readonly onChains: (chains: ReadonlyMap<number, KnownChain | null>) => void;
  readonly knownChains: () => readonly number[];
  /** Others wrote to a world. */
  readonly onNotice: (world: string) => void;
}

export interface Keeper {
  /** As it is, or anew. @throws SandgateError */
  readonly connected: () => Promise<Connection>;
  readonly keep: (collected: Collected) => Promise<void>;
  /** Reads; anew where the connection is lost meanwhile. */
  readonly ask: Connection['query'];
  readonly isConnected: () => boolean;
  readonly writer: () => number;
  /** That nobody else has. */
  readonly nextChain: () => number;
  readonly nextPart: () => number;
  /** By the server's clock, epoch ms. */
  readonly now: () => number;
  /** Of the server's clock before the machine's, in ms, as it was when they were compared last. */
  readonly ahead: () => number;
  /** From now on it has a lane, on each connection. */
  readonly takeLane: () => Promise<void>;
  /** See `Serving`. */
  readonly lane: () => number;
  readonly isFirst: () => Promise<boolean>;
  readonly close: () => Promise<void>;
}

/** Chains, and parts, of one writer: their numbers begin at its own, times this. */
export const MOST_OF_WRITER = 2 ** 30;
/** Between two attempts to connect. */
const PAUSE_MS = 100;
const NO_PARTITION = '23514';

export function createKeeper(parts: KeeperParts): Keeper {
  const { options, clock } = parts;
  const { shown, schema } = options.address;
  const partitions = createPartitions(schema);
  let connection: Connection | null = null;
  let connecting: Promise<Connection> | null = null;
  let isClosed = false;
  let writer: number | null = null;
  let fence = 0;
  let batch = 0;
  /** Of the connection: its process on the server, and when that began. */
  let backend: Row | null = null;
  let chain = 0;
  let part = 0;
  /** The newest one that was given. */
  let turn = 0;
  let ahead = 0;
  let lane: number | null = null;
  /** The connection that holds the lock of the first one. */
  let first: Connection | null = null;
  const seen = new Set<string>();
  const now = (): number => clock() + ahead;

  async function connected(): Promise<Connection> {
    if (connection !== null && !connection.isLost()) return connection;
    connecting ??= open().finally(() => {
      connecting = null;
    });
    return connecting;
  }

  async function open(): Promise<Connection> {
    if (isClosed) throw new SandgateError('store.unusable', { path: shown, why: 'it was closed' });
    const opened = await connect({ ...options, onNotice: parts.onNotice });
    try {
      await parts.onConnect(opened);
      await compareClocks(opened);
      await register(opened);
      await endBefore(opened);
      await opened.query(`SELECT pg_advisory_lock(${writerLock('$1', '$2::int8')})`, [schema, writer]);
      if (lane !== null) lane = await freeLane(opened, lane);
      await partitions.makeAhead(opened, now());
      await opened.query(`LISTEN "sandgate ${schema}"`);
    } catch (error) {
      opened.destroy();
      throw error;
    }
    if (isClosed) opened.destroy();
    connection = opened;
    return opened;
  }

  async function compareClocks(opened: Connection): Promise<void> {
    const asked = clock();
    const [row] = await opened.query('SELECT (extract(epoch FROM clock_timestamp()) * 1000)::int8', []);
    ahead = Number(row?.[0]) - (asked + clock()) / 2;
  }

  async function register(opened: Connection): Promise<void> {
    if (writer === null) {
      // Another gateway may take the same number at the same time; and since it was looked, a copy may have begun.
      let row: Row | undefined;
      while (row === undefined) {
        [row] = await opened.query(
          `INSERT INTO writers (id) SELECT coalesce(max(id), 0) + 1 FROM writers HAVING NOT (SELECT copying FROM sandgate)
             ON CONFLICT DO NOTHING RETURNING id`,
          [],
        );
        if (row === undefined) await parts.onConnect(opened);
      }
      writer = Number(row[0]);
      return;
    }
    const [row] = await opened.query(
      'UPDATE writers SET fence = fence + 1 WHERE id = $1 RETURNING fence, batch',
      [writer],
    );
    if (row === undefined)
      throw new SandgateError('store.unusable', {
        path: shown,
        why: 'what it held is gone; start the gateway anew',
      });
    fence = Number(row[0]);
    keptBatch = Number(row[1]);
    const found = await opened.query(
      'SELECT id, last, head, last_at, turn FROM chains WHERE writer = $1 AND session IS NOT NULL',
      [writer],
    );
    const chains = new Map<number, KnownChain | null>(parts.knownChains().map((id) => [id, null]));
    for (const [id, last, head, lastAt, newest] of found as [number, number, string, number, number][]) {
      chains.set(id, { id, last, head, lastAt });
      turn = Math.max(turn, newest);
    }
    parts.onChains(chains);
  }
  /** The server may not know yet that the connection before is gone: what that holds would be waited for. */
  async function endBefore(opened: Connection): Promise<void> {
    const ended =
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1 AND backend_start::text = $2';
    if (backend !== null) await opened.query(ended, [...backend]);
    const [row] = await opened.query(
      'SELECT pid, backend_start::text FROM pg_stat_activity WHERE pid = pg_backend_pid()',
      [],
    );
    backend = row ?? null;
  }

  /** The last one that was kept, as the newest connection found it. */
  let keptBatch = 0;

  async function keep(collected: Collected): Promise<void> {
    batch += 1;
    let lostAt: number | null = null;
    let hasDays = true;
    let isGiven = false;
    for (;;) {
      let opened: Connection | null = null;
      try {
        opened = await connected();
        // A connection before this one has kept it.
        if (keptBatch === batch) return;
        await ensureRows(opened, collected);
        await partitions.makeAhead(opened, now());
        isGiven = true;
        return judge(await write(opened, collected), collected.turns);
      } catch (error) {
        if (opened !== null && !opened.isLost()) isGiven = false;
        const lost = isGiven && error instanceof SandgateError ? new StoreUncertain(shown, error) : error;
        if (isClosed) throw lost;
        if (opened !== null && hasDays && codeOf(error) === NO_PARTITION) {
          // They are gone, or the machine's clock was set since it was compared.
          hasDays = false;
          partitions.forget();
          await compareClocks(opened).catch(() => {});
        } else if (opened?.isLost() === true) lostAt ??= clock();
        // Only what may have been kept is worth waiting for: whoever gave it is to be told which it is.
        else if (opened !== null || lostAt === null) throw error;
        else await sleep(PAUSE_MS);
        if (lostAt !== null && clock() - lostAt > options.limits.connect) throw lost;
      }
    }
  }

  type Outcome = readonly [turn: number | null, moved: string | null, gone: string | null];

  async function write(opened: Connection, collected: Collected): Promise<Outcome> {
    const { statement, arrays } = keepOf(collected.tables);
    const values = [writer, fence, batch, turn, ...arrays];
    const isPlain =
      collected.later.length === 0 &&
      collected.moves.every(({ header, hasSteps }) => header === null && !hasSteps);
    if (isPlain) return ((await opened.query(statement, values)) as unknown as [Outcome])[0];
    await opened.query('BEGIN', []);
    try {
      await opened.query('SELECT FROM worlds WHERE world = ANY ($1::text[]) ORDER BY world FOR UPDATE', [
        arrayOf('text', [...collected.worlds]),
      ]);
      const [outcome] = (await opened.query(statement, values)) as unknown as [Outcome];
      if (outcome[0] !== null) await takeLater(opened, collected, outcome[0]);
      await opened.query(outcome[0] !== null ? 'COMMIT' : 'ROLLBACK', []);
      return outcome;
    } catch (error) {
      if (!opened.isLost()) await opened.query('ROLLBACK', []);
      throw error;
    }
  }

  async function takeLater(opened: Connection, { later, moves }: Collected, from: number): Promise<void> {
    for (const op of later) {
      if ('step' in op) await takeSteps(opened, op.world, op.step);
      else await opened.query(PUT_MORE_FACTS, [from, ...op.facts.arrays()]);
    }
    for (const { world, header, hasSteps } of moves) {
      if (header === null && !hasSteps) continue;
      await opened.query(
        'UPDATE worlds SET epoch = epoch + 1, steps = steps + $2::int8, header = coalesce($3, header) WHERE world = $1',
        [world, hasSteps ? 1 : 0, header === null ? null : JSON.stringify(header)],
      );
      await opened.query("SELECT pg_notify('sandgate ' || current_schema(), $1)", [world]);
    }
  }

  function judge([kept, moved, gone]: Outcome, turns: number): void {
    if (kept !== null) {
      turn = kept + turns;
      return;
    }
    if (gone !== null) {
      parts.onChains(new Map((JSON.parse(gone) as number[]).map((id) => [id, null])));
      throw new ChainsGone();
    }
    if (moved !== null) {
      const all = JSON.parse(moved, (_, text) => (typeof text === 'string' ? givenText(text) : text)) as [
        world: string,
        partition: string | null,
      ][];
      for (const [world, partition] of all) seen.delete(`${world} ${partition}`);
      throw new StoreMoved(movedOf(all));
    }
    connection?.destroy();
    throw new SandgateError('store.unusable', {
      path: shown,
      why: 'another gateway took the place of this one',
    });
  }

  /** A row that is locked must be there: those of worlds and partitions are made before they are needed first. */
  async function ensureRows(opened: Connection, { worlds, partitions: places }: Collected): Promise<void> {
    const newWorlds = [...worlds].filter((world) => !seen.has(world));
    const newPlaces = places.filter(([world, partition]) => !seen.has(`${world} ${partition}`));
    if (newWorlds.length > 0)
      await opened.query('INSERT INTO worlds (world) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING', [
        arrayOf('text', newWorlds.sort()),
      ]);
    if (newPlaces.length > 0)
      await opened.query(
        `INSERT INTO partitions (world, partition) SELECT DISTINCT * FROM unnest($1::text[], $2::text[]) AS given (world, partition)
           ORDER BY world, partition ON CONFLICT DO NOTHING`,
        [0, 1].map((i) =>
          arrayOf(
            'text',
            newPlaces.map((place) => place[i] as string),
          ),
        ),
      );
    if (seen.size > MOST_SEEN) seen.clear();
    for (const world of newWorlds) seen.add(world);
    for (const [world, partition] of newPlaces) seen.add(`${world} ${partition}`);
  }

  async function lock(opened: Connection, name: string, number = 0): Promise<boolean> {
    const [row] = await opened.query('SELECT pg_try_advisory_lock(hashtextextended($1, $2::int8))', [
      `sandgate ${name} ${schema}`,
      number,
    ]);
    return row?.[0] === true;
  }

  /** The one that it had, or another one: while it was cut off, somebody may have taken that. */
  async function freeLane(opened: Connection, before: number | null): Promise<number> {
    const all = Array.from({ length: LANES }, (_, number) => number);
    for (const number of before === null ? all : [before, ...all])
      if (await lock(opened, 'lane', number)) return number;
    throw new SandgateError('store.crowded', { store: shown, most: LANES });
  }

  return {
    connected,
    keep,
    ask: async (statement, values) => {
      const opened = await connected();
      try {
        return await opened.query(statement, values);
      } catch (error) {
        if (!opened.isLost()) throw error;
        return (await connected()).query(statement, values);
      }
    },
    isConnected: () => connection !== null && !connection.isLost(),
    writer: () => writer ?? 0,
    nextChain: () => (writer ?? 0) * MOST_OF_WRITER + ++chain,
    nextPart: () => (writer ?? 0) * MOST_OF_WRITER + ++part,
    now,
    ahead: () => ahead,
    takeLane: async () => {
      lane ??= await freeLane(await connected(), null);
    },
    lane: () => lane ?? 0,
    isFirst: async () => {
      const opened = await connected();
      if (first !== opened && (await lock(opened, 'first'))) first = opened;
      return first === opened;
    },
    close: async () => {
      isClosed = true;
      await connection?.end();
      connection = null;
    },
  };
}

/** Of worlds and partitions that have rows. */
const MOST_SEEN = 200_000;

const codeOf = (error: unknown): unknown =>
  ((error as Error | null)?.cause as { code?: unknown } | undefined)?.code;

function movedOf(all: readonly (readonly [world: string, partition: string | null])[]): Moved[] {
  const worlds = new Map<string, string[]>();
  for (const [world, partition] of all) {
    const partitions = worlds.get(world) ?? [];
    worlds.set(world, partitions);
    if (partition !== null) partitions.push(partition);
  }
  // Where the epoch moved, all of it did.
  const whole = new Set(all.filter(([, partition]) => partition === null).map(([world]) => world));
  return [...worlds].map(([world, partitions]) => ({
    world,
    partitions: whole.has(world) ? [] : partitions,
  }));
}
