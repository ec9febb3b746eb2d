/** Opens the population of the living bank as configured. */
import { createPopulation, type Population } from '../../bank/index.js';
import type { Config } from '../config/config.js';

export function openPopulation({ bankSeed, bankPsus }: Pick<Config, 'bankSeed' | 'bankPsus'>): Population {
  return createPopulation({ seed: bankSeed, count: bankPsus });
}
