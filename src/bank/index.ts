/** The bank layer: the living bank as plain facts and pure functions. */
export * from './account-steering.js';
export * from './authorisations.js';
export * from './bank-days.js';
export * from './books.js';
export { BANK_BYTES, roomFor } from './bounds.js';
export { openConsent } from './consent-request.js';
export * from './consents.js';
export { coveredAccounts, covers, type Right, showsOwner } from './coverage.js';
export * from './exchange-rates.js';
export * from './execution.js';
export * from './facts.js';
export { accountsIn, selectable } from './granted-access.js';
export * from './habits/index.js';
export { createHindsight, type Hindsight } from './hindsight.js';
export {
  createLine,
  type FactChange,
  isBankFamily,
  isOfBank,
  readStored,
  type StoredFact,
} from './line.js';
export type { Reads } from './looks.js';
export * from './money.js';
export { bankNameOf } from './names.js';
export * from './notices.js';
export * from './open-world.js';
export * from './orders.js';
export * from './outcomes.js';
export { bookingsOf } from './payment-entries.js';
export * from './payments.js';
export { COMMON_PARTITION, homeOf, isTag, placeOf } from './places.js';
export * from './population/index.js';
export { shownAccess } from './shown-access.js';
export { shownBody } from './shown-body.js';
export * from './snapshots.js';
export {
  isByMonths,
  isFrequency,
  standingOrderAfter,
  standingOrderFrom,
} from './standing-orders.js';
export {
  applyBankChanges,
  type BankState,
  type BankView,
  bankChangeBack,
  createBankState,
  OPERATORS,
} from './state.js';
export * from './statement.js';
export * from './tokens.js';
export * from './world.js';
