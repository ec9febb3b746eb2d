import { type LedgerChange, UNOBSERVED_TPP } from '../../../src/ledger/index.js';
import rule from '../../../src/rules/oauth/scope-names-created-resource.js';
import { OTHER_TPP } from '../../builders.js';
import { aConsent, anAuthorisation, aPayment, CONSENT, ledgerOf, PAYMENT } from '../ledger-of.js';
import { authorizeWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

const created = ledgerOf(aConsent(), aPayment(), anAuthorisation());
const production = { profile: 'production' } as const;
const SHARED = '22222222-2222-2222-2222-222222222222';
/** Before a bank that may know consents which were never seen. */
const before = (...changes: readonly LedgerChange[]) =>
  Object.assign(ledgerOf(...changes), { beganLater: true });

testRule(rule, {
  complies: {
    'a creation in a file of a proxy': {
      call: authorizeWith({}, { certificate: 'not-observed' }),
      ledger: ledgerOf(aConsent({ tpp: UNOBSERVED_TPP })),
    },
    'a consent of the client': { call: authorizeWith({}), ledger: ledgerOf(aConsent()) },
    'a payment of the client': { call: authorizeWith({ scope: `PIS:${PAYMENT}` }), ledger: created },
    'a consent for funds': { call: authorizeWith({ scope: `PIIS:${CONSENT}` }), ledger: created },
    'known by the owner of the authorisation': {
      call: authorizeWith({ client_id: 'VALID_CLIENT_ID' }),
      ledger: created,
    },
    'a sandbox consent': { call: authorizeWith({ scope: 'AIS:VALID_CONSENT_ID' }) },
    'a sandbox payment': { call: authorizeWith({ scope: 'PIS:PAYMENT_ID_RCVD_SCT' }) },
    'a sandbox id that was created, in production': {
      call: authorizeWith({ scope: 'AIS:VALID_CONSENT_ID' }),
      ledger: ledgerOf(aConsent({ id: 'VALID_CONSENT_ID' })),
      options: production,
    },
  },
  violates: {
    'made up': {
      call: authorizeWith({ scope: 'AIS:made-up' }),
      ledger: created,
      finds: [
        {
          place: 'query scope',
          expected: 'AIS: and the id of a consent that this TPP created',
          actual: 'AIS:made-up',
        },
      ],
    },
    'made up at an authorisation that was seen, though the bank may know more': {
      call: authorizeWith({ scope: 'AIS:made-up' }),
      ledger: before(anAuthorisation()),
    },
    'a consent that another TPP was seen to create, though the bank may know more': {
      call: authorizeWith({}),
      ledger: before(aConsent({ tpp: OTHER_TPP })),
    },
    'a payment as consent': { call: authorizeWith({ scope: `AIS:${PAYMENT}` }), ledger: created },
    'a sandbox payment as consent': { call: authorizeWith({ scope: 'AIS:PAYMENT_ID_RCVD_SCT' }) },
    'the consent of another TPP': {
      call: authorizeWith({}),
      ledger: ledgerOf(aConsent({ tpp: OTHER_TPP }), anAuthorisation()),
    },
    'a sandbox id in production': {
      call: authorizeWith({ scope: 'AIS:VALID_CONSENT_ID' }),
      options: production,
    },
  },
  notApplicable: { 'no scope of the form': { call: authorizeWith({ scope: 'accounts' }) } },
  notObserved: {
    'a consent that only the bank knows, at an authorisation of it': {
      call: authorizeWith({ scope: `PIIS:${CONSENT}` }),
      ledger: before(anAuthorisation()),
    },
    'one at a sandbox authorisation that serves several': {
      call: authorizeWith({ scope: 'AIS:older' }, { params: { authorisationId: SHARED } }),
      ledger: before(anAuthorisation({ id: SHARED })),
    },
    'a file of a proxy that begins after the creation': {
      call: authorizeWith({}, { certificate: 'not-observed' }),
    },
    'an unknown authorisation of an unknown TPP': { call: authorizeWith({ client_id: 'VALID_CLIENT_ID' }) },
  },
});
