import rule from '../../../src/rules/requests/members-once.js';
import { testRule } from '../rule-tester.js';

const body = (text: string) => ({ operation: 'consents.create' as const, body: text });

testRule(rule, {
  complies: {
    'each member once': { call: body('{"a":1,"b":{"a":1},"c":[{"a":1},{"a":1}]}') },
    'a value that looks like a name': { call: body('{"a":"b","b":"a","c":["a","a"]}') },
    'texts with quotes, braces and colons': { call: body('{"a":"\\":{\\"a\\":","b":"}{"}') },
    'names that differ by case': { call: body('{"a":1,"A":2}') },
  },
  violates: {
    'a number twice': {
      call: body('{"frequencyPerDay":4,"x":{},"frequencyPerDay":99}'),
      finds: [{ place: 'body frequencyPerDay', expected: 'the member once' }],
    },
    'further in': { call: body('{"a":[{"b" : 1 , "b"\n:2}]}') },
    'once with an escape': { call: body('{"ab":1,"\\u0061b":2}') },
    'the same value': { call: body('{"a":1,"a":1}') },
  },
  notApplicable: {
    'no body': { call: { operation: 'consents.create' } },
    'a form': { call: { operation: 'oauth.token', form: { a: '1' } } },
    'what does not parse': { call: body('{"a":1,"a"') },
  },
});
