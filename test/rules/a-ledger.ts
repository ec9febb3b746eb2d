/** Ledgers for the tests of rules, made of single facts with sensible defaults. */
import {
  type AccessFact,
  type ConsentFact,
  createLedger,
  keyOf,
  type LedgerChange,
  type LedgerFamilies,
  type LedgerFamily,
  type LedgerState,
  type TokenFact,
} from '../../src/ledger/index.js';
import { fingerprint, NOW, TPP } from '../builders.js';

/** Headers of an account read with the consent and the token of the defaults below. */
export const BEARER = { 'Consent-Id': 'C1', Authorization: 'Bearer token-1' };

export function aConsent(parts: Partial<ConsentFact> = {}): ConsentFact {
  return {
    id: 'C1',
    tpp: TPP,
    createdAt: NOW - 1_000,
    implicit: true,
    redirectUri: 'https://tpp.example/cb',
    nokRedirectUri: null,
    link: 'discovery',
    authorisations: [],
    status: 'valid',
    statusAt: NOW - 1_000,
    validUntil: '2026-09-01',
    recurring: true,
    frequencyPerDay: 4,
    accounts: null,
    ...parts,
  };
}

export function aToken(parts: Partial<TokenFact> = {}): TokenFact {
  const issued = { issuedAt: NOW - 1_000, expiresAt: NOW + 3_600_000 };
  return { token: fingerprint('token-1'), tpp: TPP, scope: 'AIS:C1', ...issued, ...parts };
}

/** So many accesses to the list of accounts, the last one a second before `until`. */
export function anAccess(count: number, until = NOW): AccessFact {
  const times = Array.from({ length: count }, (_, i) => until - (count - i) * 1_000);
  return { tpp: TPP, consentId: 'C1', operation: 'accounts.list', accountId: '', times };
}

function keyIn(family: LedgerFamily, fact: unknown): string {
  const { tpp, id, consentId, operation, accountId, token, code } = fact as Record<string, string>;
  switch (family) {
    case 'consents':
    case 'payments':
      return keyOf.resource(tpp ?? '', id ?? '');
    case 'accesses':
      return keyOf.access(tpp ?? '', consentId ?? '', operation ?? '', accountId ?? '');
    default:
      return token ?? code ?? id ?? '';
  }
}

/** A ledger with one fact of each family that is given. */
export function aLedger(facts: Partial<LedgerFamilies>): LedgerState {
  const changes = Object.entries(facts).map(([family, fact]) => {
    const name = family as LedgerFamily;
    return { family: name, key: keyIn(name, fact), fact } as LedgerChange;
  });
  return createLedger(changes);
}
