import rule from '../../../src/rules/oauth/scope-form.js';
import { authorizeWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: {
    'a consent': { call: authorizeWith({}) },
    'a payment': { call: authorizeWith({ scope: 'PIS:P' }) },
    'a consent for funds': { call: authorizeWith({ scope: 'PIIS:C' }) },
    'an id that holds a colon': { call: authorizeWith({ scope: 'AIS:urn:x' }) },
  },
  violates: {
    'a word': {
      call: authorizeWith({ scope: 'accounts' }),
      finds: [{ place: 'query scope', actual: 'accounts' }],
    },
    'a name of the discovery document': { call: authorizeWith({ scope: 'account' }) },
    'two scopes': { call: authorizeWith({ scope: 'AIS:C PIS:P' }) },
    'small letters': { call: authorizeWith({ scope: 'ais:C' }) },
    'no id': { call: authorizeWith({ scope: 'AIS:' }) },
    'no service': { call: authorizeWith({ scope: 'VALID_CONSENT_ID' }) },
  },
  notApplicable: { 'none, which another rule judges': { call: authorizeWith({ scope: undefined }) } },
});
