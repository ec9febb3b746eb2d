import rule from '../../../src/rules/oauth/client-id.js';
import { OTHER_TPP, TPP } from '../../builders.js';
import { aConsent, anAuthorisation, ledgerOf } from '../ledger-of.js';
import { authorizeAnd, authorizeWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

const SHARED = '22222222-2222-2222-2222-222222222222';
const created = ledgerOf(aConsent(), anAuthorisation());
const production = { profile: 'production' } as const;
const client = (client_id: string, parts = {}) => authorizeWith({ client_id }, parts);

testRule(rule, {
  complies: {
    'the owner of the authorisation': { call: client(TPP), ledger: created },
    'the literal id of the sandbox': { call: client('VALID_CLIENT_ID') },
    'a TPP that created the consent, at an authorisation id that all share': {
      call: client(TPP, { params: { authorisationId: SHARED } }),
      ledger: ledgerOf(aConsent(), anAuthorisation({ id: SHARED, tpp: OTHER_TPP })),
    },
    'a TPP that created the consent, at an authorisation that was not seen': {
      call: client(TPP),
      ledger: ledgerOf(aConsent()),
      options: production,
    },
  },
  violates: {
    'another TPP': {
      call: client(OTHER_TPP),
      ledger: created,
      finds: [{ place: 'query client_id', expected: `${TPP}, or VALID_CLIENT_ID`, actual: OTHER_TPP }],
    },
    'a name, at an authorisation id that all share: its owner is not told': {
      call: client('my-app', { params: { authorisationId: SHARED } }),
      ledger: ledgerOf(anAuthorisation({ id: SHARED, tpp: OTHER_TPP })),
      finds: [
        {
          expected: 'the organizationIdentifier of the certificate, PSDcc-NCA-number, or VALID_CLIENT_ID',
          actual: 'my-app',
        },
      ],
    },
    'the literal id in production': {
      call: client('VALID_CLIENT_ID'),
      ledger: created,
      options: production,
      finds: [{ expected: TPP, actual: 'VALID_CLIENT_ID' }],
    },
    'a name, at an authorisation that was not seen': { call: client('my-app') },
    'another scheme, in production': { call: client('VATBE-0123456789'), options: production },
  },
  notApplicable: {
    none: { call: authorizeWith({ client_id: undefined }) },
    two: { call: authorizeAnd('client_id=x') },
    'a TPP whose certificate names no organisation': {
      call: client(TPP),
      ledger: ledgerOf(anAuthorisation({ tpp: `cert:${'ab'.repeat(32)}` })),
    },
  },
  notObserved: {
    'an organisation, at an authorisation that was not seen': { call: client(OTHER_TPP) },
    'an authorisation whose owner a HAR file does not tell': {
      call: client(TPP),
      ledger: ledgerOf(anAuthorisation({ tpp: 'unobserved' })),
    },
  },
});
