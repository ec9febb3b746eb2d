import { expect, it } from 'vitest';
import { storeFault } from '../../src/store/sqlite/faults.js';

it.each([
  [
    'was not built',
    { tries: ['/a/build/better_sqlite3.node'] },
    'Could not locate the bindings file. Tried:\n → /a',
  ],
  [
    'was built for another Node',
    { code: 'ERR_DLOPEN_FAILED' },
    'It was compiled against a different Node.js',
  ],
])(
  'a database driver that %s is told in one sentence, with the command that builds it',
  (_, members, message) => {
    const fault = storeFault(Object.assign(new Error(message), members), 'data/sandgate.db');
    expect(fault.message).toMatch(
      /^The store data\/sandgate\.db cannot be used: better-sqlite3 was .*npm rebuild better-sqlite3.*$/,
    );
    expect(fault.exitStatus).toBe(3);
  },
);
