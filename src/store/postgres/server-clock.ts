/** The clock of the server, from which that of a machine must not be far off: each gateway judges by its own. */
import { SandgateError } from '../../spec/index.js';
import type { Connection } from './client.js';

export interface ServerClockParts {
  readonly shown: string;
  /** Epoch ms. */
  readonly clock: () => number;
  /** Ms since any moment: nobody sets it. */
  readonly stopwatch: () => number;
}

const MOST_OFF_MS = 60_000;
const LATELY_MS = 10_000;
/** The machine's clock was set where it is off the stopwatch by more. */
const SET_MS = 1_000;

export function createServerClock({ shown, clock, stopwatch }: ServerClockParts) {
  /** The server's clock is so many ms ahead of the machine's. */
  let ahead = 0;
  let comparedAt = Number.NEGATIVE_INFINITY;
  /** The machine's clock is so many ms ahead of the stopwatch. */
  let offset = 0;

  const isOff = (): boolean => Math.abs(ahead) > MOST_OFF_MS;
  const wasComparedLately = (): boolean =>
    stopwatch() - comparedAt < LATELY_MS && Math.abs(clock() - stopwatch() - offset) < SET_MS;

  async function compare({ query }: Connection): Promise<void> {
    const asked = clock();
    const [row] = await query('SELECT (extract(epoch FROM clock_timestamp()) * 1000)::int8', []);
    const answered = clock();
    ahead = Number(row?.[0]) - (asked + answered) / 2;
    comparedAt = stopwatch();
    offset = answered - comparedAt;
  }

  return {
    /** Epoch ms, by the server. */
    now: () => clock() + ahead,
    compare,
    /** Compares where that was not done lately. @throws SandgateError where the machine's clock is off */
    check: async (connection: Connection) => {
      if (isOff() || !wasComparedLately()) await compare(connection);
      if (isOff())
        throw new SandgateError('store.clock', {
          store: shown,
          seconds: Math.round(Math.abs(ahead) / 1_000),
        });
    },
  };
}
