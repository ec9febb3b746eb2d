import rule from '../../../src/rules/requests/content-type.js';
import { testRule } from '../rule-tester.js';

const json = (type: string) => ({
  operation: 'consents.create' as const,
  body: '{}',
  headers: { 'Content-Type': type },
});
const token = (type: string) => ({
  operation: 'oauth.token' as const,
  form: { a: 'b' },
  headers: { 'Content-Type': type },
});

testRule(rule, {
  complies: {
    JSON: { call: { operation: 'consents.create', body: {} } },
    'JSON with a charset': { call: json('application/json; charset=UTF-8') },
    'a JSON of its own kind': { call: json('application/vnd.bank+json') },
    'a form for the token': { call: { operation: 'oauth.token', form: { a: 'b' } } },
    'a form with a charset': { call: token('application/x-www-form-urlencoded;charset=utf-8') },
  },
  violates: {
    text: {
      call: json('text/plain'),
      finds: [{ place: 'header Content-Type', expected: 'application/json', actual: 'text/plain' }],
    },
    none: {
      call: { operation: 'consents.create', body: '{}', headers: { 'Content-Type': undefined } },
      finds: [{ actual: 'absent' }],
    },
    'JSON for the token': {
      call: token('application/json'),
      finds: [{ expected: 'application/x-www-form-urlencoded' }],
    },
  },
  notApplicable: {
    'no body': { call: { operation: 'consents.create' } },
    'an operation without body': {
      call: { operation: 'consents.read', body: 'x', headers: { 'Content-Type': 'text/plain' } },
    },
  },
});
