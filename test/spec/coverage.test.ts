/** Every clause of the specification is held by a rule, by behaviour of the emulator that a test shows, or has a reason. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { coverOf } from '../../scripts/coverage-doc.js';
import { CLAUSE_IDS } from '../../src/spec/index.js';

const root = new URL('../../', import.meta.url);
const texts = new Map<string, string>();

function textOf(file: string): string {
  const path = new URL(file, root);
  const known = texts.get(file) ?? (existsSync(path) ? readFileSync(path, 'utf8') : '');
  texts.set(file, known);
  return known;
}

describe.each(CLAUSE_IDS)('%s', (id) => {
  const { rules, emulator, notCheckable, readings } = coverOf(id);

  it('is held by something', () => {
    expect(rules.length > 0 || emulator !== undefined || notCheckable !== undefined).toBe(true);
  });

  it('is not called uncheckable where it is checked', () => {
    if (notCheckable !== undefined) expect([rules, emulator]).toEqual([[], undefined]);
  });

  it('has a reason that is a sentence, and a reading where it says nothing itself', () => {
    if (notCheckable === undefined) return;
    expect(notCheckable).toMatch(/^[A-Z].*\.$/);
    if (notCheckable.includes('a reading fills it')) expect(readings).not.toEqual([]);
  });

  it('names a test that stands where it says', () => {
    if (emulator === undefined) return;
    const text = textOf(emulator.file);
    const names = [`'${emulator.test}'`, `\`${emulator.test}\``];
    expect(
      names.some((name) => text.includes(name)),
      `${emulator.test} in ${emulator.file}`,
    ).toBe(true);
    expect(emulator.does).toMatch(/^[A-Z].*\.$/);
  });
});
