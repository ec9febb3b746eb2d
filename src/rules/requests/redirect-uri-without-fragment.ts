import { isCreation, redirectUriOf } from '../checks/known-calls.js';
import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'requests/redirect-uri-without-fragment',
  statement: 'TPP-Redirect-URI has no fragment',
  sources: ['RFC6749 3.1.2'],
  severity: { sandbox: 'should', production: 'must' },
  appliesTo: isCreation,
  looksAt: 'head',
  refusal: { code: 'FORMAT_ERROR' },
  why: 'The code is appended to the query. Many banks refuse an address with a fragment behind it.',
  fix: 'Remove # and everything after it from the address. Put what you need into the query or the path.',
  examples: {
    complies: 'TPP-Redirect-URI: https://tpp.example/cb?from=bank',
    violates: 'TPP-Redirect-URI: https://tpp.example/cb#done',
  },
  check: ({ call }) => {
    const uri = redirectUriOf(call);
    if (uri === undefined) return 'not-applicable';
    return !uri.includes('#') || violation('header TPP-Redirect-URI', 'an address without fragment', uri);
  },
});
