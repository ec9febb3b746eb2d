/** The bank layer: the living bank as plain facts and pure functions. */
export * from './bank-days.js';
export * from './facts.js';
export * from './money.js';
export * from './population/index.js';
export {
  applyBankChange,
  type BankState,
  bankChangeBack,
  createBankState,
} from './state.js';
export * from './world.js';
