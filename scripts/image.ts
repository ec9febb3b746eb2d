/**
 * Makes an OCI image without a container engine, and tries it: `npm run build && sudo npx tsx scripts/image.ts [--out FOLDER]`.
 * It needs Debian's `umoci`, `dpkg` and `apt-get`, and root for the trial: a namespace of its own with a read-only root,
 * an ordinary user, and a writable /data. Not a part of `npm test`, as it needs what a machine may lack.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Agent, request } from 'undici';
import { eventually } from '../test/e2e/harness.js';

const { values: flags } = parseArgs({ options: { out: { type: 'string', default: 'sandgate-image' } } });
/** Libraries that Node is linked with, and what tells users apart. */
const PACKAGES = ['libc6', 'libgcc-s1', 'libstdc++6'];
const USER = 10_001;
const LIMIT_MB = 120;
const PORTS = { api: 8443, psu: 8444 } as const;
const ENV = {
  NODE_ENV: 'production',
  PATH: '/usr/local/bin',
  SANDGATE_LISTEN: `0.0.0.0:${PORTS.api}`,
  SANDGATE_PSU_LISTEN: `0.0.0.0:${PORTS.psu}`,
  SANDGATE_STORE: '/data/sandgate.db',
  SANDGATE_CERTS: '/data/certs',
} as const;
const PROGRAM = ['/usr/local/bin/node', '/app/dist/cli/main.js'];
/** The OCI's configuration has no health check: who runs the image names this one. */
const HEALTH = [...PROGRAM, 'wait', '--timeout', '5s'];

const work = mkdtempSync(join(tmpdir(), 'sandgate-image-'));
const root = join(work, 'bundle', 'rootfs');
const run = (program: string, args: readonly string[], cwd = work): string =>
  execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
const umoci = (...args: readonly string[]) => run('umoci', args);
const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);

function addLibraries(): void {
  // Debian's folders are links into /usr, which its packages rely on.
  for (const folder of ['lib', 'lib64']) {
    mkdirSync(join(root, 'usr', folder), { recursive: true });
    symlinkSync(`usr/${folder}`, join(root, folder));
  }
  const folder = join(work, 'packages');
  mkdirSync(folder);
  run('apt-get', ['download', ...PACKAGES], folder);
  for (const file of readdirSync(folder)) {
    const files = execFileSync('dpkg-deb', ['--fsys-tarfile', file], { cwd: folder, maxBuffer: 1e9 });
    execFileSync('tar', ['--extract', '--keep-directory-symlink', '--directory', root], { input: files });
  }
  for (const unused of ['usr/share/doc', 'usr/share/lintian', 'usr/lib/x86_64-linux-gnu/gconv'])
    rmSync(join(root, unused), { recursive: true, force: true });
}

function addProgram(): void {
  const [packed] = JSON.parse(
    run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', work], process.cwd()),
  );
  mkdirSync(join(root, 'app'));
  run('tar', [
    '--extract',
    '--file',
    packed.filename,
    '--strip-components=1',
    '--directory',
    join(root, 'app'),
  ]);
  cpSync('package-lock.json', join(root, 'app', 'package-lock.json'));
  run(
    'npm',
    ['ci', '--omit=dev', '--omit=peer', '--ignore-scripts', '--no-audit', '--no-fund'],
    join(root, 'app'),
  );
  const sqlite = join(root, 'app/node_modules/better-sqlite3');
  for (const folder of ['deps', 'src']) rmSync(join(sqlite, folder), { recursive: true });
  for (const file of readdirSync(join(sqlite, 'prebuilds')))
    if (file !== `linux-${process.arch}.node`) rmSync(join(sqlite, 'prebuilds', file));
  mkdirSync(join(root, 'usr/local/bin'), { recursive: true });
  cpSync(process.execPath, join(root, 'usr/local/bin/node'));
  run('strip', ['--strip-unneeded', join(root, 'usr/local/bin/node')]);
  mkdirSync(join(root, 'etc'), { recursive: true });
  writeFileSync(join(root, 'etc/passwd'), `sandgate:x:${USER}:${USER}::/data:/usr/sbin/nologin\n`);
  for (const folder of ['data', 'tmp', 'proc', 'dev']) mkdirSync(join(root, folder), { recursive: true });
  run('chown', [`${USER}:${USER}`, join(root, 'data')]);
}

