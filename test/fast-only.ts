/** In tests of the kind `fast`: what would make them slow fails, so that `kinds.ts` cannot miss a file that needs it. */
import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeAll } from 'vitest';

const WORDS = 'is for tests of another kind: name what it is in test/kinds.ts';
const STARTS = ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork'] as const;
const kept = { ...childProcess };
const { dlopen } = process;

beforeAll(() => {
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
  Object.assign(childProcess, kept);
  syncBuiltinESMExports();
  process.dlopen = dlopen;
});
