import rule from '../../../src/rules/requests/redirect-uri-secure.js';
import { testRule } from '../rule-tester.js';

const uri = (value: string) => ({
  operation: 'consents.create' as const,
  headers: { 'TPP-Redirect-URI': value },
});

testRule(rule, {
  complies: {
    https: { call: uri('https://tpp.example/cb') },
    'a scheme in reverse-domain form': { call: uri('com.tpp.app://callback') },
    'the same with one slash': { call: uri('com.tpp.app:/callback') },
    'http on localhost': { call: uri('http://localhost:3000/cb') },
    'http on the loopback address': { call: uri('http://127.0.0.1:3000/cb') },
    'http on the loopback address of IPv6': { call: uri('http://[::1]:3000/cb') },
  },
  violates: {
    'http elsewhere': {
      call: uri('http://tpp.example/cb'),
      finds: [{ place: 'header TPP-Redirect-URI', actual: 'http://tpp.example/cb' }],
    },
    'a scheme without domain': { call: uri('myapp://callback') },
    'a host and port that read as scheme and path': { call: uri('localhost:3000/cb') },
    'a host that only begins with localhost': { call: uri('http://localhost.tpp.example/cb') },
  },
  notApplicable: {
    absent: { call: { operation: 'consents.create' } },
    'no address, which another rule judges': { call: uri('tpp.example/cb') },
  },
});
