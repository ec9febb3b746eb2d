/** A population written into a folder and read back. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadBankData, writeBankData } from '../../../src/app/bank/index.js';
import { createPopulation } from '../../../src/bank/index.js';
import { dayOf } from '../../../src/spec/index.js';
import { folderOfFile } from '../../folder.js';

const root = folderOfFile();
const temporaryFolder = (): string => mkdtempSync(join(root, 'one-'));

const population = createPopulation({ seed: 42, count: 10 });
const to = dayOf(Date.parse('2026-11-22'));

describe('bank data that was written', () => {
  it.each(['json', 'csv'] as const)('as %s is read back as the same population', async (format) => {
    const folder = join(temporaryFolder(), 'bank');
    const from = to - 200;
    const written = await writeBankData(folder, { population, from, to, format });
    const read = loadBankData(folder);
    expect(read.psus(0, 100)).toEqual(population.psus(0, 100));
    for (const { id, login } of read.psus(0, 100)) {
      expect(read.psuByLogin(login)).toEqual(population.psuByLogin(login));
      expect(read.accountsOf(id)).toEqual(population.accountsOf(id));
      for (const { resourceId } of read.accountsOf(id)) {
        // The first day begins with what was there before.
        const page = [resourceId, from + 1, to, 0, 10_000] as const;
        expect(read.postingsPage(...page)).toEqual(population.postingsPage(...page));
        for (const day of [from, from + 1, from + 99, to])
          expect(read.balance(resourceId, day)).toBe(population.balance(resourceId, day));
      }
    }
    expect(written).toMatchObject({ psus: 10, accounts: 20 });
    expect(written.postings).toBeGreaterThan(2_000);
  });

  it('goes into an empty folder, and leaves one with something in it as it is', async () => {
    const empty = temporaryFolder();
    const parts = { population, from: to, to, format: 'csv' } as const;
    await writeBankData(empty, parts);
    expect(readdirSync(empty).sort()).toEqual(['accounts.csv', 'postings.csv', 'psus.csv']);
    await expect(writeBankData(empty, parts)).rejects.toThrow('is not empty');
    const file = join(empty, 'psus.csv');
    await expect(writeBankData(file, parts)).rejects.toThrow(/a part of its path is a file/);
  });

  it('leaves nothing behind where it cannot be finished', async () => {
    const above = temporaryFolder();
    mkdirSync(join(above, 'other'));
    writeFileSync(join(above, 'other', 'kept'), '');
    const onPsu = (): Promise<void> => Promise.reject(new Error('stopped'));
    const folder = join(above, 'bank');
    await expect(writeBankData(folder, { population, from: to, to, format: 'json', onPsu })).rejects.toThrow(
      'cannot be written',
    );
    expect(existsSync(folder)).toBe(false);
    expect(readdirSync(above)).toEqual(['other']);
  });
});
