/** The bank layer: the living bank as plain facts and pure functions. */
export * from './facts.js';
export {
  applyBankChanges,
  type BankState,
  bankChangesBack,
  createBankState,
} from './state.js';
