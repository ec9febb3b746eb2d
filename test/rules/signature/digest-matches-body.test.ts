import { gzipSync } from 'node:zlib';
import rule from '../../../src/rules/signature/digest-matches-body.js';
import { testRule } from '../rule-tester.js';
import { ASKED, aSignedCall, BODY, digestOf, NOT_ASKED, type SignedParts, sha } from './a-signed-call.js';

const asked = (parts: SignedParts = {}) => ({ sent: aSignedCall(parts), options: ASKED });

const GZIP = gzipSync(BODY);
const HASHES = { sha256: sha('sha256', GZIP).toString('hex'), sha512: sha('sha512', GZIP).toString('hex') };

/** A body that came compressed; null: its hashes were not kept. */
function coded(hashes: typeof HASHES | null, digest: string) {
  const call = aSignedCall({ digest, headers: { 'Content-Encoding': 'gzip' } });
  const { target, headers } = call.request;
  const body = { text: BODY, size: GZIP.length, ...(hashes === null ? {} : { coded: hashes }) };
  return call.sending(call.request.with(target, headers, body));
}

const whole = aSignedCall();
const cutOff = whole.sending(
  whole.request.with(whole.request.target, whole.request.headers, { text: '', size: 9, truncated: true }),
);

testRule(rule, {
  complies: {
    'a right call': asked({}),
    'of an empty body': asked({ operation: 'consents.read', body: null }),
    'of the bytes of a compressed body': { sent: coded(HASHES, digestOf(GZIP)), options: ASKED },
    'in SHA-512': asked({ digest: `SHA-512=${sha('sha512', BODY).toString('base64')}` }),
  },
  violates: {
    'that of a body with a newline': {
      ...asked({ digest: digestOf(`${BODY}\n`) }),
      finds: [{ place: 'header Digest' }],
    },
    'taken before the body was compressed': {
      sent: coded(HASHES, digestOf(BODY)),
      options: ASKED,
      finds: [{ actual: 'another digest: the digest was taken before the body was compressed' }],
    },
    'the same in a recording without hashes': {
      sent: coded(null, digestOf(BODY)),
      options: ASKED,
      finds: [{ actual: 'another digest: the digest was taken before the body was compressed' }],
    },
    'one of two': asked({ digest: `${digestOf(BODY)}, SHA-512=${sha('sha512', '').toString('base64')}` }),
  },
  notApplicable: {
    'a bank that asks for none': { sent: aSignedCall({ digest: digestOf(`${BODY}\n`) }), options: NOT_ASKED },
    'no digest': { sent: aSignedCall({ digest: null }), options: ASKED },
    'one in hexadecimal': { sent: aSignedCall({ digest: `SHA-256=${'0'.repeat(64)}` }), options: ASKED },
  },
  notObserved: {
    'a recording in which something was taken out': {
      sent: aSignedCall({}).with({ seal: 'not-observed' }),
      options: ASKED,
    },
    'a body in gzip, of a recording that holds it decoded': {
      sent: coded(null, digestOf(GZIP)),
      options: ASKED,
    },
    'a body that was not read whole': { sent: cutOff, options: ASKED },
  },
});
