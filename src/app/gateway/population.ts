/** Opens the population of the living bank as configured. */
import { createPopulation, type Population } from '../../bank/index.js';

export function openPopulation(): Population {
  return createPopulation({ seed: 42, count: 1_000 });
}
