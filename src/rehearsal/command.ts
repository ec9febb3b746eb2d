/** Runs commands of a plan: by the shell, in a process group of its own, with bounded output, and ended as a group. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

export interface CommandParts {
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface Running {
  /** The end of what it wrote to both outputs. */
  readonly output: () => string;
  /** How it ended; null while it runs. */
  readonly ended: () => string | null;
  readonly whenEnded: Promise<void>;
  /** SIGTERM to the group, and SIGKILL to what is left of it after the time of grace. May be called twice. */
  readonly stop: () => Promise<void>;
}

const KEPT = 16_384;
const GRACE_MS = 3_000;
const POLL_MS = 20;

export function startCommand(command: string, { folder, env }: CommandParts, graceMs = GRACE_MS): Running {
  const child = spawn(command, {
    shell: true,
    detached: true,
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let kept = '';
  const keep = (chunk: string): void => {
    kept = (kept + chunk).slice(-KEPT);
  };
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', keep);
  let end: string | null = null;
  const whenEnded = new Promise<void>((resolve) => {
    const done = (how: string) => {
      end ??= how;
      resolve();
    };
    child.on('error', ({ message }) => done(message));
    child.on('exit', (code, signal) => done(signal === null ? `status ${code}` : `signal ${signal}`));
  });
  const release = onSecondSignal(() => signalGroup(child, 'SIGKILL'));
  let stopping: Promise<void> | undefined;
  const stop = async () => {
    if (signalGroup(child, 'SIGTERM') && !(await isGone(child, graceMs))) {
      signalGroup(child, 'SIGKILL');
      await isGone(child, GRACE_MS);
    }
    release();
    // A process that left the group may still hold them.
    child.stdout.destroy();
    child.stderr.destroy();
  };
  return {
    output: () => kept.trim(),
    ended: () => end,
    whenEnded,
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
}

/** Whether there was anybody to tell. */
export function signalGroup(child: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  if (child.pid === undefined) return false;
  try {
    process.kill(-child.pid, signal);
    return true;
  } catch {
    // Windows has no groups, and a group that has ended has no process.
    return process.platform === 'win32' && child.kill(signal === 0 ? undefined : signal);
  }
}

async function isGone(child: ChildProcess, within: number): Promise<boolean> {
  for (let waited = 0; waited < within; waited += POLL_MS) {
    if (!signalGroup(child, 0) || isUnburied(child)) return true;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return false;
}

/** Whether all in the group have ended and nobody waited for them: the first process of many a container waits for none. */
function isUnburied({ pid }: ChildProcess): boolean {
  if (process.platform !== 'linux') return false;
  const states = readdirSync('/proc').flatMap((name) => {
    const [, state, group] = /^\d/.test(name) ? (/\) (\w) -?\d+ (\d+)/.exec(statOf(name)) ?? []) : [];
    return Number(group) === pid ? [state] : [];
  });
  return states.every((state) => state === 'Z');
}

function statOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return '';
  }
}

/** Who asks a second time to stop does not wait for the grace, and nothing of the application is to be left then. */
function onSecondSignal(run: () => void): () => void {
  let asked = 0;
  const hear = () => {
    asked += 1;
    if (asked > 1) run();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.prependListener(signal, hear);
  return () => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, hear);
  };
}
