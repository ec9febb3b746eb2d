import rule from '../../../src/rules/oauth/redirect-uri-matches-creation.js';
import { aConsent, anAuthorisation, ledgerOf, REDIRECT_URI } from '../ledger-of.js';
import { authorizeWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

const created = ledgerOf(aConsent(), anAuthorisation());
const APP = 'com.tpp.app://callback';
const createdByApp = ledgerOf(aConsent({ redirectUri: APP }), anAuthorisation());
const to = (redirect_uri: string | undefined) => authorizeWith({ redirect_uri });

testRule(rule, {
  complies: {
    'the same': { call: to(REDIRECT_URI), ledger: created },
    'the same of an app': { call: to(APP), ledger: createdByApp },
    'the same, known by the owner of the authorisation': {
      call: authorizeWith({ client_id: 'VALID_CLIENT_ID' }),
      ledger: created,
    },
    'that of its own flow, where a later creation under the same id had another': {
      call: to(REDIRECT_URI),
      ledger: ledgerOf(
        aConsent({ authorisations: [], redirectUri: 'https://tpp.example/later' }),
        anAuthorisation({ redirectUri: REDIRECT_URI }),
      ),
    },
    'that of the resource in the path, where the scope names another': {
      call: authorizeWith({ scope: 'AIS:other' }),
      ledger: ledgerOf(
        aConsent(),
        anAuthorisation(),
        aConsent({ id: 'other', authorisations: [], redirectUri: 'https://tpp.example/other' }),
      ),
    },
  },
  violates: {
    'a slash more': {
      call: to(`${REDIRECT_URI}/`),
      ledger: created,
      finds: [{ place: 'query redirect_uri', expected: REDIRECT_URI, actual: `${REDIRECT_URI}/` }],
    },
    'one slash less of an app': {
      call: to('com.tpp.app:/callback'),
      ledger: createdByApp,
      finds: [{ expected: APP, actual: 'com.tpp.app:/callback' }],
    },
    'another letter case': { call: to('https://tpp.example/CB'), ledger: created },
    'a query more': { call: to(`${REDIRECT_URI}?x=1`), ledger: created },
  },
  notApplicable: {
    none: { call: to(undefined), ledger: created },
    'no address, which another rule judges': { call: to('cb'), ledger: created },
    'a creation without TPP-Redirect-URI': {
      call: to(REDIRECT_URI),
      ledger: ledgerOf(aConsent({ redirectUri: null }), anAuthorisation()),
    },
  },
  notObserved: { 'a creation that was not seen': { call: to(REDIRECT_URI) } },
});
