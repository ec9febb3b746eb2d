/** The parts of a process that a command may use: streams, environment, clock, signals. */
import type { Readable, Writable } from 'node:stream';
import type { Command } from 'commander';

/** The exit status of a command that was asked to stop before it was done; a shell sees the signal itself. */
export const STOPPED = 128;

export interface CliContext {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  /** `isTTY` and `columns` as on process.stdout; absent in a pipe. */
  readonly stdout: Writable & { isTTY?: boolean; columns?: number };
  readonly stderr: Writable & { isTTY?: boolean };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: () => number;
  /** Aborted by SIGINT and SIGTERM. */
  readonly signal: AbortSignal;
  /** Sets the exit status of a command that did its work and judged (1); faults are thrown as SandgateError. */
  readonly exitWith: (status: number) => void;
}

/** A command's file exports one of these by default. */
export type CommandFactory = (context: CliContext) => Command;
