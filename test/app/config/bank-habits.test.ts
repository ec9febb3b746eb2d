import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { noteHabits, readHabits } from '../../../src/app/config/bank-habits.js';
import { CALM, MARKET } from '../../../src/bank/index.js';
import { folderOfTest } from '../../folder.js';

const fileOf = (text: string): string => {
  const file = join(folderOfTest(), 'habits.json');
  writeFileSync(file, text);
  return file;
};

describe('habits of the living bank', () => {
  it('are named, or those of a file, which names some', () => {
    expect([readHabits('calm'), readHabits('market')]).toEqual([CALM, MARKET]);
    const own = readHabits(fileOf('{ "payments": { "late": 0.5 } }'));
    expect(own).toEqual({ ...CALM, payments: { ...CALM.payments, late: 0.5 } });
  });

  it('that never do anything are calm', () => {
    expect(readHabits(fileOf('{ "postings": { "held": 0 } }'))).toBe(CALM);
  });

  it('are noted by their name, and those of a file by what it says', () => {
    const file = fileOf('{ "consents": { "revoked": 1 } }');
    expect([noteHabits('calm'), noteHabits('market')]).toEqual([undefined, 'market']);
    expect(noteHabits(file)).toEqual(readHabits(file));
  });

  it.each([
    [
      '{\n "payments": {\n  "returnd": 1 } }',
      ', line 2, payments: “returnd” is not known here; the nearest name is “returned”',
    ],
    ['{ "posting": {} }', ', line 1: “posting” is not known here; the nearest name is “postings”'],
    ['{\n "postings": {\n  "held": 2 } }', ', line 3, postings.held: a share from 0 to 1 is expected'],
    ['{ "payments": { "late": "often" } }', ', line 1, payments.late: a share from 0 to 1 is expected'],
    [
      '{ "payments": { "late": 0.7, "checked": 0.7 } }',
      ', line 1, payments: the shares are of all payments, and come to 1.40',
    ],
    ['[]', ', line 1: an object in { } is expected'],
    ['{', ' is not JSON'],
  ])('of a file %j are refused with its place', (text, problem) => {
    const file = fileOf(text);
    expect(() => readHabits(file)).toThrow(`${file}${problem}`);
  });

  it('with a slip in their name are refused with the name that is meant', () => {
    expect(() => readHabits('markt')).toThrow(
      '--bank-habits markt: calm, market or a file is expected. Did you mean market?',
    );
  });
});
