/** A world: what was learned of TPPs, and what the living bank remembers of them. Calls of two worlds never meet. */
import { applyChange, changeBack, createLedger, type Ledger, type LedgerChange } from '../ledger/index.js';
import type { BankChange, BankFamily } from './facts.js';
import { applyBankChange, type BankState, bankChangeBack, createBankState } from './state.js';

export interface World {
  readonly ledger: Ledger;
  readonly bank: BankState;
}

/** Kept side by side, with the exchange that made it. */
export type FactChange = LedgerChange | BankChange;

const BANK_FAMILIES = {
  bankConsents: true,
  bankAuthorisations: true,
  bankPayments: true,
  bankCodes: true,
  bankTokens: true,
  bankOutcomes: true,
} as const satisfies Record<BankFamily, true>;

export const isOfBank = (change: FactChange): change is BankChange =>
  Object.hasOwn(BANK_FAMILIES, change.family);

/** With what is known of it, those facts first that changed longest ago. */
export function createWorld(facts: Iterable<FactChange> = []): World {
  const world: World = { ledger: createLedger(), bank: createBankState() };
  applyFacts(world, facts);
  return world;
}

/** What takes these changes back, to be asked before they are applied. */
export function factsBack({ ledger, bank }: World, changes: readonly FactChange[]): FactChange[] {
  return changes.map((change) =>
    isOfBank(change) ? bankChangeBack(bank, change) : changeBack(ledger, change),
  );
}

/** Moves the world on in place. */
export function applyFacts({ ledger, bank }: World, changes: Iterable<FactChange>): void {
  for (const change of changes) {
    if (isOfBank(change)) applyBankChange(bank, change);
    else applyChange(ledger, change);
  }
}
