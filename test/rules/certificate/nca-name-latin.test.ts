import rule from '../../../src/rules/certificate/nca-name-latin.js';
import { aCertificate } from '../../builders.js';
import { testRule } from '../rule-tester.js';

const named = (ncaName: string | null) => ({ certificate: aCertificate({ ncaName }) });

testRule(rule, {
  complies: [
    { name: 'English', call: named('National Bank of Belgium') },
    { name: 'with accents', call: named('Česká národní banka') },
    { name: 'with signs', call: named('Banco de España (BdE), 1/2 & Co. – “NA”') },
    { name: 'an accent as a character of its own', call: named('Banco de Espan\u0303a') },
  ],
  violates: [
    {
      name: 'Greek',
      call: named('Τράπεζα της Ελλάδος'),
      finds: [{ place: 'certificate nCAName', actual: 'Τράπεζα της Ελλάδος' }],
    },
    { name: 'Cyrillic among Latin letters', call: named('Bаnk') },
  ],
  notApplicable: [
    { name: 'no certificate is presented', call: { certificate: 'absent' } },
    { name: 'the browser of the PSU has none', call: { operation: 'oauth.authorize' } },
    { name: 'no name', call: named(null) },
  ],
  notObserved: [{ name: 'a recording without certificates', call: { certificate: 'not-observed' } }],
});
