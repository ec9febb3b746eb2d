/** Who there is in the living bank: of a seed, or read from files. */
export { openPopulation } from './open-population.js';
