import rule from '../../../src/rules/signature/headers-covered.js';
import { testRule } from '../rule-tester.js';
import { ASKED, aSignedCall, NOT_ASKED, OPTIONAL, type SignedParts } from './a-signed-call.js';

const asked = (parts: SignedParts = {}) => ({ sent: aSignedCall(parts), options: ASKED });

testRule(rule, {
  complies: {
    'a right call': asked({}),
    'what is not sent': asked({
      headers: { 'PSU-ID': undefined, Date: undefined },
      covered: ['digest', 'x-request-id', 'tpp-redirect-uri'],
    }),
    'more than is asked for': asked({
      covered: [
        '(request-target)',
        'digest',
        'x-request-id',
        'psu-id',
        'date',
        'tpp-redirect-uri',
        'content-type',
      ],
    }),
    'in capitals': asked({ covered: ['Digest', 'X-Request-ID', 'PSU-ID', 'Date', 'TPP-Redirect-URI'] }),
  },
  violates: {
    'the PSU is not covered': {
      ...asked({ covered: ['digest', 'x-request-id', 'date', 'tpp-redirect-uri'] }),
      finds: [{ expected: 'a signature of psu-id, too' }],
    },
    'a header that is not there': {
      ...asked({
        covered: ['digest', 'x-request-id', 'psu-id', 'date', 'tpp-redirect-uri', 'psu-corporate-id'],
      }),
      finds: [{ actual: 'a signature of psu-corporate-id, which was not sent' }],
    },
    'the date alone, as without a list': {
      ...asked({ signature: 'keyId="a",algorithm="rsa-sha256",signature="AAAA"' }),
      finds: [{}, {}, {}, {}],
    },
  },
  notApplicable: {
    'a bank that asks for none': {
      sent: aSignedCall({ covered: ['digest', 'x-request-id', 'date', 'tpp-redirect-uri'] }),
      options: NOT_ASKED,
    },
    'a call that is not signed': { sent: aSignedCall({ signature: null }), options: OPTIONAL },
  },
  notObserved: {
    'a recording in which something was taken out': {
      sent: aSignedCall({}).with({ seal: 'not-observed' }),
      options: ASKED,
    },
  },
});
