/** The living bank: who there is in it, of a seed or read from files, and how its operator sees and steers it. */
export { loadBankData } from './load-data.js';
export { type BankNotices, createBankNotices } from './notices.js';
export { openBankPort, worldOf } from './open-bank-port.js';
export { openPopulation } from './open-population.js';
export { createRemember, type Remember } from './remember.js';
export { type ShownPsu, showPsus } from './show-psus.js';
export { type BankDataFormat, writeBankData } from './write-data.js';
