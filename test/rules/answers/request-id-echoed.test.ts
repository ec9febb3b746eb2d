import rule from '../../../src/rules/answers/request-id-echoed.js';
import { REQUEST_ID } from '../../builders.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: {
    'the id comes back': { answer: { headers: { 'X-Request-ID': REQUEST_ID } } },
    'in another letter case': { answer: { headers: { 'x-request-id': REQUEST_ID.toUpperCase() } } },
    'on an error too': {
      answer: { status: 403, headers: { 'X-Request-ID': REQUEST_ID }, source: 'upstream' },
    },
  },
  violates: {
    'the answer has none': {
      finds: [{ place: 'answer header X-Request-ID', expected: REQUEST_ID, actual: 'absent' }],
    },
    'the answer has one of its own': {
      answer: { headers: { 'X-Request-ID': '00000000-0000-4000-8000-000000000000' }, source: 'replay' },
      finds: [{ actual: '00000000-0000-4000-8000-000000000000' }],
    },
  },
  notApplicable: {
    'the call had an empty one': { call: { headers: { 'X-Request-ID': '' } } },
    'the call had none': { call: { headers: { 'X-Request-ID': undefined } } },
    'the token endpoint knows no request id': { call: { operation: 'oauth.token', form: {} } },
    'the gateway refused the call': { answer: { status: 400, source: 'rule' } },
    'the gateway failed on the way': { answer: { status: 502, source: 'gateway' } },
  },
});
