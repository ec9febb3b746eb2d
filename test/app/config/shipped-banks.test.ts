/** The bank profiles that come with the program: each loads, says where its statements come from, and is what its name says. */
import { describe, expect, it } from 'vitest';
import { bankProfileNames } from '../../../src/app/built.js';
import { loadConfig } from '../../../src/app/index.js';
import { dialectOf, operationRow, profileProblems } from '../../../src/spec/index.js';

const profileOf = (name: string) => {
  const { bankProfile } = loadConfig({ flags: { bankProfile: name }, env: {} }).config;
  if (bankProfile === undefined) throw new Error(`${name} is not a profile`);
  return bankProfile;
};

it('come for the family of the interface, adorsys ModelBank, and more than eight other banks', () => {
  const names = bankProfileNames();
  expect(names).toEqual(expect.arrayContaining(['adorsys', 'comdirect', 'commerzbank']));
  expect(names.length).toBeGreaterThanOrEqual(12);
});

describe.each(bankProfileNames())('%s', (name) => {
  const profile = profileOf(name);

  it('has the name of its file, a day, and a source for what it says', () => {
    expect(profile.name).toBe(name);
    expect(profile.date).toMatch(/^\d{4}-\d\d-\d\d$/);
    for (const { where } of profile.sources)
      expect(where).toMatch(/^(?:https:\/\/|github\.com\/[\w-]+\/[\w-]+ at [0-9a-f]{8})/);
  });

  it('says so if all of it is known from one source alone', () => {
    const origins = new Set(
      profile.sources.map(({ where }) => where.split(/[ ,]/, 1)[0]?.replace(/^(https:\/\/[^/]+).*/, '$1')),
    );
    expect(profile.only !== undefined).toBe(origins.size === 1);
  });

  it('makes an interface whose paths lead to their operations', () => {
    expect(profileProblems(profile)).toEqual([]);
    const { templates, pathOf, recognise } = dialectOf(profile);
    for (const id of templates.keys()) {
      const path = pathOf(id, { paymentService: 'payments' });
      expect(recognise(operationRow(id).method, path)).toMatchObject({ kind: 'operation', operation: id });
    }
  });

  it('gives a sample of each deviation, and none twice', () => {
    const ids = (profile.deviations ?? []).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
