/** A rerun takes known deviations of a bank profile for noise. */
import { describe, expect, it } from 'vitest';
import { deviationNoise, noiseOf } from '../../../src/app/rerun/noise.js';
import { compareAnswers, openAnswer } from '../../../src/exchange/index.js';
import { type BankProfile, bankProfile } from '../../../src/spec/index.js';

type Deviation = NonNullable<BankProfile['deviations']>[number];

const aProfile = (place: string, operations?: string[]): BankProfile =>
  bankProfile.parse({
    ...{ name: 'hill-bank', title: 'Hill Bank', standard: 'Berlin Group 1.3.8' },
    sources: [{ where: 'this test', tells: 'everything' }],
    deviations: [
      {
        ...{ id: 'numbers', rule: 'answers/amounts', says: 'Amounts are numbers.', sample: '1.5', place },
        ...(operations === undefined ? {} : { operations }),
      } satisfies Deviation,
    ],
  });

const answer = (body: unknown) =>
  openAnswer({
    ...{ source: 'upstream', status: 200, headers: [['content-type', 'application/json']] },
    body: { text: JSON.stringify(body), size: 1 },
  });

const classesUnder = (profile: BankProfile, was: unknown, now: unknown): string[] =>
  compareAnswers(answer(was), answer(now), noiseOf(deviationNoise(profile))('accounts.balances')).map(
    (one) => `${one.class} ${one.place}`,
  );

const NUMBER = { balances: [{ amount: 1.5 }], iban: 'a' };
const TEXT = { balances: [{ amount: '1.50' }], iban: 'a' };

describe('a place that a deviation names', () => {
  it.each<readonly [string, BankProfile, unknown, unknown, string]>([
    ['may change its type', aProfile('answer body *amount'), NUMBER, TEXT, 'noise'],
    ['may be missing', aProfile('answer body *amount'), TEXT, { balances: [{}], iban: 'a' }, 'noise'],
    ['is noise for its operations', aProfile('answer body *amount', ['accounts.*']), NUMBER, TEXT, 'noise'],
    ['is none for others', aProfile('answer body *amount', ['payments.*']), NUMBER, TEXT, 'breaking'],
    ['says nothing of other places', aProfile('answer body iban'), NUMBER, TEXT, 'breaking'],
    ['is no status', aProfile('answer status'), NUMBER, TEXT, 'breaking'],
  ])('%s', (_, profile, was, now, expected) => {
    expect(classesUnder(profile, was, now)).toEqual([`${expected} body balances[].amount`]);
  });
});
