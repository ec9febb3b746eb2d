/** The program itself, as a child process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** As it is shipped; the suite builds it before its first test. */
export const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** Of the machine's variables. */
const CHANGES_WHAT_IS_SAID = /^(?:SANDGATE_|(?:NO|FORCE)_COLOR$)/;

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Child {
  readonly process: ChildProcess;
  readonly folder: string;
  /** Resolves with standard output as soon as it holds the text. */
  readonly prints: (text: string) => Promise<string>;
  /** The same of standard error. */
  readonly tells: (text: string) => Promise<string>;
  readonly ended: Promise<Ended>;
}

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'sandgate-child-'));
}

/** `sandgate` with arguments, in a folder of its own unless one is given; behind commands of a shell, where given. `node`: what Node runs instead of the built program. */
export function startProgram(
  args: readonly string[],
  options: { folder?: string; env?: Record<string, string>; shell?: string; node?: readonly string[] } = {},
): Child {
  const folder = options.folder ?? temporaryFolder();
  const inherited = Object.entries(process.env).filter(([name]) => !CHANGES_WHAT_IS_SAID.test(name));
  const { shell } = options;
  const program = [process.execPath, ...(options.node ?? [MAIN]), ...args];
  const command =
    shell === undefined ? program : ['/bin/sh', '-c', `${shell} exec "$@"`, 'sandgate', ...program];
  const child = spawn(command[0] as string, command.slice(1), {
    cwd: folder,
    env: { ...Object.fromEntries(inherited), ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const text = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      text[name] += chunk;
    });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, ...text }));
  });
  const holds = (name: 'stdout' | 'stderr') => (wanted: string) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        if (text[name].includes(wanted)) resolve(text[name]);
      };
      child[name].on('data', look);
      look();
      ended.then(({ code, stderr }) => reject(new Error(`ended with ${code}: ${stderr}`)), reject);
    });
  return { process: child, folder, prints: holds('stdout'), tells: holds('stderr'), ended };
}

/** A gateway on free ports. */
export async function startServing(
  certs: string,
  args: readonly string[] = [],
  folder = temporaryFolder(),
  env: Record<string, string> = {},
  shell?: string,
  node: readonly string[] = [MAIN],
) {
  const ports = ['--listen', '127.0.0.1:0', '--psu-listen', '127.0.0.1:0', '--admin-listen', '127.0.0.1:0'];
  const own = [
    '--certs',
    certs,
    '--session',
    'test',
    '--store',
    'store.db',
    '--json',
    '--log-level',
    'error',
  ];
  const child = startProgram(['serve', ...ports, ...own, ...args], {
    folder,
    ...{ env, node },
    ...(shell === undefined ? {} : { shell }),
  });
  const ready = JSON.parse(await child.prints('\n')) as { api: string; psu: string; admin: string };
  return { ...child, ready, store: join(folder, 'store.db') };
}
