import rule from '../../../src/rules/requests/redirect-uri-without-fragment.js';
import { testRule } from '../rule-tester.js';

const uri = (value: string) => ({
  operation: 'payments.create' as const,
  headers: { 'TPP-Redirect-URI': value },
});

testRule(rule, {
  complies: [
    { name: 'a query', call: uri('https://tpp.example/cb?x=1') },
    { name: 'an encoded number sign', call: uri('https://tpp.example/cb?x=%23done') },
    { name: 'a scheme of an app', call: uri('com.tpp.app://callback') },
  ],
  violates: [
    {
      name: 'a fragment',
      call: uri('https://tpp.example/cb#done'),
      finds: [{ place: 'header TPP-Redirect-URI', actual: 'https://tpp.example/cb#done' }],
    },
    { name: 'an empty fragment', call: uri('https://tpp.example/cb#') },
    { name: 'a fragment of an app', call: uri('com.tpp.app://callback#done') },
  ],
  notApplicable: [
    { name: 'absent', call: { operation: 'payments.create' } },
    { name: 'empty', call: uri('') },
    { name: 'no address, which another rule judges', call: uri('tpp.example/cb#done') },
  ],
});
