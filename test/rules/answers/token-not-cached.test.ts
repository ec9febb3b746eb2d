import rule from '../../../src/rules/answers/token-not-cached.js';
import { testRule } from '../rule-tester.js';

const call = { operation: 'oauth.token' } as const;

testRule(rule, {
  complies: [
    { name: 'no-store', call, answer: { headers: { 'Cache-Control': 'no-store' } } },
    {
      name: 'among other directives',
      call,
      answer: { headers: { 'cache-control': 'no-cache, No-Store, max-age=0' } },
    },
  ],
  violates: [
    {
      name: 'no header',
      call,
      answer: {},
      finds: [{ place: 'answer header Cache-Control', actual: 'absent' }],
    },
    { name: 'another directive', call, answer: { headers: { 'Cache-Control': 'private, max-age=60' } } },
    { name: 'a word that only ends so', call, answer: { headers: { 'Cache-Control': 'x-no-store' } } },
  ],
  notApplicable: [
    { name: 'an error holds no token', call, answer: { status: 400 } },
    { name: 'another operation', answer: {} },
    { name: "the gateway's own answer", call, answer: { source: 'rule', status: 200 } },
  ],
});
