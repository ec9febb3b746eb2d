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

const COVERS = CLAUSE_IDS.map((id) => ({ id, ...coverOf(id) }));
/** Clauses that are not as they should be: none. */
const clausesThat = (fails: (cover: (typeof COVERS)[number]) => boolean) =>
  COVERS.filter(fails).map(({ id }) => id);

describe('a clause', () => {
  it('is held by a rule or by the emulator, or has a reason why it cannot be checked', () => {
    expect(
      clausesThat(
        ({ rules, emulator, notCheckable }) =>
          (rules.length > 0 || emulator !== undefined) === (notCheckable !== undefined),
      ),
    ).toEqual([]);
  });

  it('that cannot be checked has a reason that is a sentence, and a reading where it says nothing itself', () => {
    expect(
      clausesThat(
        ({ notCheckable = 'Checked.', readings }) =>
          !/^[A-Z].*\.$/.test(notCheckable) ||
          (notCheckable.includes('a reading fills it') && readings.length === 0),
      ),
    ).toEqual([]);
  });

  it('that the emulator holds names a test that stands where it says', () => {
    expect(
      clausesThat(({ emulator }) => {
        if (emulator === undefined) return false;
        const text = textOf(emulator.file);
        const stands = text.includes(`'${emulator.test}'`) || text.includes(`\`${emulator.test}\``);
        return !stands || !/^[A-Z].*\.$/.test(emulator.does);
      }),
    ).toEqual([]);
  });
});
