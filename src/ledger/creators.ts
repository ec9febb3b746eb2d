/** Who created consents and payments, by their ids alone. */
import { isSandboxResource } from '../spec/index.js';
import { isWhole } from './bounds.js';
import type { Ledger } from './facts.js';

/**
 * Whether a consent or payment may be of a TPP that is not known to have created it: not all was seen, and it is not known
 * to be of another TPP.
 */
export function mayBeUnseen(ledger: Ledger, family: 'consents' | 'payments', id: string): boolean {
  // No bank but the sandbox gives its literal ids.
  if (isWhole(ledger, family) || isSandboxResource(id)) return false;
  const [first, ...others] = ledger[family].all(id);
  return first === undefined || others.some(({ tpp }) => tpp !== first.tpp);
}
