import rule from '../../../src/rules/requests/accepts-json.js';
import { testRule } from '../rule-tester.js';

const accept = (value: string) => ({ headers: { Accept: value } });
const transactions = (value: string) => ({ ...accept(value), operation: 'accounts.transactions' as const });

testRule(rule, {
  complies: {
    JSON: { call: accept('application/json') },
    'with a parameter': { call: accept('application/json;charset=utf-8') },
    'in capitals': { call: accept('Application/JSON') },
    anything: { call: accept('*/*') },
    'any of its kind': { call: accept('application/*;q=0.3') },
    'a browser': { call: accept('text/html,application/xhtml+xml,*/*;q=0.8') },
    'problems before JSON': { call: accept('application/problem+json, application/json;q=0.9') },
    'other statements beside JSON': { call: transactions('application/xml, application/json') },
  },
  violates: {
    'another type': { call: accept('text/html'), finds: [{ place: 'header Accept', actual: 'text/html' }] },
    'XML where only JSON is answered': { call: accept('application/xml') },
    'JSON shut out': { call: accept('*/*, application/json;q=0') },
    'problems alone': { call: accept('application/problem+json') },
    'no statement either': { call: transactions('text/html') },
  },
  notApplicable: {
    absent: {},
    empty: { call: accept('') },
    "a page of the PSU's browser": { call: { operation: 'oauth.authorize', ...accept('text/html') } },
  },
  notObserved: {
    'a payment as pain.002, at a bank that takes pain.001': {
      bank: {
        services: {
          payments: { 'pain.001-sepa-credit-transfers': { like: 'SCT', media: ['application/xml'] } },
        },
      },
      call: { operation: 'payments.status', headers: { Accept: 'application/xml' } },
    },
    'transactions as camt, which this bank may offer': { call: transactions('application/xml') },
    'transactions as MT940, which this bank may offer': { call: transactions('text/plain') },
  },
});
