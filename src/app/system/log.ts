/** The log: JSON lines on standard error. Secrets are never passed to it, and what looks like one is struck out. */
import { pino } from 'pino';
import { SandgateError } from '../../spec/index.js';

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

export interface LogParts {
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
