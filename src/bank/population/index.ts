/** The population: who there is in the living bank, and what moves by itself. */

export { accountNamed, createPopulation, namesNobody } from './create-population.js';
export { createDraws } from './draw.js';
export { BANK_BIC, isMadeUpIban, MOST_PSUS } from './identity.js';
export { createListedPopulation } from './listed-population.js';
export {
  type Account,
  type Conversion,
  type PendingEntry,
  type Population,
  type Posting,
  type Psu,
  SECOND_FACTOR,
} from './population.js';
