import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'certificate/tls-version',
  statement: 'TLS 1.2 or newer, with forward secrecy',
  sources: ['BG'],
  severity: { sandbox: 'should', production: 'must' },
  scope: 'connection',
  appliesTo: 'all-with-certificate',
  needs: ['tls'],
  refusal: { code: 'CERTIFICATE_INVALID' },
  why: 'Older versions, and ciphers without forward secrecy, let recorded traffic be read later.',
  fix: 'Let your TLS client speak TLS 1.2 or 1.3 and offer ECDHE ciphers.',
  examples: { complies: 'TLSv1.3', violates: 'TLSv1.2 with AES128-SHA' },
  check: ({ call }) => {
    const { tls } = call.connection;
    if (tls === null || tls === 'not-observed') return 'not-applicable';
    if (tls.version === 'TLSv1.3') return true;
    // Ephemeral Diffie-Hellman, over a curve or not, has this in its name; ciphers of TLS 1.3 always are.
    if (tls.version === 'TLSv1.2' && tls.cipher.includes('DHE')) return true;
    return violation(
      'connection',
      'TLS 1.2 or newer, with forward secrecy',
      `${tls.version} with ${tls.cipher}`,
    );
  },
});
