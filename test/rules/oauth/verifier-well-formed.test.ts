import rule from '../../../src/rules/oauth/verifier-well-formed.js';
import { fingerprint } from '../../builders.js';
import { VERIFIER } from '../ledger-of.js';
import { exchangeWith, refreshWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

const verifier = (code_verifier: string | undefined) => exchangeWith({ code_verifier });

testRule(rule, {
  complies: {
    'the verifier of RFC 7636 appendix B': { call: verifier(VERIFIER) },
    '128 characters': { call: verifier('a-._~'.repeat(25).concat('abc')) },
  },
  violates: {
    'a GUID': {
      call: verifier('0f8fad5b-d9cb-469f-a165-70867728950e'),
      finds: [
        {
          place: 'body code_verifier',
          expected: '43 to 128 characters of A-Z a-z 0-9 - . _ ~',
          actual: '36 characters: a GUID',
        },
      ],
    },
    '42 characters': { call: verifier(VERIFIER.slice(1)), finds: [{ actual: '42 characters' }] },
    '129 characters': { call: verifier('a'.repeat(129)) },
    'standard base64': {
      call: verifier(`${VERIFIER}+/=`),
      finds: [{ actual: '46 characters, among them forbidden ones' }],
    },
  },
  notApplicable: {
    'none, which another rule judges': { call: verifier(undefined) },
    'a refresh': { call: refreshWith({ code_verifier: 'x' }) },
  },
  notObserved: { 'a stored recording': { call: verifier(fingerprint(VERIFIER)) } },
});
