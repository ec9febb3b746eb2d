import rule from '../../../src/rules/requests/redirect-uri-without-fragment.js';
import { testRule } from '../rule-tester.js';

const uri = (value: string) => ({
  operation: 'payments.create' as const,
  headers: { 'TPP-Redirect-URI': value },
});

testRule(rule, {
  complies: {
    'a query': { call: uri('https://tpp.example/cb?x=1') },
    'an encoded number sign': { call: uri('https://tpp.example/cb?x=%23done') },
    'a scheme of an app': { call: uri('com.tpp.app://callback') },
  },
  violates: {
    'a fragment': {
      call: uri('https://tpp.example/cb#done'),
      finds: [{ place: 'header TPP-Redirect-URI', actual: 'https://tpp.example/cb#done' }],
    },
    'an empty fragment': { call: uri('https://tpp.example/cb#') },
    'a fragment of an app': { call: uri('com.tpp.app://callback#done') },
  },
  notApplicable: {
    absent: { call: { operation: 'payments.create' } },
    empty: { call: uri('') },
    'no address, which another rule judges': { call: uri('tpp.example/cb#done') },
  },
});
