/** Bounds the facts of the living bank: what is of no more use goes, and beyond a number of them the oldest. */
import type { FactFamily } from '../ledger/index.js';
import { DAY_MS, LIMITS } from '../spec/index.js';
import type { BankChange, BankCode, BankToken } from './facts.js';
import type { FactChange } from './line.js';
import type { BankState } from './state.js';

/** Looked for with each pair that is given out: the work is spread, never done at once. */
const MOST_OUTDATED = 8;
/** More than a bank of this size has in use; beyond it the oldest go, used up or not. */
const MOST_TOKENS = 400_000;
const MOST_CODES = 200_000;
/** A late use is told from that of an unknown one so long. */
const TOLD_MS = 30 * DAY_MS;

/** Adds to the changes of a call what must go because of them. */
export function keepBankBounds(bank: BankState, changes: FactChange[], now: number): void {
  if (changes.some(({ family }) => family === 'bankTokens')) changes.push(...outdated(bank, now));
}

/** Oldest first, as they were given out. */
function outdated({ bankTokens, bankCodes }: BankState, now: number): BankChange[] {
  const changes: BankChange[] = [];
  let [tokens, codes] = [bankTokens.size - MOST_TOKENS, bankCodes.size - MOST_CODES];
  for (const [key, { expiresAt }] of firstOf<BankToken>(bankTokens))
    if (tokens-- > 0 || expiresAt + TOLD_MS < now) changes.push({ family: 'bankTokens', key, fact: null });
  for (const [key, { issuedAt }] of firstOf<BankCode>(bankCodes))
    if (codes-- > 0 || issuedAt + LIMITS.refreshTokenMs + TOLD_MS < now)
      changes.push({ family: 'bankCodes', key, fact: null });
  return changes;
}

function* firstOf<T extends object>(facts: FactFamily<T>): Generator<[string, T]> {
  let left = MOST_OUTDATED;
  for (const entry of facts) {
    if (left-- === 0) return;
    yield entry;
  }
}
