import rule from '../../../src/rules/oauth/scope-form.js';
import { authorizeWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: [
    { name: 'a consent', call: authorizeWith({}) },
    { name: 'a payment', call: authorizeWith({ scope: 'PIS:P' }) },
    { name: 'a consent for funds', call: authorizeWith({ scope: 'PIIS:C' }) },
    { name: 'an id that holds a colon', call: authorizeWith({ scope: 'AIS:urn:x' }) },
  ],
  violates: [
    {
      name: 'a word',
      call: authorizeWith({ scope: 'accounts' }),
      finds: [{ place: 'query scope', actual: 'accounts' }],
    },
    { name: 'two scopes', call: authorizeWith({ scope: 'AIS:C PIS:P' }) },
    { name: 'small letters', call: authorizeWith({ scope: 'ais:C' }) },
    { name: 'no id', call: authorizeWith({ scope: 'AIS:' }) },
    { name: 'no service', call: authorizeWith({ scope: 'VALID_CONSENT_ID' }) },
  ],
  notApplicable: [{ name: 'none, which another rule judges', call: authorizeWith({ scope: undefined }) }],
});
