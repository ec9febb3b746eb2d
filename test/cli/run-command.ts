/** Runs a command as a user types it, and gives back what it said. */
import { Readable, Writable } from 'node:stream';
import { run } from '../../src/cli/run.js';
import { NOW } from '../builders.js';
import { SHARED_CERTIFICATES } from '../shared-certificates.js';

export interface Said {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

export interface CommandParts {
  readonly env?: Readonly<Record<string, string>>;
  /** Without it, the time of the builders; that of today where a command is given the certificates of all tests. */
  readonly clock?: () => number;
  /** Standard error is a terminal; `both`: standard output, too. */
  readonly terminal?: true | 'both';
  /** Columns that the terminal of standard output gives. */
  readonly columns?: number;
  readonly signal?: AbortSignal;
  /** Called with all that standard output holds, whenever it holds more. */
  readonly heard?: (out: string) => unknown;
}

function collect(isTTY: boolean, heard?: CommandParts['heard']) {
  let text = '';
  const stream = new Writable({
    write(chunk, _, done) {
      text += chunk;
      heard?.(text);
      done();
    },
  });
  return { stream: Object.assign(stream, { isTTY }), text: () => text };
}

export async function sandgate(args: readonly string[], parts: CommandParts = {}): Promise<Said> {
  const [out, err] = [collect(parts.terminal === 'both', parts.heard), collect(parts.terminal !== undefined)];
  const status = await run(args, {
    stdin: Readable.from([]),
    stdout: Object.assign(out.stream, parts.columns === undefined ? {} : { columns: parts.columns }),
    stderr: err.stream,
    env: parts.env ?? {},
    clock: parts.clock ?? (args.includes(SHARED_CERTIFICATES) ? Date.now : () => NOW),
    signal: parts.signal ?? new AbortController().signal,
  });
  return { status, out: out.text(), err: err.text() };
}

export interface Running {
  /** Resolves with standard output as soon as it holds the text; rejects where the command ends without it. */
  readonly prints: (text: string) => Promise<string>;
  /** Asks it to end, as the first signal does. */
  readonly stop: () => Promise<Said>;
}

/** A command that goes on until it is stopped: `serve`, `replay`. */
export function startCommand(args: readonly string[], parts: CommandParts = {}): Running {
  const stop = new AbortController();
  const lookers = new Set<(out: string) => unknown>();
  let heard = '';
  const hear = (out: string): void => {
    heard = out;
    for (const look of lookers) look(out);
  };
  const ended = sandgate(args, { ...parts, signal: stop.signal, heard: hear });
  return {
    prints: (text) =>
      new Promise((resolve, reject) => {
        const look = (out: string) => out.includes(text) && resolve(out);
        lookers.add(look);
        look(heard);
        ended.then(({ status, err }) => reject(new Error(`ended with ${status}: ${err}`)), reject);
      }),
    stop: () => {
      stop.abort('SIGTERM');
      return ended;
    },
  };
}
