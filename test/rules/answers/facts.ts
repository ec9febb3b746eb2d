/** Facts of a ledger for the tests of rules, with sensible defaults. */
import type { AuthorisationFact, ConsentFact, PaymentFact } from '../../../src/ledger/index.js';
import { NOW, TPP } from '../../builders.js';

const resource = {
  tpp: TPP,
  createdAt: NOW - 60_000,
  implicit: true,
  redirectUri: 'https://tpp.example/cb',
  nokRedirectUri: null,
  link: 'discovery',
  authorisations: [],
  statusAt: NOW - 60_000,
} as const;

export function aConsentFact(overrides: Partial<ConsentFact> = {}): ConsentFact {
  return {
    ...resource,
    id: 'VALID_CONSENT_ID',
    status: 'valid',
    validUntil: '2026-09-01',
    recurring: true,
    frequencyPerDay: 4,
    accounts: null,
    ...overrides,
  };
}

export function aPaymentFact(overrides: Partial<PaymentFact> = {}): PaymentFact {
  return {
    ...resource,
    id: 'PAYMENT_ID_RCVD_SCT',
    status: 'RCVD',
    product: 'sepa-credit-transfers',
    ...overrides,
  };
}

export function anAuthorisationFact(overrides: Partial<AuthorisationFact> = {}): AuthorisationFact {
  return {
    id: 'abababab-0000-4000-8000-000000000001',
    tpp: TPP,
    scope: 'AIS:C1',
    status: 'received',
    link: 'discovery',
    discoveryReadAt: null,
    ...overrides,
  };
}
