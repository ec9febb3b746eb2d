import rule from '../../../src/rules/oauth/challenge-method.js';
import { authorizeAnd, authorizeWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

const method = (code_challenge_method: string | undefined) => authorizeWith({ code_challenge_method });
const production = { profile: 'production' } as const;

testRule(rule, {
  complies: [
    { name: 'S256', call: method('S256') },
    { name: 'plain in production', call: method('plain'), options: production },
    { name: 'absent', call: method(undefined) },
    { name: 'absent in production', call: method(undefined), options: production },
  ],
  violates: [
    {
      name: 'plain in the sandbox',
      call: method('plain'),
      finds: [{ place: 'query code_challenge_method', expected: 'S256, or no parameter', actual: 'plain' }],
    },
    {
      name: 'a small letter',
      call: method('s256'),
      options: production,
      finds: [{ expected: 'S256 (or plain)' }],
    },
    { name: 'another hash', call: method('S512') },
  ],
  notApplicable: [
    { name: 'two, which another rule judges', call: authorizeAnd('code_challenge_method=S256') },
  ],
});
