/** Lines on calls while `serve` runs: on its terminal, and in the access log. */
import { once } from 'node:events';
import { constants, type FileHandle, open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Writable } from 'node:stream';
import { type Brief, briefOf } from '../../admin/exchanges/index.js';
import type { Config } from '../../app/config/index.js';
import type { Sandgate } from '../../app/gateway/index.js';
import type { Log } from '../../app/system/index.js';
import { counted, SandgateError, unwritable } from '../../spec/index.js';
import { makeDirectory } from '../../store/index.js';
import type { CliContext } from '../context.js';
import { isTerminal, STANDARD_OUTPUT, widthOf } from '../output.js';
import { callJson, callLine, paintFor } from './call-line.js';

type Running = Pick<Sandgate, 'feed' | 'urls'>;

export interface CallTeller {
  /** Tells calls from now on. The function given back ends it, once all that was kept is written. */
  readonly begin: (sandgate: Running) => () => Promise<void>;
  /** Tells one. `admin`: where its page is; null where that is not known yet. */
  readonly tell: (call: () => Brief, admin: string | null) => void;
  readonly lose: (count: number) => void;
  readonly close: () => Promise<void>;
}

interface Target {
  readonly lines: ReturnType<typeof createLines>;
  readonly lineOf: (call: Brief, page: string | null) => string;
  readonly close: () => Promise<unknown>;
}

/** In characters. A terminal that is behind by some screens shows none of it in time; a log may wait for its disk. */
const MOST_ON_TERMINAL = 65_536;
const MOST_IN_LOG = 8_388_608;
const PROBLEM_EVERY_MS = 60_000;

export const areCallsTold = (config: Config, { stdout }: Pick<CliContext, 'stdout'>): boolean =>
  config.accessLog !== undefined || areCallsShown(config, stdout);

const areCallsShown = ({ accessLog, callLines, json }: Config, stdout: CliContext['stdout']): boolean =>
  callLines && !json && accessLog !== STANDARD_OUTPUT && isTerminal(stdout);

/** Opens what is written to, before the gateway starts: throws a SandgateError where the log cannot be. */
export async function openCallTeller(config: Config, context: CliContext, log: Log): Promise<CallTeller> {
  const { accessLog } = config;
  const { stdout } = context;
  const targets: Target[] = [];
  if (accessLog === STANDARD_OUTPUT) targets.push(logOn(stdout, context, async () => {}));
  else if (accessLog !== undefined) {
    const file = await openAccessLog(accessLog, onceAMinute(context, log));
    targets.push(logOn(file, context, () => once(file.end(), 'close')));
  }
  if (areCallsShown(config, stdout)) targets.push(shownOn(context));
  const teller: Omit<CallTeller, 'begin'> = {
    tell: (call, admin) => {
      const page = () => (admin === null ? null : `${admin}/exchanges/${call().id}`);
      for (const { lines, lineOf } of targets) lines.take(() => lineOf(call(), page()));
    },
    lose: (count) => {
      for (const { lines } of targets) lines.lose(count);
    },
    close: async () => {
      for (const { lines, close } of targets) {
        lines.end();
        await close();
      }
    },
  };
  return {
    ...teller,
    begin: (sandgate) => (targets.length === 0 ? async () => {} : begin(sandgate, teller)),
  };
}

function begin({ feed, urls }: Running, teller: Omit<CallTeller, 'begin'>): () => Promise<void> {
  const stop = feed.listen({
    take: ({ records }) => {
      for (const record of records) {
        let made: Brief | undefined;
        const call = () => {
          made ??= briefOf(record);
          return made;
        };
        teller.tell(call, urls.admin);
      }
    },
    lost: teller.lose,
    stirred: () => {},
  });
  return async () => {
    await feed.idle();
    stop();
    await teller.close();
  };
}

