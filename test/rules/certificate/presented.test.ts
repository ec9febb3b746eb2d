import rule from '../../../src/rules/certificate/presented.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: [
    { name: 'a certificate', call: {} },
    { name: 'a certificate where the path is unknown', call: { target: '/nowhere' } },
  ],
  violates: [
    { name: 'none', call: { certificate: 'absent' }, finds: [{ place: 'certificate', actual: 'none' }] },
    { name: 'none where the path is unknown', call: { target: '/nowhere', certificate: 'absent' } },
  ],
  notApplicable: [{ name: 'the browser of the PSU', call: { operation: 'oauth.authorize' } }],
  notObserved: [{ name: 'a recording without certificates', call: { certificate: 'not-observed' } }],
});
