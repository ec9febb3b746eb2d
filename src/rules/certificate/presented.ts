import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'certificate/presented',
  statement: 'The TPP presents a client certificate',
  clauses: ['authentication.1', 'service.rule.3', 'errors.2'],
  sources: ['BG'],
  scope: 'connection',
  appliesTo: 'all-with-certificate',
  refusal: { code: 'CERTIFICATE_MISSING' },
  why: 'Without a certificate, the bank cannot tell who calls, and checks nothing else.',
  fix: 'Connect with your QWAC and its key as the TLS client certificate, issuer certificates included.',
  examples: { complies: 'curl --cert tpp.pem --key tpp.key …', violates: 'curl …, without --cert' },
  check: ({ call }) => {
    if (call.certificate === 'not-observed') return 'not-observed';
    return (
      call.certificate !== 'absent' ||
      violation('certificate', 'a client certificate (QWAC) in the TLS handshake', 'none')
    );
  },
});
