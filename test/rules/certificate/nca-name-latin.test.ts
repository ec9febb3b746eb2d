import rule from '../../../src/rules/certificate/nca-name-latin.js';
import { aCertificate } from '../../builders.js';
import { testRule } from '../rule-tester.js';

const named = (ncaName: string | null) => ({ certificate: aCertificate({ ncaName }) });

testRule(rule, {
  complies: {
    English: { call: named('National Bank of Belgium') },
    'with accents': { call: named('Česká národní banka') },
    'with signs': { call: named('Banco de España (BdE), 1/2 & Co. – “NA”') },
    'an accent as a character of its own': { call: named('Banco de Espan\u0303a') },
  },
  violates: {
    Greek: {
      call: named('Τράπεζα της Ελλάδος'),
      finds: [{ place: 'certificate nCAName', actual: 'Τράπεζα της Ελλάδος' }],
    },
    'Cyrillic among Latin letters': { call: named('Bаnk') },
  },
  notApplicable: {
    'no certificate is presented': { call: { certificate: 'absent' } },
    'the browser of the PSU has none': { call: { operation: 'oauth.authorize' } },
    'no name': { call: named(null) },
  },
  notObserved: { 'a recording without certificates': { call: { certificate: 'not-observed' } } },
});
