import rule from '../../../src/rules/answers/token-not-cached.js';
import { testRule } from '../rule-tester.js';

const call = { operation: 'oauth.token' } as const;

testRule(rule, {
  complies: {
    'no-store': { call, answer: { headers: { 'Cache-Control': 'no-store' } } },
    'among other directives': {
      call,
      answer: { headers: { 'cache-control': 'no-cache, No-Store, max-age=0' } },
    },
  },
  violates: {
    'no header': { call, answer: {}, finds: [{ place: 'answer header Cache-Control', actual: 'absent' }] },
    'another directive': { call, answer: { headers: { 'Cache-Control': 'private, max-age=60' } } },
    'a word that only ends so': { call, answer: { headers: { 'Cache-Control': 'x-no-store' } } },
  },
  notApplicable: {
    'an error holds no token': { call, answer: { status: 400 } },
    'another operation': { answer: {} },
    "the gateway's own answer": { call, answer: { source: 'rule', status: 200 } },
  },
});
