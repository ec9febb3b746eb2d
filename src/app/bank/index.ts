/** The living bank: who there is in it, and how its operator sees and steers it. */
export { openBankPort, worldOf } from './open-bank-port.js';
export { openPopulation } from './open-population.js';
