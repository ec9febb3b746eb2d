import rule from '../../../src/rules/oauth/scope-matches-authorisation.js';
import { aConsent, anAuthorisation, aPayment, CONSENT, ledgerOf, PAYMENT } from '../ledger-of.js';
import { authorizeWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

const SHARED = '22222222-2222-2222-2222-222222222222';
const atShared = { params: { authorisationId: SHARED } };
const other = aConsent({ id: 'other', authorisations: ['b6a4d1f0-0000-4000-8000-000000000001'] });
const created = ledgerOf(
  aConsent(),
  other,
  aPayment({ authorisations: ['b6a4d1f0-0000-4000-8000-000000000002'] }),
  anAuthorisation(),
);

testRule(rule, {
  complies: {
    'the consent of the authorisation': { call: authorizeWith({}), ledger: created },
    'the same for funds': { call: authorizeWith({ scope: `PIIS:${CONSENT}` }), ledger: created },
    'a sandbox authorisation that serves several resources': {
      call: authorizeWith({}, atShared),
      ledger: ledgerOf(
        aConsent({ authorisations: [SHARED] }),
        anAuthorisation({ id: SHARED, scope: 'AIS:CONSENT_ID_NO_AUTHORIZATION' }),
      ),
    },
    'the scope that the document names, at an explicit consent of the sandbox': {
      call: authorizeWith({ scope: 'AIS:VALID_CONSENT_ID', client_id: 'VALID_CLIENT_ID' }, atShared),
      ledger: ledgerOf(anAuthorisation({ id: SHARED, scope: 'AIS:CONSENT_ID_NO_AUTHORIZATION' })),
    },
    'the same, where the consent has an authorisation of its own': {
      call: authorizeWith({ scope: 'AIS:VALID_CONSENT_ID', client_id: 'VALID_CLIENT_ID' }),
      ledger: ledgerOf(anAuthorisation({ scope: 'AIS:CONSENT_ID_NO_AUTHORIZATION' })),
    },
  },
  violates: {
    'another consent of the TPP': {
      call: authorizeWith({ scope: 'AIS:other' }),
      ledger: created,
      finds: [
        {
          place: 'query scope',
          expected: `AIS:${CONSENT}, as the authorisation in the path`,
          actual: 'AIS:other',
        },
      ],
    },
    'a payment of the TPP': { call: authorizeWith({ scope: `PIS:${PAYMENT}` }), ledger: created },
    'a payment of the sandbox at a consent of it': {
      call: authorizeWith({ scope: 'PIS:PAYMENT_ID_RCVD_SCT' }, atShared),
      ledger: ledgerOf(anAuthorisation({ id: SHARED, scope: 'AIS:VALID_CONSENT_ID' })),
    },
    'a sandbox consent at an authorisation of a real one': {
      call: authorizeWith({ scope: 'AIS:VALID_CONSENT_ID' }),
      ledger: created,
    },
  },
  notApplicable: {
    'no scope of the form': { call: authorizeWith({ scope: 'accounts' }), ledger: created },
    'a scope that names nothing, which another rule judges': {
      call: authorizeWith({ scope: 'AIS:made-up' }),
      ledger: created,
    },
  },
  notObserved: { 'an authorisation that was not seen': { call: authorizeWith({}) } },
});
