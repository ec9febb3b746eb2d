import rule from '../../../src/rules/oauth/discovery-read-first.js';
import { type CallParts, NOW } from '../../builders.js';
import { AUTHORISATION, anAuthorisation, anAuthorize, ledgerOf } from '../ledger-of.js';
import { authorizeWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

const discovery = (query: string): CallParts => ({ operation: 'oauth.discovery', query });

testRule(rule, {
  complies: {
    'the document was read': {
      call: authorizeWith({}),
      ledger: ledgerOf(anAuthorisation({ link: 'discovery', discoveryReadAt: NOW - 1_000 })),
    },
    'the document was read for this flow, and a creation side by side got the same literal id': {
      call: authorizeWith({}),
      ledger: ledgerOf(anAuthorisation({ link: 'discovery', openReads: [NOW - 1_000] })),
    },
    'the link called as it was given': { call: discovery(`authorizationId=${AUTHORISATION}`) },
    'with a parameter that another rule judges': { call: discovery(`authorizationId=${AUTHORISATION}&x=1`) },
  },
  violates: {
    'authorize without reading it': {
      call: authorizeWith({}),
      ledger: ledgerOf(anAuthorisation({ link: 'discovery' })),
      finds: [
        { place: 'path authorisationId', actual: 'an authorisation whose discovery document was not read' },
      ],
    },
    'the parameters appended with a second question mark': {
      call: discovery(`authorizationId=${AUTHORISATION}?scope=AIS:C&client_id=VALID_CLIENT_ID&state=x`),
      finds: [{ place: 'query authorizationId', actual: 'a second "?" after the authorisation id' }],
    },
    'the parameters appended with an ampersand': {
      call: discovery(`authorizationId=${AUTHORISATION}&scope=AIS:C&response_type=code`),
      finds: [{ place: 'query scope', actual: 'one of the appended parameters: scope, response_type' }],
    },
  },
  notApplicable: {
    'a further step of a flow that was judged when it began': {
      call: authorizeWith({}),
      ledger: ledgerOf(anAuthorisation({ link: 'discovery' }), anAuthorize()),
    },
    'a direct link': { call: authorizeWith({}), ledger: ledgerOf(anAuthorisation({ link: 'direct' })) },
    'a token request': { call: { operation: 'oauth.token' } },
  },
  notObserved: {
    'one of several TPPs that share a literal id, and which of them cannot be told': {
      call: authorizeWith({ client_id: 'VALID_CLIENT_ID' }),
      ledger: ledgerOf(anAuthorisation({ link: 'discovery', shared: true })),
    },
    'an authorisation that was not seen': { call: authorizeWith({}) },
    'a link that was not seen': {
      call: authorizeWith({}),
      ledger: ledgerOf(anAuthorisation({ link: null })),
    },
  },
});
