/** The living bank: who there is in it, of a seed or read from files, and how its operator sees and steers it. */
export { loadBankData, openPopulation } from './load-data.js';
export { createBankNotices } from './notices.js';
export { openBankPort, type ShownPsu, showPsus, worldOf } from './open-bank-port.js';
export { createRemember, type Remember } from './steering.js';
export { writeBankData } from './write-data.js';
