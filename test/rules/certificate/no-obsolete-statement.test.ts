import rule from '../../../src/rules/certificate/no-obsolete-statement.js';
import { aCertificate } from '../../builders.js';
import { testRule } from '../rule-tester.js';

const stating = (...qcStatements: string[]) => ({ certificate: aCertificate({ qcStatements }) });
const { qcStatements: _, ...earlier } = aCertificate();

testRule(rule, {
  complies: {
    'those of a QWAC': { call: stating('0.4.0.1862.1.1', '0.4.0.1862.1.6', '0.4.0.19495.2') },
    'the newer syntax': { call: stating('1.3.6.1.5.5.7.11.2') },
    'one that nobody knows': { call: stating('1.2.3.4') },
  },
  violates: {
    'the older syntax': {
      call: stating('0.4.0.1862.1.1', '1.3.6.1.5.5.7.11.1'),
      finds: [{ place: 'certificate QCStatements', expected: 'id-qcs-pkixQCSyntax-v2' }],
    },
  },
  notApplicable: {
    'no certificate is presented': { call: { certificate: 'absent' } },
    'the browser of the PSU has none': { call: { operation: 'oauth.authorize' } },
    'no statements': { call: stating() },
  },
  notObserved: {
    'a recording without certificates': { call: { certificate: 'not-observed' } },
    'a recording of an earlier version': { call: { certificate: earlier } },
  },
});
