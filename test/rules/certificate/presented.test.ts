import rule from '../../../src/rules/certificate/presented.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: {
    'a certificate': { call: {} },
    'a certificate where the path is unknown': { call: { target: '/nowhere' } },
  },
  violates: {
    none: { call: { certificate: 'absent' }, finds: [{ place: 'certificate', actual: 'none' }] },
    'none where the path is unknown': { call: { target: '/nowhere', certificate: 'absent' } },
  },
  notApplicable: { 'the browser of the PSU': { call: { operation: 'oauth.authorize' } } },
  notObserved: { 'a recording without certificates': { call: { certificate: 'not-observed' } } },
});
