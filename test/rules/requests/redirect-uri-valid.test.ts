import rule from '../../../src/rules/requests/redirect-uri-valid.js';
import { testRule } from '../rule-tester.js';

const uri = (value: string) => ({
  operation: 'consents.create' as const,
  headers: { 'TPP-Redirect-URI': value },
});

testRule(rule, {
  complies: {
    https: { call: uri('https://tpp.example/cb?x=1') },
    http: { call: uri('http://localhost:3000/cb') },
    'http in production': { call: uri('http://tpp.example/cb'), options: { profile: 'production' } },
    'a scheme of an app': { call: uri('com.tpp.app://callback') },
    'the same with one slash': { call: uri('com.tpp.app:/callback'), options: { profile: 'production' } },
    'a short scheme of an app': { call: uri('myapp://cb') },
    'a fragment, which another rule judges': { call: uri('https://tpp.example/cb#done') },
  },
  violates: {
    'without scheme': {
      call: uri('tpp.example/cb'),
      finds: [{ place: 'header TPP-Redirect-URI', actual: 'tpp.example/cb' }],
    },
    'a path': { call: uri('/cb') },
    'a space': { call: uri('com.tpp.app://call back') },
    'a script, which no app answers': { call: uri('javascript:alert(1)') },
    'sent twice': { call: uri('https://tpp.example/a, https://tpp.example/b') },
  },
  notApplicable: {
    absent: { call: { operation: 'payments.create' } },
    'empty, which another rule judges': { call: uri('') },
    'a read': { call: { operation: 'consents.read', headers: { 'TPP-Redirect-URI': 'x' } } },
  },
});
