/** The system's clock, timer and randomness, and the log. The only place that asks for them. */
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { pino } from 'pino';
import { SandgateError } from '../../spec/index.js';

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

export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'silent';

export interface Log {
  readonly info: (facts: object, text: string) => void;
  readonly warn: (facts: object, text: string) => void;
  readonly error: (facts: object, text: string) => void;
  readonly debug: (facts: object, text: string) => void;
}

const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'access_token',
  'refresh_token',
  'code',
  'code_verifier',
  'adminToken',
  'key',
  'body',
];
/** Facts are no deeper than that. */
const SECRETS = SECRET_FIELDS.flatMap((field) => ['', '*.', '*.*.', '*.*.*.'].map((above) => above + field));

interface LogParts {
  readonly level: LogLevel;
  readonly write: (line: string) => void;
  readonly clock: () => number;
}

export function createLog({ level, write, clock }: LogParts): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date(clock()).toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRETS, censor: '…' },
    },
    { write },
  );
}

/**
 * What may be said of an error: name, message, stack, and its code as `fault`, since `code` is struck out. What its cause
 * says may quote what was read.
 */
export function errorFacts(error: unknown): {
  error: string;
  fault?: string;
  cause?: string;
  stack?: string;
} {
  if (!(error instanceof Error)) return { error: String(error) };
  const { name, message, cause, stack } = error;
  return {
    error: `${name}: ${message}`,
    ...(error instanceof SandgateError ? { fault: error.code } : {}),
    ...(cause instanceof Error ? { cause: (cause as NodeJS.ErrnoException).code ?? cause.name } : {}),
    ...(stack === undefined ? {} : { stack }),
  };
}
