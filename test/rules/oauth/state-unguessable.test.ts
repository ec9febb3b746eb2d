import rule from '../../../src/rules/oauth/state-unguessable.js';
import { authorizeWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

const state = (value: string | undefined) => authorizeWith({ state: value });

testRule(rule, {
  complies: [
    { name: '32 hexadecimal digits', call: state('4f0e1c63b7a94d0c8f2b5a7d9e3c1f60') },
    { name: 'a UUID', call: state('0b6e1c52-6a39-4f0e-9d1c-7f3a52c4e801') },
    { name: '22 base64url characters', call: state('x1Jd_9QmZ-0aYtB3kLw7Vg') },
    { name: '39 digits', call: state('271828182845904523536028747135266249775') },
    { name: 'a signed state', call: state('eyJhbGciOiJIUzI1NiJ9.eyJzIjoiYWJjIn0.c2lnbmF0dXJl') },
  ],
  violates: [
    {
      name: 'a word that never changes',
      call: state('test'),
      finds: [{ place: 'query state', actual: 'a constant: "test"' }],
    },
    {
      name: 'a counter',
      call: state('1718442000123'),
      finds: [{ actual: '13 characters, 43 bits at most' }],
    },
    { name: 'one hexadecimal digit too few', call: state('4f0e1c63b7a94d0c8f2b5a7d9e3c1f6') },
    { name: 'one base64url character too few', call: state('x1Jd_9QmZ-0aYtB3kLw7V') },
    { name: 'a long text of few characters', call: state('xoxoxoxoxoxoxoxoxoxoxoxoxoxoxoxoxoxo') },
  ],
  notApplicable: [{ name: 'none, which another rule judges', call: state(undefined) }],
});
