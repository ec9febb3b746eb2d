import rule from '../../../src/rules/certificate/tls-version.js';
import { testRule } from '../rule-tester.js';

const over = (version: string, cipher: string) => ({
  connection: { address: '127.0.0.1', tls: { version, cipher, resumed: false } },
});

testRule(rule, {
  complies: {
    'TLS 1.3': {},
    'TLS 1.2 with ECDHE': { call: over('TLSv1.2', 'ECDHE-RSA-AES128-GCM-SHA256') },
    'TLS 1.2 with DHE': { call: over('TLSv1.2', 'DHE-RSA-AES128-GCM-SHA256') },
  },
  violates: {
    'TLS 1.2 without forward secrecy': {
      call: over('TLSv1.2', 'AES128-GCM-SHA256'),
      finds: [{ place: 'connection', actual: 'TLSv1.2 with AES128-GCM-SHA256' }],
    },
    'TLS 1.1': { call: over('TLSv1.1', 'ECDHE-RSA-AES128-SHA') },
  },
  notApplicable: {
    'plain HTTP': { call: { connection: { address: '127.0.0.1', tls: null } } },
    'the browser of the PSU': { call: { operation: 'oauth.authorize' } },
  },
  notObserved: {
    'a recording without TLS data': { call: { connection: { address: '', tls: 'not-observed' } } },
  },
});
