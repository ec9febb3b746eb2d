import { isReturnAddress } from '../../spec/index.js';
import { isCreation } from '../checks/known-calls.js';
import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'requests/redirect-uri-valid',
  statement:
    "TPP-Redirect-URI is an absolute URI of any scheme: https, http, or an app's own such as com.tpp.app://callback",
  clauses: ['authorize.redirect_uri'],
  sources: ['RFC3986 4.3'],
  appliesTo: isCreation,
  looksAt: 'head',
  refusal: { code: 'FORMAT_ERROR' },
  why: "The bank cannot send the PSU's browser there.",
  fix: 'Send an absolute address with its scheme: https, or that of your app.',
  examples: {
    complies: 'TPP-Redirect-URI: https://tpp.example/cb',
    violates: 'TPP-Redirect-URI: tpp.example/cb',
  },
  check: ({ call }) => {
    const uri = call.header['tpp-redirect-uri'];
    if (uri === undefined || uri === '') return 'not-applicable';
    return (
      isReturnAddress(uri) ||
      violation('header TPP-Redirect-URI', 'an absolute URI, of the web or of an app', uri)
    );
  },
});
