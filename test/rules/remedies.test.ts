/** What to do about one finding, where more can be said than for every finding of its rule. */
import { expect, it } from 'vitest';
import { remedyOf, ruleOf } from '../../src/rules/index.js';

it.each([
  [
    'requests/content-type',
    'application/x-www-form-urlencoded',
    'Send the body in the form that this operation takes, with its Content-Type: application/x-www-form-urlencoded.',
  ],
  [
    'requests/content-type',
    'application/json',
    'Send the body in the form that this operation takes, with its Content-Type: application/json.',
  ],
  [
    'requests/known-path',
    '/stdgroup/v1/accounts (the nearest)',
    "Call /stdgroup/v1/accounts, or take the path from a link in the bank's answers.",
  ],
  [
    'requests/known-path',
    'a path of the psu listener: this one is on the api listener',
    ruleOf('requests/known-path')?.fix,
  ],
  [
    'oauth/token-client-id',
    'no client secret: the certificate of the connection tells who calls',
    'Send no client secret.',
  ],
  ['oauth/token-client-id', 'PSDBE-NBB-1', ruleOf('oauth/token-client-id')?.fix],
])('of %s that expects %s: %s', (id, expected, fix) => {
  const rule = ruleOf(id);
  expect(rule === undefined ? null : remedyOf(rule, expected).fix).toBe(fix);
});
