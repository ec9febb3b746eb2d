/**
 * The seat of this process among those that record in a schema: its number, and the connection by which it records. Where
 * that is lost, the next one takes the seat again and moves the fence on: what is still under way to the server from
 * the lost one comes to nothing there.
 */
import { randomUUID } from 'node:crypto';
import { SandgateError } from '../../spec/index.js';
import { type Connection, type ConnectOptions, connect, type Row } from './client.js';
import { freeSlot, isAlone, lock, writerLock } from './locks.js';
import { refuseNewer } from './migrations.js';
import { channelOf } from './notices.js';
import type { KnownChain } from './own-chains.js';
import { BRIEF, type Era, within } from './pool.js';
import { createServerClock } from './server-clock.js';

export interface SeatParts {
  readonly options: ConnectOptions;
  /** Moved on with each of its connections. */
  readonly era: Era;
  /** Epoch ms. */
  readonly clock: () => number;
  /** Once for each connection, before anything else is asked on it. */
  readonly onConnect: (connection: Connection) => Promise<void>;
  /** The same, once it has the seat: notices come from then on. */
  readonly onSeated: (connection: Connection) => Promise<void>;
  /** Called with the chains of this writer, as they are now; null: a chain is gone. */
  readonly onChains: (chains: ReadonlyMap<number, KnownChain | null>) => void;
  readonly knownChains: () => readonly number[];
  /** Others wrote to a world. */
  readonly onNotice: (world: string) => void;
}

/** Chains, and parts, of one writer: their numbers begin at its own, times this. */
export const MOST_OF_WRITER = 2 ** 30;

/** Numbers that nobody else has. */
export function createNumbers({ writer }: Pick<Seat, 'writer'>): () => number {
  let last = 0;
  return () => writer() * MOST_OF_WRITER + ++last;
}

export function createSeat(parts: SeatParts) {
  const { options, clock } = parts;
  const { shown, schema } = options.address;
  const time = createServerClock({ shown, clock, stopwatch: () => performance.now() });
  let connection: Connection | null = null;
  let connecting: Promise<Connection> | null = null;
  let isClosed = false;
  const owner = randomUUID();
  let writer: number | null = null;
  let fence = 0;
  let kept = { batch: 0, turn: 0 };
  /** The process on the server that answers the connection, and when it began. */
  let backend: Row | null = null;
  let slot: number | null = null;
  /** The connection that holds the lock of the first one. */
  let first: Connection | null = null;

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
    parts.era.now += 1;
    try {
      await parts.onConnect(opened);
      await time.compare(opened);
      await register(opened);
      // A gateway that upgrades the schema after this moves the fence.
      await refuseNewer(opened, options.address);
      await endBefore(opened);
      await opened.query(`SELECT pg_advisory_lock(${writerLock('$1', '$2::int8')})`, [schema, writer]);
      if (slot !== null) slot = await freeSlot(opened, options.address, slot);
      await opened.query(`LISTEN "${channelOf(schema)}"`);
      await parts.onSeated(opened);
    } catch (error) {
      opened.destroy();
      throw error;
    }
    if (isClosed) opened.destroy();
    connection = opened;
    return opened;
  }

  /** Another gateway may take the same number at the same time; and since it was looked, a copy may have begun. */
  async function takeNumber(opened: Connection): Promise<number> {
    for (;;) {
      const [row] = await opened.query(
        `INSERT INTO writers (id, owner) SELECT coalesce(max(id), 0) + 1, $1 FROM writers
           HAVING NOT (SELECT copying FROM sandgate) ON CONFLICT DO NOTHING RETURNING id`,
        [owner],
      );
      if (row !== undefined) return Number(row[0]);
      await parts.onConnect(opened);
    }
  }

  async function register(opened: Connection): Promise<void> {
    const [row] =
      writer === null
        ? []
        : await opened.query(
            'UPDATE writers SET fence = fence + 1 WHERE id = $1 AND owner = $2 RETURNING fence, batch',
            [writer, owner],
          );
    if (row === undefined) {
      // The first time, or the server was set back to before it: what it kept is gone with its number.
      writer = await takeNumber(opened);
      fence = 0;
      kept = { batch: 0, turn: kept.turn };
      return parts.onChains(new Map(parts.knownChains().map((id) => [id, null])));
    }
    fence = Number(row[0]);
    const found = await opened.query(
      'SELECT id, last, head, last_at, turn FROM chains WHERE writer = $1 AND session IS NOT NULL',
      [writer],
    );
    const chains = new Map<number, KnownChain | null>(parts.knownChains().map((id) => [id, null]));
    let turn = 0;
    for (const [id, last, head, lastAt, newest] of found as [number, number, string, number, number][]) {
      chains.set(id, { id, last, head, lastAt });
      turn = Math.max(turn, newest);
    }
    kept = { batch: Number(row[1]), turn };
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

  return {
    /** The open connection, or a new one. @throws SandgateError */
    connected,
    /** Reads; anew where the connection is lost meanwhile. */
    ask: (async (statement, values) => {
      const opened = await connected();
      try {
        return await opened.query(statement, values);
      } catch (error) {
        if (!opened.isLost()) throw error;
        return (await connected()).query(statement, values);
      }
    }) satisfies Connection['query'],
    era: () => parts.era.now,
    /** Its number. */
    writer: () => writer ?? 0,
    fence: () => fence,
    /** The last batch that was kept, and the newest turn that was given, as the newest connection found them. */
    kept: () => kept,
    /** Compared with each connection, at least. */
    time,
    /**
     * From now on it has a slot, on each connection. What gateways had agreed on while they ran (switches, waivers) is
     * forgotten by the first one that comes after all of them: it begins with its own configuration.
     */
    takeSlot: async () => {
      if (slot !== null) return;
      const opened = await connected();
      await within(BRIEF, async ({ query }) => {
        await query("SELECT pg_advisory_xact_lock(hashtextextended('sandgate start ' || $1, 0))", [schema]);
        slot = await freeSlot(opened, options.address, null);
        if (await isAlone(opened, schema))
          await query("UPDATE worlds SET epoch = epoch + 1, header = '{}' WHERE header <> '{}'", []);
      })(opened);
    },
    /** See `Serving`. */
    slot: () => slot ?? 0,
    isFirst: async () => {
      const opened = await connected();
      if (first !== opened && (await lock(opened, schema, 'first'))) first = opened;
      return first === opened;
    },
    isClosed: () => isClosed,
    /** Cuts the connection off: somebody else has the seat. */
    leave: () => connection?.destroy(),
    close: async () => {
      isClosed = true;
      await connection?.end();
      connection = null;
    },
  };
}

export type Seat = ReturnType<typeof createSeat>;
