/** Keys of the ledger's families, and the look-ups that rules and answerers share. */
import type { AuthorisationFact, ConsentFact, Ledger, PaymentFact } from './facts.js';

export const keyOf = {
  /** Two TPPs may hold the same literal sandbox id. */
  resource: (tpp: string, id: string): string => `${tpp} ${id}`,
  authorisation: (id: string): string => id,
  access: (tpp: string, consentId: string, operation: string, accountId: string): string =>
    `${tpp} ${consentId} ${operation} ${accountId}`,
  usedOnce: (kind: string, value: string): string => `${kind} ${value}`,
};

/** The consent that this TPP created; of literal sandbox ids each TPP has its own. */
export function consentOf(ledger: Ledger, tpp: string | null, id: string): ConsentFact | undefined {
  return tpp === null ? undefined : ledger.consents.get(keyOf.resource(tpp, id));
}

export function paymentOf(ledger: Ledger, tpp: string | null, id: string): PaymentFact | undefined {
  return tpp === null ? undefined : ledger.payments.get(keyOf.resource(tpp, id));
}

export function authorisationOf(ledger: Ledger, id: string): AuthorisationFact | undefined {
  return ledger.authorisations.get(keyOf.authorisation(id));
}

/** A scope taken apart: `AIS:VALID_CONSENT_ID`. Undefined where it has not that form. */
export function parseScope(scope: string): { service: 'AIS' | 'PIS' | 'PIIS'; id: string } | undefined {
  const colon = scope.indexOf(':');
  const service = scope.slice(0, colon);
  const id = scope.slice(colon + 1);
  if ((service !== 'AIS' && service !== 'PIS' && service !== 'PIIS') || id === '' || /\s/.test(id))
    return undefined;
  return { service, id };
}
