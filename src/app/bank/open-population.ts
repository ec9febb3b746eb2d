/** Opens the population of the living bank as configured. */
import { createPopulation, type Population } from '../../bank/index.js';
import type { Config } from '../config/config.js';
import { loadBankData } from './load-data.js';

/** @throws SandgateError where the files of `bankData` are not as they should be */
export function openPopulation(config: Pick<Config, 'bankSeed' | 'bankPsus' | 'bankData'>): Population {
  const { bankSeed, bankPsus, bankData } = config;
  return bankData === undefined
    ? createPopulation({ seed: bankSeed, count: bankPsus })
    : loadBankData(bankData);
}
