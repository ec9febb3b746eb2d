import rule from '../../../src/rules/oauth/challenge-method.js';
import { authorizeAnd, authorizeWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

const method = (code_challenge_method: string | undefined) => authorizeWith({ code_challenge_method });
const production = { profile: 'production' } as const;

testRule(rule, {
  complies: {
    S256: { call: method('S256') },
    'plain in production': { call: method('plain'), options: production },
    absent: { call: method(undefined) },
    'absent in production': { call: method(undefined), options: production },
  },
  violates: {
    'plain in the sandbox': {
      call: method('plain'),
      finds: [{ place: 'query code_challenge_method', expected: 'S256, or no parameter', actual: 'plain' }],
    },
    'a small letter': { call: method('s256'), options: production, finds: [{ expected: 'S256 (or plain)' }] },
    'another hash': { call: method('S512') },
  },
  notApplicable: {
    'two, which another rule judges': { call: authorizeAnd('code_challenge_method=S256') },
  },
});
