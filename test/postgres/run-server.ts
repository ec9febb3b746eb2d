/** A real PostgreSQL server for tests and the bench, which ends with whoever started it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface RunningServer {
  readonly port: number;
  readonly password: string;
  /** Of its data, and of nothing else. */
  readonly folder: string;
  /** At once, without a word to its clients. */
  readonly kill: () => Promise<void>;
  readonly stop: () => Promise<void>;
  readonly start: () => Promise<void>;
  /** Its data, as they are now: it is stopped, and started again. */
  readonly save: () => Promise<void>;
  /** As they were when they were saved, by a server that is killed. */
  readonly restore: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface ServerSettings {
  /** Of postgresql.conf. */
  readonly flags?: Readonly<Record<string, string | number>>;
  /** Put into its folder of data, by name. */
  readonly files?: Readonly<Record<string, string>>;
  /** Of a disk for its data alone, which can be filled up for real: `64m`. On Linux, by `unshare` of util-linux. */
  readonly disk?: string;
  /** The folder of another server, which is stopped: it begins with the data of that one. */
  readonly from?: string;
}

/** Durability of the machine is nothing that tests need; those of faults say otherwise. */
const FAST = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', shared_buffers: '64MB' };

/** A process that may mount what nobody else sees; who is not root may do so as a user of its own. */
const MAY_MOUNT = ['unshare', '--mount'];
const AS_A_USER = ['--user', '--map-current-user', '--keep-caps'];

export async function runServer(settings: ServerSettings = {}): Promise<RunningServer> {
  const program = fileURLToPath(new URL('server.mjs', import.meta.url));
  const { files = {}, disk, from } = settings;
  const given = { flags: { ...FAST, ...settings.flags }, files, disk, from };
  const before = disk === undefined ? [] : [...MAY_MOUNT, ...(process.getuid?.() === 0 ? [] : AS_A_USER)];
  const [command = '', ...args] = [...before, process.execPath, program, JSON.stringify(given)];
  const child = spawn(command, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    // A signal to the whole group must not reach the server before its clients have ended.
    detached: true,
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const nextLine = async (): Promise<string> => {
    const { value, done } = await lines.next();
    if (done === true) throw new Error('The server did not start.');
    return value;
  };
  const { port, password, folder } = JSON.parse(await nextLine());
  const say = (name: string) => async (): Promise<void> => {
    child.stdin.write(`${name}\n`);
    const said = await nextLine();
    if (said !== name) throw new Error(said);
  };
  return {
    ...{ port, password, folder },
    ...{
      kill: say('kill'),
      stop: say('stop'),
      start: say('start'),
      save: say('save'),
      restore: say('restore'),
    },
    close: async () => {
      const ended = once(child, 'exit');
      child.stdin.end();
      await ended;
    },
  };
}

export const addressOf = (
  { port, password }: Pick<RunningServer, 'port' | 'password'>,
  schema: string,
): string => `postgres://sandgate:${password}@127.0.0.1:${port}/postgres?schema=${schema}`;
