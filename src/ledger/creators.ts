/** Who created consents and payments, by their ids alone. */
import { isSandboxResource } from '../spec/index.js';
import { isWhole } from './bounds.js';
import type { Ledger, LedgerChange, LedgerFamilies } from './facts.js';
import { keyOf, UNOBSERVED_TPP } from './keys.js';

type Created = keyof Ledger['creators'];

/**
 * Whether a consent or payment may be of a TPP that is not known to have created it: not all was seen, and it is not known
 * to be of another TPP.
 */
export function mayBeUnseen(ledger: Ledger, family: Created, id: string): boolean {
  if (isWhole(ledger, family)) return false;
  const tpp = ledger.creators[family].get(id);
  // Looked up as a fact: gateways on one store judge anew where it has changed.
  return tpp == null || !ledger[family].has(keyOf.resource(tpp, id));
}

/** Keeps up with a change, ahead of it. */
export function moveCreator(ledger: Ledger, family: Created, { key, fact }: LedgerChange): void {
  const creators = ledger.creators[family];
  if (fact === null) {
    const before = ledger[family].get(key);
    if (before !== undefined) creators.delete(before.id);
    return;
  }
  const { id, tpp } = fact as LedgerFamilies[Created];
  if (tpp === UNOBSERVED_TPP || isSandboxResource(id)) return;
  const known = creators.get(id);
  creators.set(id, known === undefined || known === tpp ? tpp : null);
}
