import rule from '../../../src/rules/oauth/redirect-uri-same-at-token.js';
import { aCode, aConsent, anAuthorize, ledgerOf, REDIRECT_URI } from '../ledger-of.js';
import { CODE, exchangeWith, refreshWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

const seen = ledgerOf(aCode(CODE), aConsent(), anAuthorize());
const to = (redirect_uri: string | undefined) => exchangeWith({ redirect_uri });

testRule(rule, {
  complies: {
    'the same': { call: to(REDIRECT_URI), ledger: seen },
    'that of one of several authorization requests': {
      call: to(REDIRECT_URI),
      ledger: ledgerOf(
        aCode(CODE),
        anAuthorize(),
        anAuthorize({ state: 'x', redirectUri: 'https://tpp.example/2' }),
      ),
    },
  },
  violates: {
    'a slip of the keys': {
      call: to('http://localhosta'),
      ledger: seen,
      finds: [{ place: 'body redirect_uri', expected: REDIRECT_URI, actual: 'http://localhosta' }],
    },
  },
  notApplicable: {
    none: { call: to(undefined), ledger: seen },
    'a refresh': { call: refreshWith({ redirect_uri: 'x' }), ledger: seen },
    'that of the creation, where authorize sent another one: a finding there': {
      call: to(REDIRECT_URI),
      ledger: ledgerOf(aCode(CODE), aConsent(), anAuthorize({ redirectUri: 'https://tpp.example/2' })),
    },
  },
  notObserved: {
    'no authorization request was seen': { call: to(REDIRECT_URI) },
    'a code that went past, so that the authorization request that led to it may have done so too': {
      call: to('https://tpp.example/2'),
      ledger: ledgerOf(aConsent(), anAuthorize()),
    },
  },
});
