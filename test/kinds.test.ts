/** Which tests are fast, and that they stay so. */
import { describe, expect, it } from 'vitest';
import { kindOfFile, LONG, testFiles } from './kinds.js';

describe('a test belongs to', () => {
  it.each([
    ['fast', 'test/spec/tables.test.ts', 'it needs nothing'],
    ['whole', 'test/e2e/flows.test.ts', 'what it imports starts a gateway'],
    ['whole', 'test/testing/recorded-again.test.ts', 'it starts a gateway that replays'],
    ['whole', 'test/store/chain.test.ts', 'what it imports opens a database'],
    ['whole', 'test/e2e/browser.test.ts', 'it opens a browser'],
    ['built', 'test/cli/serve.test.ts', 'what it imports runs the built program'],
  ])('%s: %s, because %s', (kind, file) => {
    expect(kindOfFile(file)).toBe(kind);
  });

  it('fast, where it is that of a rule', () => {
    const { whole, built } = testFiles();
    const slow = [...whole, ...built].filter((file) => /^test\/rules\/.+\//.test(file));
    expect(slow).toEqual([]);
  });
});

it('a test that is to run before others is there', () => {
  const all = Object.values(testFiles()).flat();
  expect(LONG.filter((file) => !all.includes(file))).toEqual([]);
});

describe('a fast test fails where', () => {
  it('it starts a child process', () => {
    const { execFileSync } = process.getBuiltinModule('child_process');
    expect(() => execFileSync('true')).toThrow('A child process is for tests of another kind');
  });

  it('it opens a database', () => {
    const open = () => process.dlopen({ exports: {} }, '/nowhere/better_sqlite3.node');
    expect(open).toThrow('A database is for tests of another kind');
  });
});
