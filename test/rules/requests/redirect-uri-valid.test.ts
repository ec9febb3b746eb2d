import rule from '../../../src/rules/requests/redirect-uri-valid.js';
import { testRule } from '../rule-tester.js';

const uri = (value: string) => ({
  operation: 'consents.create' as const,
  headers: { 'TPP-Redirect-URI': value },
});

testRule(rule, {
  complies: [
    { name: 'https', call: uri('https://tpp.example/cb?x=1') },
    { name: 'http in the sandbox', call: uri('http://localhost:3000/cb') },
    { name: 'https in production', call: uri('HTTPS://tpp.example/cb'), options: { profile: 'production' } },
  ],
  violates: [
    {
      name: 'without scheme',
      call: uri('tpp.example/cb'),
      finds: [{ place: 'header TPP-Redirect-URI', actual: 'tpp.example/cb' }],
    },
    { name: 'a fragment', call: uri('https://tpp.example/cb#done') },
    { name: 'a scheme of an app', call: uri('myapp://cb') },
    {
      name: 'http in production',
      call: uri('http://tpp.example/cb'),
      options: { profile: 'production' },
      finds: [{ expected: 'an absolute https URI without fragment' }],
    },
  ],
  notApplicable: [
    { name: 'absent', call: { operation: 'payments.create' } },
    { name: 'a read', call: { operation: 'consents.read', headers: { 'TPP-Redirect-URI': 'x' } } },
  ],
});
