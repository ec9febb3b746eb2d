/**
 * Builds `dist/`: the program and the library, each out of few files, since loading one for every source takes twice as
 * long; and the types. Packages stay what npm has installed.
 */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
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

/** `checked`: the types are checked, too. */
export function build({ checked }: { readonly checked: boolean }): void {
  rmSync(join(ROOT, 'dist'), { recursive: true, force: true });
  buildSync({
    ...FOR_NODE,
    entryPoints: [
      ...['src/cli/main.ts', 'src/testing/index.ts', 'src/testing/vitest.ts'],
      'src/store/lookup/thread.ts',
    ],
    ...{ outbase: 'src', outdir: 'dist' },
    ...{ splitting: true, chunkNames: 'chunks/[hash]' },
    // `--debug` shows where in the sources an error was.
    ...{ sourcemap: true, sourcesContent: false },
  });
  const types = ['-p', 'tsconfig.build.json', ...(checked ? [] : ['--noCheck'])];
  execFileSync(process.execPath, [COMPILER, ...types], { cwd: ROOT, stdio: 'inherit' });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) build({ checked: true });
