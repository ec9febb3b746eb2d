import rule from '../../../src/rules/requests/redirect-uri-valid.js';
import { testRule } from '../rule-tester.js';

const uri = (value: string) => ({
  operation: 'consents.create' as const,
  headers: { 'TPP-Redirect-URI': value },
});

testRule(rule, {
  complies: [
    { name: 'https', call: uri('https://tpp.example/cb?x=1') },
    { name: 'http', call: uri('http://localhost:3000/cb') },
    { name: 'http in production', call: uri('http://tpp.example/cb'), options: { profile: 'production' } },
    { name: 'a scheme of an app', call: uri('com.tpp.app://callback') },
    {
      name: 'the same with one slash',
      call: uri('com.tpp.app:/callback'),
      options: { profile: 'production' },
    },
    { name: 'a short scheme of an app', call: uri('myapp://cb') },
    { name: 'a fragment, which another rule judges', call: uri('https://tpp.example/cb#done') },
  ],
  violates: [
    {
      name: 'without scheme',
      call: uri('tpp.example/cb'),
      finds: [{ place: 'header TPP-Redirect-URI', actual: 'tpp.example/cb' }],
    },
    { name: 'a path', call: uri('/cb') },
    { name: 'a space', call: uri('com.tpp.app://call back') },
    { name: 'a script, which no app answers', call: uri('javascript:alert(1)') },
    { name: 'sent twice', call: uri('https://tpp.example/a, https://tpp.example/b') },
  ],
  notApplicable: [
    { name: 'absent', call: { operation: 'payments.create' } },
    { name: 'empty, which another rule judges', call: uri('') },
    { name: 'a read', call: { operation: 'consents.read', headers: { 'TPP-Redirect-URI': 'x' } } },
  ],
});
