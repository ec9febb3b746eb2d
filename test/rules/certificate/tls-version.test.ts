import rule from '../../../src/rules/certificate/tls-version.js';
import { testRule } from '../rule-tester.js';

const over = (version: string, cipher: string) => ({
  connection: { address: '127.0.0.1', tls: { version, cipher, resumed: false } },
});

testRule(rule, {
  complies: [
    { name: 'TLS 1.3' },
    { name: 'TLS 1.2 with ECDHE', call: over('TLSv1.2', 'ECDHE-RSA-AES128-GCM-SHA256') },
    { name: 'TLS 1.2 with DHE', call: over('TLSv1.2', 'DHE-RSA-AES128-GCM-SHA256') },
  ],
  violates: [
    {
      name: 'TLS 1.2 without forward secrecy',
      call: over('TLSv1.2', 'AES128-GCM-SHA256'),
      finds: [{ place: 'connection', actual: 'TLSv1.2 with AES128-GCM-SHA256' }],
    },
    { name: 'TLS 1.1', call: over('TLSv1.1', 'ECDHE-RSA-AES128-SHA') },
  ],
  notApplicable: [
    { name: 'plain HTTP', call: { connection: { address: '127.0.0.1', tls: null } } },
    { name: 'the browser of the PSU', call: { operation: 'oauth.authorize' } },
  ],
  notObserved: [
    { name: 'a recording without TLS data', call: { connection: { address: '', tls: 'not-observed' } } },
  ],
});
