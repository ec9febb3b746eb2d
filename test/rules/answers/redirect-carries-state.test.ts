import { createLedger, keyOf } from '../../../src/ledger/index.js';
import rule from '../../../src/rules/answers/redirect-carries-state.js';
import { fingerprint, TPP } from '../../builders.js';
import { aCode, ledgerOf } from '../ledger-of.js';
import { CODE, exchangeWith, refreshWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';
import { aConsentFact, anAuthorisationFact } from './facts.js';

const consent = aConsentFact();

const query = (more = '') =>
  `scope=AIS:VALID_CONSENT_ID&state=af%2B0&redirect_uri=${encodeURIComponent('https://tpp.example/cb?x=1')}${more}`;
const call = { operation: 'oauth.authorize', query: query() } as const;
const to = (Location: string) => ({ status: 302, headers: { Location } });

testRule(rule, {
  complies: {
    'code and state': { call, answer: to('https://tpp.example/cb?x=1&code=c&state=af%2B0') },
    'an error and the state': {
      call,
      answer: to('https://TPP.example/cb?x=1&error=access_denied&state=af%2B0'),
    },
    'the state stands in the recording as its fingerprint': {
      call,
      answer: to(`https://tpp.example/cb?code=c&state=${fingerprint('af+0')}`),
    },
    'a call without state': {
      call: { operation: 'oauth.authorize', query: 'redirect_uri=myapp%3A%2F%2Fcb' },
      answer: to('myapp://cb?code=c'),
    },
    'the redirect URI for failures, as the creation named it': {
      call,
      ledger: createLedger([
        {
          family: 'authorisations',
          key: keyOf.authorisation('11111111-1111-1111-1111-111111111111'),
          fact: anAuthorisationFact({ id: '11111111-1111-1111-1111-111111111111' }),
        },
        {
          family: 'consents',
          key: keyOf.resource(TPP, 'VALID_CONSENT_ID'),
          fact: { ...consent, nokRedirectUri: 'https://tpp.example/nok' },
        },
      ]),
      answer: to('https://tpp.example/nok?error=access_denied&state=af%2B0'),
    },
  },
  violates: {
    'an address without state': {
      call,
      answer: to('https://tpp.example/cb?code=c'),
      finds: [
        {
          place: 'answer header Location',
          expected: 'an address with state=af+0',
          actual: 'an address without state',
        },
      ],
    },
    'a state that was decoded once too often': {
      call,
      answer: to('https://tpp.example/cb?code=c&state=af+0'),
      finds: [{ actual: 'an address with state=af 0' }],
    },
    'neither code nor error': {
      call,
      answer: to('https://tpp.example/cb?x=1&state=af%2B0'),
      finds: [{ expected: 'an address with code or error in its query', actual: 'an address without them' }],
    },
    'an empty code': { call, answer: to('https://tpp.example/cb?code=&state=af%2B0') },
    'in the fragment': { call, answer: to('https://tpp.example/cb#code=c&state=af%2B0') },
    'a redirect to nowhere': { call, answer: { status: 302 }, finds: [{ actual: 'absent' }] },
  },
  notApplicable: {
    'a page': { call, answer: { status: 200 } },
    'on the way through the bank': { call, answer: to('https://login.bank.example/start?id=1') },
    'a redirect of the gateway': { call, answer: { ...to('https://tpp.example/cb'), source: 'rule' } },
    'a code that the redirect brought here': { call: exchangeWith({}), ledger: ledgerOf(aCode(CODE)) },
    'a code that the bank does not take': { call: exchangeWith({}), answer: { status: 400 } },
    'a refresh': { call: refreshWith({}) },
  },
  notObserved: {
    'a code that came past the gateway': { call: exchangeWith({}) },
    'a code that came past, in a recording': {
      call: exchangeWith({ code: fingerprint(CODE) }),
      ledger: ledgerOf(aCode('another')),
    },
  },
});
