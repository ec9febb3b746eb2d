import rule from '../../../src/rules/certificate/not-revoked.js';
import { aCertificate } from '../../builders.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: {
    'not on the list': { call: { certificate: aCertificate() } },
    'good by its responder': {
      call: {
        certificate: aCertificate({ revocation: { status: 'good', ocsp: 'good', ocspNotes: ['no-nonce'] } }),
      },
    },
  },
  violates: {
    'on the list': {
      call: {
        certificate: aCertificate({ revocation: { status: 'revoked', since: '2026-05-01T00:00:00Z' } }),
      },
      finds: [{ actual: 'revoked since 2026-05-01T00:00:00Z' }],
    },
    'by its OCSP responder': {
      call: {
        certificate: aCertificate({
          revocation: { status: 'revoked', ocsp: 'revoked', since: '2026-05-01T00:00:00Z' },
        }),
      },
      finds: [
        {
          actual: 'revoked since 2026-05-01T00:00:00Z: its OCSP responder says that it is revoked',
        },
      ],
    },
    'by no responder that answers': {
      call: { certificate: aCertificate({ revocation: { status: 'not-checked', ocsp: 'unreachable' } }) },
      finds: [{ atMost: 'note', actual: 'not vouched for: its OCSP responder does not answer' }],
    },
    'on the list without a date': {
      call: { certificate: aCertificate({ revocation: { status: 'revoked' } }) },
    },
  },
  notApplicable: {
    'no certificate is presented': { call: { certificate: 'absent' } },
    'the browser of the PSU has none': { call: { operation: 'oauth.authorize' } },
  },
  notObserved: {
    'a recording without certificates': { call: { certificate: 'not-observed' } },
    'its responder has not answered yet': {
      call: { certificate: aCertificate({ revocation: { status: 'not-checked', ocsp: 'asking' } }) },
    },
    'no list is configured': {
      call: { certificate: aCertificate({ revocation: { status: 'not-checked' } }) },
    },
  },
});
