/**
 * Builds `dist/`: the program and the library, each out of few files, since loading one for every source takes twice as
 * long; the live page, one file for browsers; and the types. Packages of the program stay what npm has installed, but
 * for what each start loads: zod's hundred files, and those that are no ES modules, whose names Node would look for with
 * a lexer that takes longer to start than they do.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, buildSync } from 'esbuild';
import { build as bundle } from 'rolldown';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
const COMPILER = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

/** Of whatever is built out of sources to run in Node. */
export const FOR_NODE = {
  ...{ absWorkingDir: ROOT, bundle: true, packages: 'external', logLevel: 'warning' },
  ...{ platform: 'node', format: 'esm', target: 'node20' },
} as const satisfies BuildOptions;

const fileOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Packages that are built into the program, and those in the live page: what is shipped holds their licences. */
const IN_PROGRAM = ['zod', 'commander', 'node-forge'];
const IN_PAGE = ['preact', '@preact/signals', '@preact/signals-core'];
const external = Object.keys(JSON.parse(fileOf('package.json')).dependencies).filter(
  (name) => !IN_PROGRAM.includes(name),
);

/** What each of these loads becomes one file, less what those before it have: the program, all threads, all commands. */
const IN_ONE_FILE = [
  { name: 'program', test: /\bcli.run\.ts$/ },
  { name: 'store', test: /\bstore.(?:sqlite.store|lookup.(?:lookup|index-path))\.ts$/ },
  { name: 'gateway', test: /\bcli.commands.serve\.ts$/ },
];

/** What `dist/` follows from; packages that are built into it are those of the lock file. */
const INPUTS = [
  'src',
  'scripts/build.ts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
];
/** Tells what the last build that came to its end was made of. */
const MADE_OF = join(ROOT, 'node_modules/.cache/built');

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

/** Whether `dist/` is that of the sources as they are. */
export const isBuilt = (): boolean =>
  existsSync(join(ROOT, 'dist')) && existsSync(MADE_OF) && readFileSync(MADE_OF, 'utf8') === digestOfInputs();

/** `checked`: the types are checked, too. */
export async function build({ checked }: { readonly checked: boolean }): Promise<void> {
  const madeOf = digestOfInputs();
  for (const made of [MADE_OF, join(ROOT, 'dist')]) rmSync(made, { recursive: true, force: true });
  const program = ['cli/main', 'testing/index', 'testing/vitest', 'store/lookup/thread'];
  await bundle({
    ...{ cwd: ROOT, platform: 'node', tsconfig: 'tsconfig.json', transform: { target: 'node20' } },
    input: Object.fromEntries(program.map((name) => [name, `src/${name}.ts`])),
    external: [...external, 'vitest'].map((name) => new RegExp(`^${name}(?:/|$)`)),
    // A module of ours does nothing when it is loaded: what nobody uses of an index need not be.
    treeshake: { moduleSideEffects: [{ test: /\bsrc\b/, sideEffects: false }] },
    output: {
      ...{ dir: 'dist', format: 'esm', chunkFileNames: 'chunks/[name]-[hash].js' },
      codeSplitting: { groups: IN_ONE_FILE },
      comments: false,
      // `--debug` shows where in the sources an error was.
      ...{ sourcemap: true, sourcemapExcludeSources: true },
    },
  });
  buildPage();
  const licences = [...IN_PROGRAM, ...IN_PAGE].map(
    (name) => `${name}\n\n${fileOf(`node_modules/${name}/LICENSE`)}`,
  );
  writeFileSync(join(ROOT, 'dist/licences.txt'), licences.join('\n\n'));
  // Several threads would each look at what they share: twice the work, and no sooner done on two cores.
  const types = ['-p', 'tsconfig.build.json', '--singleThreaded', ...(checked ? [] : ['--noCheck'])];
  execFileSync(process.execPath, [COMPILER, ...types], { cwd: ROOT, stdio: 'inherit' });
  mkdirSync(dirname(MADE_OF), { recursive: true });
  writeFileSync(MADE_OF, madeOf);
}

/** Whatever browsers of the last two years run; the map is not shipped. */
export function buildPage(): void {
  buildSync({
    ...{ absWorkingDir: ROOT, bundle: true, minify: true, logLevel: 'warning', legalComments: 'none' },
    ...{ platform: 'browser', format: 'esm', target: ['chrome123', 'firefox120', 'safari17.5'] },
    entryPoints: ['src/page/main.tsx', 'src/page/main.css'],
    outdir: 'dist/page',
    tsconfig: 'src/page/tsconfig.json',
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await build({ checked: !process.argv.includes('--unchecked') });
