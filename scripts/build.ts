/**
 * Builds `dist/`: the program and the library, each out of few files, since loading one for every source takes twice as
 * long; the live page, one file for browsers; and the types. Packages of the program stay what npm has installed, but
 * for zod: its hundred files are looked for and loaded at each start, in each thread.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, buildSync } from 'esbuild';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
const COMPILER = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

/** Of whatever is built out of sources to run in Node. */
export const FOR_NODE = {
  ...{ absWorkingDir: ROOT, bundle: true, packages: 'external', logLevel: 'warning' },
  ...{ platform: 'node', format: 'esm', target: 'node20' },
} as const satisfies BuildOptions;

const fileOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Packages that are built in, in the program or in the live page: what is shipped holds their licences. */
const BUILT_IN = ['zod', 'preact', '@preact/signals', '@preact/signals-core'];
const external = Object.keys(JSON.parse(fileOf('package.json')).dependencies)
  .filter((name) => name !== 'zod')
  .flatMap((name) => [name, `${name}/*`]);

/** `checked`: the types are checked, too. */
export function build({ checked }: { readonly checked: boolean }): void {
  rmSync(join(ROOT, 'dist'), { recursive: true, force: true });
  buildSync({
    ...{ ...FOR_NODE, packages: 'bundle', external: [...external, 'vitest'] },
    entryPoints: [
      ...['src/cli/main.ts', 'src/testing/index.ts', 'src/testing/vitest.ts'],
      'src/store/lookup/thread.ts',
    ],
    ...{ outbase: 'src', outdir: 'dist' },
    ...{ splitting: true, chunkNames: 'chunks/[hash]' },
    // `--debug` shows where in the sources an error was.
    ...{ sourcemap: true, sourcesContent: false },
  });
  buildPage();
  const licences = BUILT_IN.map((name) => `${name}\n\n${fileOf(`node_modules/${name}/LICENSE`)}`);
  writeFileSync(join(ROOT, 'dist/licences.txt'), licences.join('\n\n'));
  const types = ['-p', 'tsconfig.build.json', ...(checked ? [] : ['--noCheck'])];
  execFileSync(process.execPath, [COMPILER, ...types], { cwd: ROOT, stdio: 'inherit' });
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

if (process.argv[1] === fileURLToPath(import.meta.url)) build({ checked: true });
