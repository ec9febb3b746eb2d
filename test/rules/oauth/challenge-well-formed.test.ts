import { createHash } from 'node:crypto';
import rule from '../../../src/rules/oauth/challenge-well-formed.js';
import { CHALLENGE, VERIFIER } from '../ledger-of.js';
import { authorizeAnd, authorizeWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

const s256 = (code_challenge: string | undefined) => authorizeWith({ code_challenge });
const plain = (code_challenge: string) => authorizeWith({ code_challenge, code_challenge_method: 'plain' });
const digest = createHash('sha256').update(VERIFIER).digest();

testRule(rule, {
  complies: {
    'the S256 challenge of RFC 7636 appendix B': { call: s256(CHALLENGE) },
    'a plain one of 43 characters': { call: plain(VERIFIER) },
    'a plain one of 128 characters': { call: plain('~'.repeat(128)) },
    'a plain one without method': {
      call: authorizeWith({ code_challenge: VERIFIER, code_challenge_method: undefined }),
    },
  },
  violates: {
    padding: {
      call: s256(`${CHALLENGE}=`),
      finds: [
        {
          place: 'query code_challenge',
          expected: '43 base64url characters (A-Z a-z 0-9 - _) without padding',
          actual: '44 characters: base64 with padding (=)',
        },
      ],
    },
    'standard base64': {
      call: s256(digest.toString('base64')),
      finds: [{ actual: '44 characters: base64 of the standard alphabet (+ and /), with padding' }],
    },
    'standard base64 without padding': {
      call: s256(CHALLENGE.replace('-', '+')),
      finds: [{ actual: '43 characters: base64 of the standard alphabet (+ and /)' }],
    },
    'a plus sign that was not percent-encoded, and so reads as a space': {
      call: {
        operation: 'oauth.authorize',
        query: `code_challenge_method=S256&code_challenge=${CHALLENGE.replace('-', '+')}`,
      },
      finds: [{ actual: '43 characters: base64 of the standard alphabet (+ and /)' }],
    },
    'the digest in hexadecimal': {
      call: s256(digest.toString('hex')),
      finds: [{ actual: '64 characters: the digest in hexadecimal' }],
    },
    'one character too few': { call: s256(CHALLENGE.slice(1)), finds: [{ actual: '42 characters' }] },
    'one too many': { call: s256(`${CHALLENGE}A`) },
    'a plain one that is too short': { call: plain('short'), finds: [{ actual: '5 characters' }] },
    'a plain one with forbidden characters': {
      call: plain('ä'.repeat(43)),
      finds: [{ actual: '43 characters, among them forbidden ones' }],
    },
  },
  notApplicable: {
    none: { call: s256(undefined) },
    two: { call: authorizeAnd('code_challenge=x') },
    'an unknown method, which another rule judges': {
      call: authorizeWith({ code_challenge: 'x', code_challenge_method: 'S512' }),
    },
  },
});
