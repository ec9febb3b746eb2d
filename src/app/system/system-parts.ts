/** The system's clock, timer and randomness; the only place that asks for them. */
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createLog, type Log, type LogLevel } from './log.js';

export interface SystemParts {
  /** Epoch ms. */
  readonly clock: () => number;
  /** Ms since any moment, for durations. */
  readonly stopwatch: () => number;
  readonly chance: {
    readonly bytes: (size: number) => Uint8Array;
    readonly uuid: () => string;
    /** A whole number from 0 to below `limit`. */
    readonly below: (limit: number) => number;
  };
  /** Runs once after so many ms; the function given back cancels it. */
  readonly timer: { readonly after: (ms: number, run: () => void) => () => void };
  readonly log: Log;
}

export function systemParts(
  level: LogLevel,
  write: (line: string) => void,
  clock: () => number = Date.now,
): SystemParts {
  return {
    clock,
    stopwatch: () => performance.now(),
    chance: { bytes: randomBytes, uuid: randomUUID, below: (limit) => randomInt(limit) },
    timer: {
      after: (ms, run) => {
        const timer = setTimeout(run, ms);
        return () => clearTimeout(timer);
      },
    },
    log: createLog({ level, write, clock }),
  };
}

/** Listens there for a moment; what kept it from that, or null. */
export async function portError(address: {
  host: string;
  port: number;
}): Promise<NodeJS.ErrnoException | null> {
  const server = createServer();
  try {
    // By itself, also where another process listens for this one.
    server.listen({ ...address, exclusive: true });
    await once(server, 'listening');
    return null;
  } catch (error) {
    return error as NodeJS.ErrnoException;
  } finally {
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }
}