function make(): void {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const layout = join(work, 'layout');
  umoci('init', '--layout', layout);
  umoci('new', '--image', `${layout}:${version}`);
  umoci('unpack', '--image', `${layout}:${version}`, join(work, 'bundle'));
  addLibraries();
  addProgram();
  umoci('repack', '--image', `${layout}:${version}`, join(work, 'bundle'));
  umoci(
    ...['config', '--image', `${layout}:${version}`, '--config.user', `${USER}:${USER}`],
    ...['--config.workingdir', '/data', '--config.volume', '/data'],
    ...PROGRAM.flatMap((word) => ['--config.entrypoint', word]),
    ...['--config.cmd', 'serve'],
    ...Object.values(PORTS).flatMap((port) => ['--config.exposedports', `${port}/tcp`]),
    ...Object.entries(ENV).flatMap(([name, value]) => ['--config.env', `${name}=${value}`]),
  );
  umoci('gc', '--layout', layout);
  rmSync(flags.out, { recursive: true, force: true });
  cpSync(layout, flags.out, { recursive: true });
}

/** Runs words in what was unpacked, as the user of the image, with nothing to write to but /data. */
function within(words: readonly string[]): ChildProcess {
  const script = [
    `mount --bind ${root} ${root}`,
    `mount -o remount,ro,bind ${root}`,
    `mount --bind ${join(work, 'data')} ${join(root, 'data')}`,
    `mount -t proc proc ${join(root, 'proc')}`,
    `exec chroot --userspec=${USER}:${USER} ${root} "$@"`,
  ].join(' && ');
  return spawn('unshare', ['--mount', 'sh', '-c', script, 'sh', ...words], {
    env: { ...ENV, PATH: `${ENV.PATH}:/usr/sbin:/usr/bin:/sbin:/bin` },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => child.on('close', resolve));

async function tryOut(): Promise<void> {
  // Out of the image, and not what it was made of.
  rmSync(join(work, 'bundle'), { recursive: true });
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  umoci('unpack', '--image', `${join(work, 'layout')}:${version}`, join(work, 'bundle'));
  mkdirSync(join(work, 'data'));
  run('chown', [`${USER}:${USER}`, join(work, 'data')]);
  const began = Date.now();
  const gateway = within([...PROGRAM, 'serve']);
  try {
    const file = (name: string) => readFileSync(join(work, 'data/certs', name));
    await eventually(() => file('tpp.key'));
    const connect = { ca: file('ca.pem'), cert: file('tpp.pem'), key: file('tpp.key') };
    const dispatcher = new Agent({ connect });
    const answer = await eventually(() =>
      request(`https://localhost:${PORTS.api}/stdgroup/v1/consents/VALID_CONSENT_ID`, { dispatcher }),
    );
    console.log(`answers ${answer.statusCode} after ${Date.now() - began} ms`);
    const health = await ended(within(HEALTH));
    console.log(`health check ends with ${health}`);
    const writes = await ended(within([PROGRAM[0] ?? '', '-e', "fs.writeFileSync('/app/x', '')"]));
    console.log(`a write outside /data ends with ${writes}`);
    if (answer.statusCode !== 200 || health !== 0 || writes === 0) process.exitCode = 1;
  } finally {
    gateway.kill('SIGTERM');
    await ended(gateway);
  }
}

try {
  make();
  const blobs = join(flags.out, 'blobs/sha256');
  const size = readdirSync(blobs).reduce((sum, name) => sum + statSync(join(blobs, name)).size, 0);
  console.log(`${flags.out}: ${megabytes(size)} MB`);
  if (size > LIMIT_MB * 1e6) process.exitCode = 1;
  await tryOut();
} finally {
  rmSync(work, { recursive: true, force: true });
}
