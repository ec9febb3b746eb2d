/**
 * Keeps batches. Where the connection is lost in the middle of one, nobody knows whether it was kept: the number of the
 * last batch, which is kept with it, says so on the next connection.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { SandgateError } from '../../spec/index.js';
import { StoreUncertain } from '../port.js';
import { StoreMoved } from '../world-state.js';
import { arrayOf } from './arrays.js';
import type { Connection, ConnectOptions } from './client.js';
import { keepOf, PUT_MORE_FACTS } from './flush.js';
import { takeSteps } from './layers.js';
import type { Partitions } from './partitions.js';
import { createPlaceRows } from './place-rows.js';
import { BRIEF } from './pool.js';
import type { Collected } from './row-writer.js';
import type { Seat } from './seat.js';

/** The chains or the connection of a batch have changed: it must be made again. */
export class Outdated extends SandgateError<'store.unusable'> {
  constructor(path: string) {
    super('store.unusable', { path, why: 'it changed again and again while something was being written' });
    this.name = 'Outdated';
  }
}

export interface KeeperParts {
  readonly options: ConnectOptions;
  readonly seat: Seat;
  readonly days: Partitions;
  /** Epoch ms. */
  readonly clock: () => number;
  /** These chains of this writer are gone. */
  readonly onGone: (chains: readonly number[]) => void;
}

/** All of a batch or nothing; see `Store.append`. Gives the turn from which those of the batch count. @throws SandgateError, among them Outdated */
export type Keep = (collected: Collected) => Promise<number>;

/** Between two attempts to connect. */
const PAUSE_MS = 100;
const NO_PARTITION = '23514';
const DISK_FULL = '53100';

type Outcome = readonly [turn: number | null, moved: string | null, gone: string | null];

export function createKeep({ options, seat, days, clock, onGone }: KeeperParts): Keep {
  const { shown } = options.address;
  const places = createPlaceRows(seat.era);
  let batch = 0;
  /** The newest one that was given. */
  let turn = 0;
  /** The disk of the server was: small batches still find a place, and larger ones fail. */
  let wasFull = false;

  async function keep(collected: Collected): Promise<number> {
    batch += 1;
    const era = seat.era();
    let lostAt: number | null = null;
    let hasDays = true;
    let isGiven = false;
    for (;;) {
      let opened: Connection | null = null;
      try {
        opened = await seat.connected();
        // A connection before this one has kept it.
        if (seat.kept().batch === batch) return seat.kept().turn - collected.turns;
        if (seat.era() !== era) throw new Outdated(shown);
        refuseOlder(collected);
        if (wasFull) await takeRoom(opened, seat.writer());
        wasFull = false;
        await places.ensure(opened, collected);
        await days.makeAhead(opened, seat.time.now());
        isGiven = true;
        return judge(await write(opened, collected), collected.turns);
      } catch (error) {
        if (opened !== null && !opened.isLost()) isGiven = false;
        const lost = isGiven && error instanceof SandgateError ? new StoreUncertain(shown, error) : error;
        if (seat.isClosed()) throw lost;
        wasFull ||= codeOf(error) === DISK_FULL;
        if (opened !== null && hasDays && codeOf(error) === NO_PARTITION) {
          // They are gone, or the machine's clock was set since it was compared.
          hasDays = false;
          days.forget();
          await seat.time.compare(opened).catch(() => {});
        } else if (opened?.isLost() === true) lostAt ??= clock();
        // Only what may have been kept is worth waiting for: whoever gave it has to know which it is.
        else if (opened !== null || lostAt === null) throw error;
        else await sleep(PAUSE_MS);
        if (lostAt !== null && clock() - lostAt > options.limits.connect) throw lost;
      }
    }
  }

  /** Refuses expectations that an earlier connection read. */
  function refuseOlder({ cursors }: Collected): void {
    const older = [...cursors].filter(([, cursor]) => cursor !== seat.era());
    if (older.length > 0) throw new StoreMoved(older.map(([world]) => ({ world, partitions: [] })));
  }

  async function write(opened: Connection, collected: Collected): Promise<Outcome> {
    const { statement, arrays } = keepOf(collected.tables);
    turn = Math.max(turn, seat.kept().turn);
    const values = [seat.writer(), seat.fence(), batch, turn, ...arrays];
    const isPlain =
      collected.later.length === 0 &&
      collected.moves.every(({ header, steps }) => header === null && steps === 0);
    if (isPlain) return ((await opened.query(statement, values)) as unknown as [Outcome])[0];
    await opened.query(BRIEF);
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

  function judge([kept, moved, gone]: Outcome, turns: number): number {
    if (kept !== null) {
      turn = kept + turns;
      return kept;
    }
    if (gone !== null) {
      onGone(JSON.parse(gone));
      throw new Outdated(shown);
    }
    if (moved !== null) throw new StoreMoved(places.moved(moved));
    seat.leave();
    throw new SandgateError('store.unusable', {
      path: shown,
      why: 'another gateway took the place of this one',
    });
  }

  return keep;
}

async function takeLater(opened: Connection, { later, moves }: Collected, from: number): Promise<void> {
  for (const op of later) {
    if ('step' in op) await takeSteps(opened, op.world, op.step);
    else await opened.query(PUT_MORE_FACTS, [from, ...op.facts.arrays()]);
  }
  for (const { world, header, steps } of moves) {
    if (header === null && steps === 0) continue;
    await opened.query(
      'UPDATE worlds SET epoch = epoch + 1, steps = steps + $2::int8, header = coalesce($3, header) WHERE world = $1',
      [world, steps, header === null ? null : JSON.stringify(header)],
    );
  }
}

const codeOf = (error: unknown): unknown =>
  ((error as Error | null)?.cause as { code?: unknown } | undefined)?.code;

/** Rows of a thousand bytes: as much as large batches take, in the data and in the log. */
const ROOM_ROWS = 1_024;

/** Writes so much into a table of its own, and takes it back. @throws SandgateError where there is no room */
async function takeRoom(connection: Connection, writer: number): Promise<void> {
  await connection.query('BEGIN', []);
  try {
    await connection.query(
      `CREATE TABLE room_${writer} AS SELECT repeat('x', 1000) FROM generate_series(1, ${ROOM_ROWS})`,
    );
  } finally {
    if (!connection.isLost()) await connection.query('ROLLBACK', []);
  }
}
