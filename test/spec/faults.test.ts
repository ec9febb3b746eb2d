/** The table of faults: each is thrown somewhere, and says what to do. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { EXIT_STATUS, FAULTS, type FaultRow, SandgateError } from '../../src/spec/index.js';

const root = new URL('../../src/', import.meta.url);
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('spec/faults.ts'))
  .map((file) => readFileSync(new URL(file, root), 'utf8'))
  .join('\n');
const written = new Set([...sources.matchAll(/'([a-z-]+\.[a-z0-9-]+)'/g)].map(([, code]) => code));
const faultsThat = (fails: (code: string, row: FaultRow) => boolean) =>
  Object.entries<FaultRow>(FAULTS).flatMap(([code, row]) => (fails(code, row) ? [code] : []));

describe('a fault', () => {
  it('is thrown somewhere', () => {
    expect(faultsThat((code) => !written.has(code))).toEqual([]);
  });

  it('says what to do, or names the place or the cause, which says it', () => {
    expect(
      faultsThat(
        (_, [, text, remedy]) =>
          !(remedy === '' ? /: .*\{\w+\}|\{\w+\}$/ : /[^.]$/).test(text) || remedy.endsWith('.'),
      ),
    ).toEqual([]);
  });
});

describe('what a user is told', () => {
  it('is what is wrong, and what to do', () => {
    const error = new SandgateError('store.missing', { path: 'a.db' });
    expect(error.message).toBe(
      'There is no store at a.db: start the gateway once, or give another one with --store.',
    );
    expect([error.code, error.kind, error.exitStatus]).toEqual(['store.missing', 'input', EXIT_STATUS.input]);
  });

  it.each([
    [new SandgateError('waiver.no-reason', { rule: 'r' }), 'The waiver of r gives no reason. Add a reason.'],
    [
      new SandgateError('file.no-json', { file: 'f', line: 1, column: 2 }),
      'f is not JSON: line 1, column 2 cannot be read.',
    ],
    [new SandgateError('run.interrupted', { what: 'x' }), 'Interrupted: x. Run it again.'],
    [new SandgateError('file.unreadable', { file: 'f', why: 'no' }), 'f cannot be read: no.'],
    [
      new SandgateError('testing.unknown-setting', { key: 'k', nearest: 'key' }),
      'There is no setting k. Did you mean key?',
    ],
    [new SandgateError('testing.unknown-setting', { key: 'k', nearest: '' }), 'There is no setting k.'],
    [
      new SandgateError('session.unknown', { name: 'x', store: 's', nearest: '', names: 'main' }),
      'There is no session “x” in s. There are: main.',
    ],
  ])('reads as sentences: %s', (error, text) => {
    expect(error.message).toBe(text);
  });

  it('takes what it names as it is, braces and dollars too', () => {
    const error = new SandgateError('file.unreadable', { file: '{why} $& $1', why: 'no' });
    expect(error.message).toBe('{why} $& $1 cannot be read: no.');
  });

  it('leaves the cause to the log', () => {
    const error = new SandgateError(
      'file.unreadable',
      { file: 'f', why: 'no' },
      { cause: new Error('secret') },
    );
    expect(error.message).not.toContain('secret');
    expect(error.cause).toEqual(new Error('secret'));
  });
});
