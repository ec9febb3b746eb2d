/** The bank layer: the living bank as plain facts and pure functions. */
export * from './bank-days.js';
export * from './facts.js';
export * from './money.js';
export * from './population/index.js';
export {
  applyBankChanges,
  type BankState,
  bankChangesBack,
  createBankState,
} from './state.js';
