import rule from '../../../src/rules/requests/accepts-json.js';
import { testRule } from '../rule-tester.js';

const accept = (value: string) => ({ headers: { Accept: value } });
const transactions = (value: string) => ({ ...accept(value), operation: 'accounts.transactions' as const });

testRule(rule, {
  complies: [
    { name: 'JSON', call: accept('application/json') },
    { name: 'with a parameter', call: accept('application/json;charset=utf-8') },
    { name: 'in capitals', call: accept('Application/JSON') },
    { name: 'anything', call: accept('*/*') },
    { name: 'any of its kind', call: accept('application/*;q=0.3') },
    { name: 'a browser', call: accept('text/html,application/xhtml+xml,*/*;q=0.8') },
    { name: 'problems before JSON', call: accept('application/problem+json, application/json;q=0.9') },
    { name: 'other statements beside JSON', call: transactions('application/xml, application/json') },
  ],
  violates: [
    {
      name: 'another type',
      call: accept('text/html'),
      finds: [{ place: 'header Accept', actual: 'text/html' }],
    },
    { name: 'XML where only JSON is answered', call: accept('application/xml') },
    { name: 'JSON shut out', call: accept('*/*, application/json;q=0') },
    { name: 'problems alone', call: accept('application/problem+json') },
    { name: 'no statement either', call: transactions('text/html') },
  ],
  notApplicable: [
    { name: 'absent' },
    { name: 'empty', call: accept('') },
    { name: "a page of the PSU's browser", call: { operation: 'oauth.authorize', ...accept('text/html') } },
  ],
  notObserved: [
    { name: 'transactions as camt, which this bank may offer', call: transactions('application/xml') },
    { name: 'transactions as MT940, which this bank may offer', call: transactions('text/plain') },
  ],
});
