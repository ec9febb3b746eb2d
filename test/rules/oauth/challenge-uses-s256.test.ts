import rule from '../../../src/rules/oauth/challenge-uses-s256.js';
import { authorizeWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

const method = (code_challenge_method: string | undefined) => authorizeWith({ code_challenge_method });
const production = { profile: 'production' } as const;

testRule(rule, {
  complies: {
    S256: { call: method('S256') },
    'S256 in production': { call: method('S256'), options: production },
  },
  violates: {
    plain: {
      call: method('plain'),
      options: production,
      finds: [{ place: 'query code_challenge_method', expected: 'S256', actual: 'plain' }],
    },
    'absent in the sandbox': { call: method(undefined), finds: [{ expected: 'S256' }] },
    absent: {
      call: method(undefined),
      options: production,
      finds: [
        {
          actual:
            'absent, which means plain: if the challenge is a hash, POST /token fails with invalid_grant',
        },
      ],
    },
    'absent, with a verifier as challenge': {
      call: authorizeWith({ code_challenge_method: undefined, code_challenge: 'x'.repeat(60) }),
      finds: [{ actual: 'absent, which means plain' }],
    },
  },
  notApplicable: {
    'plain in the sandbox, where another rule forbids it': { call: method('plain') },
    'an unknown method, which another rule judges': { call: method('S512'), options: production },
  },
});