function logOn(stream: Writable, { clock }: CliContext, close: Target['close']): Target {
  const dropped = (count: number) =>
    `${JSON.stringify({ at: new Date(clock()).toISOString(), dropped: count })}\n`;
  return {
    lines: createLines(stream, MOST_IN_LOG, dropped),
    lineOf: callJson,
    close,
  };
}

function shownOn({ stdout, env }: CliContext): Target {
  const paint = paintFor(stdout, env);
  writeLater(stdout);
  const dropped = (count: number) =>
    `${paint(`… ${counted(count, 'call is', 'calls are')} not shown: the terminal is slower than they come.`, 'dim')}\n`;
  return {
    lines: createLines(stdout, MOST_ON_TERMINAL, dropped),
    lineOf: (call, page) => callLine(call, { paint, width: widthOf(stdout), page }),
    close: async () => {},
  };
}

/** Node writes to a terminal before it goes on: one that is stopped (Ctrl-S) would stop the gateway. */
function writeLater(stdout: CliContext['stdout'] & { readonly _handle?: Handle }): void {
  stdout._handle?.setBlocking?.(false);
}

interface Handle {
  readonly setBlocking?: (blocking: boolean) => void;
}

function onceAMinute({ clock }: CliContext, log: Log): (problem: SandgateError) => void {
  let told = Number.NEGATIVE_INFINITY;
  return ({ message }) => {
    if (clock() - told < PROBLEM_EVERY_MS) return;
    told = clock();
    log.error({ problem: message }, 'The access log is not complete.');
  };
}

/**
 * Lines of a reader that is `most` characters behind are dropped; the line that `dropped` makes tells how many. A line is
 * made only where it can be written.
 */
export function createLines(stream: Writable, most: number, dropped: (count: number) => string) {
  let text = '';
  let missing = 0;
  let isDue = false;

  const flush = (): void => {
    isDue = false;
    if (stream.destroyed) return;
    if (missing > 0 && stream.writableLength < most) {
      text += dropped(missing);
      missing = 0;
    }
    if (text !== '') stream.write(text);
    text = '';
  };
  const plan = (): void => {
    if (isDue) return;
    isDue = true;
    setImmediate(flush);
  };
  stream.on('drain', plan);

  return {
    take: (line: () => string): void => {
      if (stream.writableLength + text.length > most) missing += 1;
      else {
        text += line();
        plan();
      }
    },
    lose: (count: number): void => {
      missing += count;
      plan();
    },
    end: (): void => {
      stream.off('drain', plan);
      flush();
    },
  };
}

const { O_APPEND, O_CREAT, O_NONBLOCK, O_WRONLY } = constants;

/** A failed write is reported, and the next piece is tried again: a full disk ends no gateway. */
export async function openAccessLog(
  file: string,
  onProblem: (problem: SandgateError) => void,
): Promise<Writable> {
  const handle = await openFile(file);
  let isBroken = false;
  return new Writable({
    decodeStrings: false,
    write: (text: string, _, done) => {
      // A piece that failed may have left half a line.
      handle.appendFile(isBroken ? `\n${text}` : text).then(
        () => {
          isBroken = false;
          done();
        },
        (cause) => {
          isBroken = true;
          onProblem(unwritable(`--access-log ${file}`, cause));
          done();
        },
      );
    },
    final: (done) => void handle.close().then(() => done(), done),
  });
}

async function openFile(file: string): Promise<FileHandle> {
  const name = `--access-log ${file}`;
  let handle: FileHandle | undefined;
  try {
    makeDirectory(dirname(resolve(file)), 0o777);
    // A pipe without a reader would be waited for.
    handle = await open(file, O_APPEND | O_CREAT | O_NONBLOCK | O_WRONLY, 0o600);
    if (!(await handle.stat()).isFile())
      throw new SandgateError('file.unwritable', { file: name, why: 'it is no file; give another one' });
    await handle.chmod(0o600);
    return handle;
  } catch (cause) {
    await handle?.close();
    throw cause instanceof SandgateError ? cause : unwritable(name, cause);
  }
}
