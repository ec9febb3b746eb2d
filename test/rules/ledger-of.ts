/** Ledgers for the tests of rules: facts with sensible defaults, put under their keys. */
import {
  type AuthorisationFact,
  type AuthorizeFact,
  type CodeFact,
  type ConsentFact,
  createLedger,
  keyOf,
  type LedgerChange,
  type LedgerState,
  type PaymentFact,
  type RefreshTokenFact,
  reserve,
  type UsedOnceFact,
  useFact,
} from '../../src/ledger/index.js';
import { aCall, type CallParts, fingerprint, NOW, TPP } from '../builders.js';

const MINUTE = 60_000;
export const REDIRECT_URI = 'https://tpp.example/cb';
/** A UUID as a bank makes them; the sandbox's own ids are shared by all TPPs. */
export const AUTHORISATION = '0b6e1c52-6a39-4f0e-9d1c-7f3a52c4e801';
export const CONSENT = '6f1e0a3c-consent';
export const PAYMENT = '9a7d42b1-payment';
export const REFRESH_TOKEN = 'refresh-token-of-the-tests';
/** RFC 7636 appendix B. */
export const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
export const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
export const STATE = '4f0e1c63b7a94d0c8f2b5a7d9e3c1f60';

export function ledgerOf(...changes: readonly LedgerChange[]): LedgerState {
  return createLedger(changes);
}

/** A ledger with calls that arrived and are not answered. */
export function underWay(...calls: readonly CallParts[]): LedgerState {
  const ledger = createLedger();
  for (const [i, call] of calls.entries())
    reserve(ledger, aCall({ ...call, id: `under way ${i}` }), fingerprint);
  return ledger;
}

/** What another gateway tells of such a call. */
export function underWayElsewhere(call: CallParts): LedgerState {
  const there = aCall({ ...call, id: 'elsewhere' });
  const fact = useFact(there, reserve(createLedger(), there, fingerprint), NOW + MINUTE);
  return createLedger([{ family: 'uses', key: there.id, fact }]);
}

const resource = {
  tpp: TPP,
  createdAt: NOW - 10 * MINUTE,
  implicit: true,
  redirectUri: REDIRECT_URI,
  nokRedirectUri: null,
  link: 'direct',
  authorisations: [AUTHORISATION],
  statusAt: NOW - 10 * MINUTE,
} as const;

export function aConsent(parts: Partial<ConsentFact> = {}): LedgerChange {
  const fact: ConsentFact = {
    ...resource,
    id: CONSENT,
    status: 'received',
    validUntil: '2026-09-13',
    recurring: true,
    frequencyPerDay: 4,
    accounts: null,
    ...parts,
  };
  return { family: 'consents', key: keyOf.resource(fact.tpp, fact.id), fact };
}

export function aPayment(parts: Partial<PaymentFact> = {}): LedgerChange {
  const fact: PaymentFact = {
    ...resource,
    id: PAYMENT,
    status: 'RCVD',
    product: 'sepa-credit-transfers',
    ...parts,
  };
  return { family: 'payments', key: keyOf.resource(fact.tpp, fact.id), fact };
}

export function anAuthorisation(parts: Partial<AuthorisationFact> = {}): LedgerChange {
  const fact: AuthorisationFact = {
    id: AUTHORISATION,
    tpp: TPP,
    scope: `AIS:${CONSENT}`,
    status: 'received',
    link: 'direct',
    discoveryReadAt: null,
    ...parts,
  };
  return { family: 'authorisations', key: keyOf.authorisation(fact.id), fact };
}

export function anAuthorize(parts: Partial<AuthorizeFact> = {}): LedgerChange {
  const fact: AuthorizeFact = {
    at: NOW - MINUTE,
    tpp: TPP,
    authorisationId: AUTHORISATION,
    clientId: TPP,
    scope: `AIS:${CONSENT}`,
    state: STATE,
    redirectUri: REDIRECT_URI,
    challenge: CHALLENGE,
    method: 'S256',
    ...parts,
  };
  const key = keyOf.authorize(fact);
  return { family: 'authorizes', key, fact };
}

/** `code` in clear; a literal one stays as it is. */
export function aCode(code: string, parts: Partial<CodeFact> = {}): LedgerChange {
  const key = code.endsWith('_VALID_CODE') ? code : fingerprint(code);
  const scope = `AIS:${CONSENT}`;
  return {
    family: 'codes',
    key,
    fact: { code: key, tpp: TPP, scope, issuedAt: NOW - MINUTE, usedAt: null, ...parts },
  };
}

export function aRefreshToken(parts: Partial<RefreshTokenFact> = {}): LedgerChange {
  const token = fingerprint(REFRESH_TOKEN);
  const fact: RefreshTokenFact = {
    token,
    tpp: TPP,
    scope: `AIS:${CONSENT}`,
    issuedAt: NOW - MINUTE,
    replacedBy: null,
    ...parts,
  };
  return { family: 'refreshTokens', key: token, fact };
}

export function aUse(
  kind: UsedOnceFact['kind'],
  value: string,
  parts: Partial<UsedOnceFact> = {},
): LedgerChange {
  const fact: UsedOnceFact = { kind, value, tpp: TPP, purpose: AUTHORISATION, at: NOW - MINUTE, ...parts };
  return { family: 'usedOnce', key: keyOf.usedOnce(kind, value), fact };
}
