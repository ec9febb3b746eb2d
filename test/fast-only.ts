/** In tests of the kind `fast`, and in no others: what would make them slow fails, so that `kinds.ts` cannot miss a file that needs it. */
import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { relative } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { kindOfFile } from './kinds.js';

const WORDS = 'is for tests of another kind: name what it is in test/kinds.ts';
const STARTS = ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork'] as const;
const kept = { ...childProcess };
const { dlopen } = process;
const isFast = kindOfFile(relative(process.cwd(), expect.getState().testPath ?? '')) === 'fast';

beforeAll(() => {
  if (!isFast) return;
  for (const name of STARTS)
    Object.assign(childProcess, {
      [name]: () => {
        throw new Error(`A child process ${WORDS}.`);
      },
    });
  syncBuiltinESMExports();
  process.dlopen = (module: object, file: string, ...flags: number[]) => {
    if (file.includes('better_sqlite3')) throw new Error(`A database ${WORDS}.`);
    return Reflect.apply(dlopen, process, [module, file, ...flags]);
  };
});

afterAll(() => {
  if (!isFast) return;
  Object.assign(childProcess, kept);
  syncBuiltinESMExports();
  process.dlopen = dlopen;
});
