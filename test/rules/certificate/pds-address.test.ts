import rule from '../../../src/rules/certificate/pds-address.js';
import { aCertificate } from '../../builders.js';
import { testRule } from '../rule-tester.js';

const pds = (...pairs: [string, string][]) => ({
  certificate: aCertificate({ qcPds: pairs.map(([url, language]) => ({ url, language })) }),
});

testRule(rule, {
  complies: {
    'https in English': { call: pds(['https://tsp.example/pds', 'en']) },
    'in two languages': { call: pds(['https://tsp.example/pds', 'en'], ['https://tsp.example/fr', 'fr']) },
    'in capitals': { call: pds(['HTTPS://tsp.example/pds', 'EN']) },
  },
  violates: {
    'plain http': {
      call: pds(['http://tsp.example/pds', 'en']),
      finds: [{ place: 'certificate QcPDS', actual: 'http://tsp.example/pds' }],
    },
    'a language of three letters': {
      call: pds(['https://tsp.example/pds', 'eng']),
      finds: [{ actual: 'eng' }],
    },
    'a language that there is not': { call: pds(['https://tsp.example/pds', 'xx']) },
    both: { call: pds(['tsp.example/pds', '']), finds: [{}, { actual: '' }] },
  },
  notApplicable: {
    'no certificate is presented': { call: { certificate: 'absent' } },
    'the browser of the PSU has none': { call: { operation: 'oauth.authorize' } },
    'no statement': { call: pds() },
  },
  notObserved: { 'a recording without certificates': { call: { certificate: 'not-observed' } } },
});
