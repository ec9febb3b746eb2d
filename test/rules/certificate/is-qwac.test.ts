import rule from '../../../src/rules/certificate/is-qwac.js';
import { aCertificate } from '../../builders.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: { 'qualified, for websites': { call: { certificate: aCertificate() } } },
  violates: {
    'a seal and a website certificate in one': {
      call: { certificate: aCertificate({ qcType: ['eseal', 'web'] }) },
      finds: [{ place: 'certificate QcType', expected: 'web alone', actual: 'eseal, web' }],
    },
    'a seal certificate': {
      call: { certificate: aCertificate({ qcType: ['eseal'] }) },
      finds: [{ place: 'certificate QcType', expected: 'web', actual: 'eseal' }],
    },
    'not qualified': {
      call: { certificate: aCertificate({ qcCompliance: false }) },
      finds: [{ place: 'certificate QcCompliance' }],
    },
    'a plain certificate': {
      call: { certificate: aCertificate({ qcCompliance: false, qcType: [] }) },
      finds: [{ place: 'certificate QcCompliance' }, { place: 'certificate QcType', actual: 'absent' }],
    },
  },
  notApplicable: {
    'no certificate is presented': { call: { certificate: 'absent' } },
    'the browser of the PSU has none': { call: { operation: 'oauth.authorize' } },
  },
  notObserved: { 'a recording without certificates': { call: { certificate: 'not-observed' } } },
});
