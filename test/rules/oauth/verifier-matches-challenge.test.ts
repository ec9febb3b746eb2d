import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import rule from '../../../src/rules/oauth/verifier-matches-challenge.js';
import { fingerprint, OTHER_TPP, TPP } from '../../builders.js';
import { aCode, anAuthorize, CHALLENGE, CONSENT, ledgerOf, VERIFIER } from '../ledger-of.js';
import { CODE, exchangeWith, refreshWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

const digest = createHash('sha256').update(VERIFIER).digest();
const OTHER_VERIFIER = 'M25iVXpKU3puUjFaYWg3T1NDTDQtcW1ROUY5YXlwalNoc0hhakxifmZHag';
const code = aCode(CODE);
const after = (...facts: Parameters<typeof anAuthorize>) => ledgerOf(code, anAuthorize(...facts));

testRule(rule, {
  complies: {
    'the pair of RFC 7636 appendix B': { call: exchangeWith({}), ledger: after() },
    'a plain challenge': { call: exchangeWith({}), ledger: after({ challenge: VERIFIER, method: 'plain' }) },
    'a plain challenge without method': {
      call: exchangeWith({}),
      ledger: after({ challenge: VERIFIER, method: '' }),
    },
    'any of several authorization requests': {
      call: exchangeWith({}),
      ledger: ledgerOf(code, anAuthorize(), anAuthorize({ challenge: 'x'.repeat(43), state: 'another' })),
    },
    'padding, which another rule has named': {
      call: exchangeWith({}),
      ledger: after({ challenge: `${CHALLENGE}=` }),
    },
    'standard base64, which another rule has named': {
      call: exchangeWith({}),
      ledger: after({ challenge: digest.toString('base64') }),
    },
    'standard base64 whose plus sign reads as a space': {
      call: exchangeWith({}),
      ledger: after({ challenge: digest.toString('base64').replaceAll('+', ' ') }),
    },
    'an S256 challenge under an unknown method, which another rule has named': {
      call: exchangeWith({}),
      ledger: after({ method: 'SHA256' }),
    },
    'a code that is not known, after an authorization request of this client': {
      call: exchangeWith({}),
      ledger: ledgerOf(anAuthorize()),
    },
    'a literal code, after authorize for the consent of the document': {
      call: exchangeWith({ code: 'AIS_VALID_CODE' }),
      ledger: ledgerOf(anAuthorize({ scope: 'AIS:VALID_CONSENT_ID' })),
    },
    'a literal code, after authorize for the explicit consent of the sandbox': {
      call: exchangeWith({ code: 'AIS_VALID_CODE' }),
      ledger: ledgerOf(
        aCode('AIS_VALID_CODE', { scope: 'AIS:CONSENT_ID_NO_AUTHORIZATION' }),
        anAuthorize({ scope: 'AIS:CONSENT_ID_NO_AUTHORIZATION' }),
      ),
    },
    'an authorization request whose owner is known by client_id only': {
      call: exchangeWith({}),
      ledger: after({ tpp: null }),
    },
    'an authorization request at an authorisation id that another TPP got since': {
      call: exchangeWith({}),
      ledger: after({ tpp: OTHER_TPP, clientId: TPP }),
    },
  },
  violates: {
    'another verifier': {
      call: exchangeWith({ code_verifier: OTHER_VERIFIER }),
      ledger: after(),
      finds: [
        {
          place: 'body code_verifier',
          expected: `the verifier of the challenge ${CHALLENGE} of the authorize call at 2026-06-15T09:59:00.000Z`,
          actual: `a verifier whose S256 hash is ${createHash('sha256').update(OTHER_VERIFIER).digest('base64url')}`,
        },
      ],
    },
    'another verifier for a plain challenge': {
      call: exchangeWith({ code_verifier: OTHER_VERIFIER }),
      ledger: after({ challenge: VERIFIER, method: 'plain' }),
    },
    'another verifier for a code that was exchanged before': {
      call: exchangeWith({ code_verifier: OTHER_VERIFIER }),
      ledger: ledgerOf(aCode(CODE, { usedAt: 1 }), anAuthorize()),
    },
    'another verifier for a literal code that authorize gave': {
      call: exchangeWith({ code: 'AIS_VALID_CODE', code_verifier: OTHER_VERIFIER }),
      ledger: ledgerOf(
        aCode('AIS_VALID_CODE', { scope: 'AIS:VALID_CONSENT_ID' }),
        anAuthorize({ scope: 'AIS:VALID_CONSENT_ID' }),
      ),
    },
    'the S256 hash of the verifier as challenge without method, which means plain': {
      call: exchangeWith({}),
      ledger: after({ method: '' }),
      finds: [
        {
          place: 'body code_verifier',
          expected:
            'the code_challenge itself: the authorize call sent no code_challenge_method, which means plain',
          actual: `a verifier whose S256 hash is the challenge, ${CHALLENGE}`,
        },
      ],
    },
    'the S256 hash of the verifier as challenge under method plain, with a code that is not known': {
      call: exchangeWith({}),
      ledger: ledgerOf(anAuthorize({ method: 'plain' })),
      finds: [{ expected: expect.stringContaining('sent code_challenge_method=plain') }],
    },
    'another verifier than that of an S256 hash without method': {
      call: exchangeWith({ code_verifier: OTHER_VERIFIER }),
      ledger: after({ method: '' }),
    },
    'the verifier sent as challenge under S256': {
      call: exchangeWith({}),
      ledger: after({ challenge: VERIFIER }),
    },
  },
  notApplicable: {
    'a verifier without the form, which another rule judges': {
      call: exchangeWith({ code_verifier: '0f8fad5b-d9cb-469f-a165-70867728950e' }),
      ledger: after(),
    },
    'a challenge in hexadecimal, which another rule has named': {
      call: exchangeWith({}),
      ledger: after({ challenge: digest.toString('hex') }),
    },
    'no verifier': { call: exchangeWith({ code_verifier: undefined }), ledger: after() },
    'a refresh': { call: refreshWith({}), ledger: after() },
  },
  notObserved: {
    'a code that went past, so that the authorization request that led to it may have done so too': {
      call: exchangeWith({ code_verifier: OTHER_VERIFIER }),
      ledger: ledgerOf(anAuthorize()),
    },
    'a code that is known from an earlier exchange only': {
      call: exchangeWith({ code_verifier: OTHER_VERIFIER }),
      ledger: ledgerOf(aCode(CODE, { issuedAt: null, usedAt: 1 }), anAuthorize()),
    },
    'a literal code that was exchanged since authorize gave it': {
      call: exchangeWith({ code: 'AIS_VALID_CODE', code_verifier: OTHER_VERIFIER }),
      ledger: ledgerOf(
        aCode('AIS_VALID_CODE', { scope: 'AIS:VALID_CONSENT_ID', usedAt: 1 }),
        anAuthorize({ scope: 'AIS:VALID_CONSENT_ID' }),
      ),
    },
    'no authorization request was seen': { call: exchangeWith({}), ledger: ledgerOf(code) },
    'only one for another consent': {
      call: exchangeWith({}),
      ledger: ledgerOf(code, anAuthorize({ scope: `AIS:${CONSENT}-2` })),
    },
    'only one of another TPP': {
      call: exchangeWith({ code_verifier: OTHER_VERIFIER }),
      ledger: after({ tpp: OTHER_TPP, clientId: OTHER_TPP }),
    },
    'a stored recording': { call: exchangeWith({ code_verifier: fingerprint(VERIFIER) }), ledger: after() },
  },
});
