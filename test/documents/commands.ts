/** Runs the command lines of a document as its reader would: in one folder, one after the other. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { sandgate } from '../cli/run-command.js';
import type { CommandLine } from './blocks.js';
import { wordsOf } from './form.js';
import type { Scene } from './scene.js';

export interface Outcome {
  readonly line: CommandLine;
  /** NaN where the line did not come to an end. */
  readonly status: number;
  /** Of a shell, what was said by all of its lines. */
  readonly said: string;
}

/** A second or two in truth; a machine with other work to do takes longer. */
const PATIENCE_MS = 60_000;

/** What later lines of a block need: something that runs in the background, a variable, a function. */
const IS_LEFT_BEHIND = / &$|^\w+(?:=|\(\) )/;

/** A block that leaves something behind for its later lines is one shell; otherwise each line stands for itself. */
export async function runLines(
  lines: readonly CommandLine[],
  scene: Scene,
  patienceMs = PATIENCE_MS,
): Promise<readonly Outcome[]> {
  if (lines.some(({ text }) => IS_LEFT_BEHIND.test(text))) return inShell(lines, scene, patienceMs);
  const outcomes: Outcome[] = [];
  for (const line of lines) {
    const args = ownArguments(line.text);
    outcomes.push(
      ...(args === undefined
        ? await inShell([line], scene, patienceMs)
        : [await inProcess(line, args, scene, patienceMs)]),
    );
  }
  return outcomes;
}

/** What `sandgate` is given by a line that runs nothing else and leaves nothing to a shell; undefined of others. */
function ownArguments(text: string): readonly string[] | undefined {
  const [, rest] = /^(?:npx )?sandgate\b(.*?)(?:\s#.*)?$/.exec(text) ?? [];
  const unquoted = rest?.replaceAll(/'[^']*'|"[^"$`]*"/g, '');
  return unquoted === undefined || /[$`|<>&;*"'\\]/.test(unquoted) ? undefined : wordsOf(rest ?? '');
}

/** As the program does it, without the second that a program takes to start; what would run on stops when it is ready. */
async function inProcess(
  line: CommandLine,
  args: readonly string[],
  { folder, env }: Scene,
  patienceMs: number,
): Promise<Outcome> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort('SIGTERM'), patienceMs);
  const home = process.cwd();
  process.chdir(folder);
  try {
    const { status, out, err } = await sandgate(args, {
      ...{ env: { HOME: folder, ...env }, clock: Date.now, signal: stop.signal },
      heard: (text) => text.includes('Sandgate is ready.') && stop.abort('SIGTERM'),
    });
    return { line, status, said: `${out}\n${err}` };
  } finally {
    process.chdir(home);
    clearTimeout(timer);
  }
}

/** In a group of processes of its own, of which nothing is left when this ends. */
async function inShell(
  lines: readonly CommandLine[],
  { folder, env }: Scene,
  patienceMs: number,
): Promise<Outcome[]> {
  const script = lines.map((line, i) => `${line.text}\nprintf '\\n@@ ${i} %s\\n' $?`).join('\n');
  const shell = spawn('bash', ['-c', script], {
    ...{ cwd: folder, env: { HOME: folder, ...env }, detached: true },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const end = () => endGroup(shell.pid);
  const timer = setTimeout(end, patienceMs);
  process.once('exit', end);
  let said = '';
  for (const stream of [shell.stdout, shell.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  await once(shell, 'close');
  clearTimeout(timer);
  process.off('exit', end);
  end();
  return lines.map((line, i) => {
    const status = Number(new RegExp(`^@@ ${i} (\\d+)$`, 'm').exec(said)?.[1] ?? Number.NaN);
    return { line, status, said };
  });
}

function endGroup(leader: number | undefined): void {
  if (leader === undefined) return;
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // Nobody of it is left.
  }
}

/** The gateway that a reader has started before; gives back what stops it. */
export async function startGateway({ folder, env }: Scene): Promise<() => Promise<unknown>> {
  const stop = new AbortController();
  let tellReady = () => {};
  const ready = new Promise<void>((resolve) => {
    tellReady = resolve;
  });
  const ended = sandgate(
    ['serve', '--certs', join(folder, 'certs'), '--store', join(folder, 'data', 'sandgate.db')],
    {
      ...{ env, clock: Date.now, signal: stop.signal },
      heard: (text) => text.includes('Sandgate is ready.') && tellReady(),
    },
  );
  const early = await Promise.race([ready, ended]);
  if (early !== undefined) throw new Error(early.err);
  return () => {
    stop.abort('SIGTERM');
    return ended;
  };
}
