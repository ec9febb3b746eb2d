/** Child processes of the benchmark: servers that say when they are ready, and the load on them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

export interface Server {
  readonly process: ChildProcess;
  readonly port: number;
  /** Address of its admin listener; empty where it has none. */
  readonly admin: string;
  /** Bytes of memory that the process holds. */
  readonly memory: () => number;
  /** Seconds of the processor that it has used, all its threads together. */
  readonly cpu: () => number;
  readonly stop: () => Promise<void>;
}

export interface Measured {
  readonly perSecond: number;
  /** In ms. */
  readonly p50: number;
  readonly p99: number;
  /** While it was measured. */
  readonly answered: number;
  /** Those before the measuring began, too. */
  readonly calls: number;
  readonly statuses: Readonly<Record<string, number>>;
}

/**
 * Arguments for Node that run a file of this folder, by its name without an ending: what was compiled, where the benchmark
 * that runs was, and else its source.
 */
export function partOf(name: string): string[] {
  const [, main = ''] = process.argv;
  if (main.endsWith('.js')) return [join(dirname(main), `${name}.js`)];
  const source = fileURLToPath(new URL(`${name}.ts`, import.meta.url));
  return ['--import', import.meta.resolve('tsx'), source];
}

const running = new Set<ChildProcess>();
// A benchmark that fails leaves no servers behind.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
process.once('SIGTERM', () => process.exit(143));

function startChild(args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  running.add(child);
  return child.once('exit', () => running.delete(child));
}

/** `args` for node; the first line of output holds the address. */
export async function startServer(args: readonly string[]): Promise<Server> {
  const child = startChild(args);
  const line = await lineWhere(child, () => true);
  const { api, admin = '' } = JSON.parse(line) as { api: string; admin?: string };
  return {
    process: child,
    ...{ port: Number(new URL(api).port), admin },
    memory: () => residentBytes(child.pid ?? 0),
    cpu: () => processorSeconds(child.pid ?? 0),
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGTERM');
      }),
  };
}

export interface GatewayFiles {
  /** The built program. */
  readonly program: string;
  readonly certs: string;
  readonly store: string;
  readonly session?: string;
  /** Of the API listener; a free one where it is 0 or absent. */
  readonly port?: number;
}

/** `sandgate serve`, its other listeners on free ports, with further arguments. */
export function startGateway(
  { program, certs, store, session = 'bench', port = 0 }: GatewayFiles,
  more: readonly string[],
): Promise<Server> {
  const others = ['--psu-listen', '127.0.0.1:0', '--admin-listen', '127.0.0.1:0'];
  const ports = ['--listen', `127.0.0.1:${port}`, ...others];
  const own = ['--certs', certs, '--store', store, '--session', session, '--json', '--log-level', 'error'];
  return startServer([program, 'serve', ...ports, ...own, ...more]);
}

/** Arguments of a gateway before a bank at a port of this machine. */
export function wayTo(port: number, certs: string): string[] {
  const bank = ['--upstream', `https://localhost:${port}`, '--upstream-ca', join(certs, 'ca.pem')];
  return [...bank, '--upstream-cert', join(certs, 'tpp.pem'), '--upstream-key', join(certs, 'tpp.key')];
}

export interface MeasuredLoad {
  readonly measured: Measured;
  /** What each of them used of the processor while it was measured, µs a call. */
  readonly processor: readonly number[];
}

/**
 * `used`: how much servers have used of the processor by then, in seconds each. What they do while the load starts and
 * warms up, and when it ends, is none of its calls'.
 */
export async function runLoad(
  args: readonly string[],
  used: () => readonly number[] = () => [],
): Promise<MeasuredLoad> {
  const child = startChild(args);
  const at: (readonly number[])[] = [];
  const last = await lineWhere(child, (line) => {
    if (line.startsWith('{')) return true;
    at.push(used());
    return false;
  });
  const [begun = [], ended = []] = at;
  const measured = JSON.parse(last) as Measured;
  return { measured, processor: ended.map((end, i) => ((end - (begun[i] ?? 0)) * 1e6) / measured.answered) };
}

/** The first line of output that `is` takes. */
function lineWhere(child: ChildProcess, is: (line: string) => boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    const lines = createInterface({ input: child.stdout as Readable });
    lines.on('line', (line) => {
      if (is(line)) resolve(line);
    });
    child.once('error', reject);
    child.once('close', (code) => reject(new Error(`a process of the benchmark ended with ${code}`)));
  });
}

/** Linux only; elsewhere 0. */
function residentBytes(pid: number): number {
  try {
    const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** Of the clock that /proc counts by, which is the same on every Linux. */
const TICKS_A_SECOND = 100;

/** Linux only; elsewhere 0. */
function processorSeconds(pid: number): number {
  const [user, system] = statOf(pid).slice(11, 13);
  return (Number(user ?? 0) + Number(system ?? 0)) / TICKS_A_SECOND;
}

/** The same of a process with all those that it started, and those that have ended and it has noticed. */
export function processorSecondsOfAll(pid: number): number {
  const stat = statOf(pid);
  const own = stat.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_A_SECOND;
  return own + childrenOf(pid).reduce((sum, child) => sum + processorSecondsOfAll(child), 0);
}

function childrenOf(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return text.split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** Fields of /proc/PID/stat behind the name of the process; none where it is gone. */
function statOf(pid: number): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}
