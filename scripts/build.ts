/**
 * Builds `dist/`: each source compiled by itself into a file of the same place, with its types, and the live page as
 * one file for browsers. Nothing is bundled or left out, so what is shipped is what was compiled and tested.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { nodeFault } from '../src/app/engine/index.js';

const fault = nodeFault(process.versions);
if (fault !== undefined) {
  console.error(fault);
  process.exit(2);
}

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(ROOT, 'dist');
const CACHE = join(ROOT, 'node_modules/.cache');
const COMPILER = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

const fileOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Packages that are built into the live page: their licences are shipped with it. */
const IN_PAGE = ['preact', '@preact/signals', '@preact/signals-core'];

/** What `dist/` follows from; packages that are built into the page are those of the lock file. */
const INPUTS = [
  'src',
  'scripts/build.ts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
];
/** The digest of what the last completed build was made of. */
const MADE_OF = join(CACHE, 'built');
/** What the compiler remembers of its last run, so that the next one compiles only what changed. */
const REMEMBERED = join(CACHE, 'build.tsbuildinfo');

function digestOfInputs(): string {
  const digest = createHash('sha256');
  const take = (path: string): void => {
    digest.update(`${path}\n`);
    if (statSync(join(ROOT, path)).isDirectory())
      for (const name of readdirSync(join(ROOT, path)).sort()) take(`${path}/${name}`);
    else digest.update(fileOf(path));
  };
  INPUTS.forEach(take);
  return digest.digest('hex');
}

/** Whether `dist/` was built from the sources as they are now. */
export const isBuilt = (): boolean =>
  existsSync(DIST) && existsSync(MADE_OF) && readFileSync(MADE_OF, 'utf8') === digestOfInputs();

/** Compiles what changed. `checked`: types are checked too, and an error of theirs ends the build. */
export function build({ checked }: { readonly checked: boolean }): void {
  const madeOf = digestOfInputs();
  rmSync(MADE_OF, { force: true });
  if (!existsSync(DIST)) rmSync(REMEMBERED, { force: true });
  compile(checked ? [] : ['--noCheck']);
  removeOrphans();
  // What Node keeps of the files as they were.
  rmSync(join(DIST, '.compiled'), { recursive: true, force: true });
  buildPage();
  const licences = IN_PAGE.map((name) => `${name}\n\n${fileOf(`node_modules/${name}/LICENSE`)}`);
  writeFileSync(join(DIST, 'licences.txt'), licences.join('\n\n'));
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(MADE_OF, madeOf);
}

// Several threads would each look at what they share: twice the work, and no sooner done on two cores.
function compile(more: readonly string[]): void {
  const project = ['-p', 'tsconfig.build.json', '--singleThreaded'];
  const incremental = ['--incremental', '--tsBuildInfoFile', REMEMBERED];
  execFileSync(process.execPath, [COMPILER, ...project, ...incremental, ...more], {
    cwd: ROOT,
    stdio: 'inherit',
  });
}

/** Files of sources that are gone would be shipped, and be found by whoever still imports them. */
function removeOrphans(): void {
  const compiled = /\.(?:js|js\.map|d\.ts)$/;
  for (const path of readdirSync(DIST, { recursive: true, encoding: 'utf8' })) {
    if (!compiled.test(path) || path.startsWith('page/')) continue;
    const source = join(ROOT, 'src', path.replace(compiled, '.ts'));
    if (!existsSync(source) && !existsSync(`${source}x`)) rmSync(join(DIST, path));
  }
}

/** For browsers of the last two years; the map is not shipped. */
export function buildPage(): void {
  buildSync({
    ...{ absWorkingDir: ROOT, bundle: true, minify: true, logLevel: 'warning', legalComments: 'none' },
    ...{ platform: 'browser', format: 'esm', target: ['chrome123', 'firefox120', 'safari17.5'] },
    entryPoints: ['src/page/main.tsx', 'src/page/main.css'],
    outdir: 'dist/page',
    tsconfig: 'src/page/tsconfig.json',
  });
}

if (
  process.argv[1] === fileURLToPath(import.meta.url) &&
  !(process.argv.includes('--if-changed') && isBuilt())
)
  build({ checked: !process.argv.includes('--unchecked') });
