import rule from '../../../src/rules/certificate/psd2-statement-encoding.js';
import { aCertificate } from '../../builders.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: { 'by the book': { call: { certificate: aCertificate() } } },
  violates: {
    'other-strings': {
      call: { certificate: aCertificate({ encoding: 'other-strings' }) },
      finds: [{ actual: 'encoded otherwise: other strings' }],
    },
    'flat-roles': {
      call: { certificate: aCertificate({ encoding: 'flat-roles' }) },
      finds: [{ actual: 'encoded otherwise: flat roles' }],
    },
    'bare-statement': {
      call: { certificate: aCertificate({ encoding: 'bare-statement' }) },
      finds: [{ actual: 'encoded otherwise: bare statement' }],
    },
    'no-roles-wrapper': {
      call: { certificate: aCertificate({ encoding: 'no-roles-wrapper' }) },
      finds: [{ actual: 'encoded otherwise: no roles wrapper' }],
    },
  },
  notApplicable: {
    'no certificate is presented': { call: { certificate: 'absent' } },
    'the browser of the PSU has none': { call: { operation: 'oauth.authorize' } },
    'there is no statement': { call: { certificate: aCertificate({ encoding: 'absent' }) } },
    'it cannot be read': { call: { certificate: aCertificate({ encoding: 'unreadable' }) } },
  },
  notObserved: { 'a recording without certificates': { call: { certificate: 'not-observed' } } },
});
