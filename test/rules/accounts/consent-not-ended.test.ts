import rule from '../../../src/rules/accounts/consent-not-ended.js';
import { NOW } from '../../builders.js';
import { aConsent, aLedger, aToken } from '../a-ledger.js';
import { testRule } from '../rule-tester.js';

const LITERAL = 'VALID_CONSENT_ID';
const production = { profile: 'production' } as const;
const deletedAt = NOW - 60_000;
const deleted = { status: 'terminatedByTpp', deletedAt } as const;
const read = (id: string) => ({
  operation: 'accounts.list' as const,
  headers: { 'Consent-Id': id, Authorization: 'Bearer token-1' },
});
const old = aToken({ scope: `AIS:${LITERAL}`, issuedAt: deletedAt - 1 });

testRule(rule, {
  complies: {
    'a consent that was not deleted': { call: read('C1'), ledger: aLedger({ consents: aConsent() }) },
    'one that the PSU revoked, which another rule judges': {
      call: read('C1'),
      ledger: aLedger({ consents: aConsent({ status: 'revokedByPsu' }) }),
    },
  },
  violates: {
    'a literal consent, which the sandbox still answers': {
      call: read(LITERAL),
      ledger: aLedger({ consents: aConsent({ id: LITERAL, ...deleted }), tokens: old }),
      finds: [{ place: 'header Consent-Id', actual: 'a consent deleted at 2026-06-15T09:59:00.000Z' }],
    },
    'a consent in production': {
      call: read('C1'),
      ledger: aLedger({ consents: aConsent(deleted) }),
      options: production,
    },
    'one that the bank calls valid all the same': {
      call: read('C1'),
      ledger: aLedger({ consents: aConsent({ ...deleted, status: 'valid' }) }),
    },
  },
  notApplicable: {
    'a consent in the sandbox, which accounts/consent-valid names': {
      call: read('C1'),
      ledger: aLedger({ consents: aConsent(deleted) }),
    },
    'a literal one of another status, likewise': {
      call: read('CONSENT_ID_RECEIVED'),
      ledger: aLedger({ consents: aConsent({ id: 'CONSENT_ID_RECEIVED', ...deleted }) }),
    },
    'no consent id': { call: { operation: 'accounts.list' } },
  },
  notObserved: {
    'a consent whose creation was not seen': { call: read(LITERAL) },
    'a literal one to which the sandbox gave a token again': {
      call: read(LITERAL),
      ledger: aLedger({
        consents: aConsent({ id: LITERAL, ...deleted }),
        tokens: aToken({ scope: `AIS:${LITERAL}`, issuedAt: deletedAt + 1 }),
      }),
    },
  },
});
