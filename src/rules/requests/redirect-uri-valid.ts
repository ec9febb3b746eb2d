/** The return address of the PSU is a web address. */
import { isAbsoluteHttpUri } from '../../spec/index.js';
import { CREATIONS } from '../checks/known-calls.js';
import { defineRule } from '../rule.js';

export default defineRule({
  id: 'requests/redirect-uri-valid',
  statement: 'TPP-Redirect-URI is an absolute http or https URI without fragment (https in production)',
  clauses: ['authorize.redirect_uri', 'authentication.3'],
  sources: ['RFC6749 3.1.2'],
  judges: 'tpp',
  severity: { sandbox: 'must', production: 'must' },
  scope: 'call',
  appliesTo: CREATIONS,
  needs: [],
  refusal: { code: 'FORMAT_ERROR' },
  why: 'The browser of the PSU cannot be sent there.',
  fix: 'Send an absolute https address without fragment.',
  examples: {
    complies: 'TPP-Redirect-URI: https://tpp.example/cb',
    violates: 'TPP-Redirect-URI: tpp.example/cb#done',
  },
  check: ({ call, options }) => {
    const uri = call.header['tpp-redirect-uri'];
    if (uri === undefined || uri === '') return 'not-applicable';
    const secure = options.profile === 'sandbox' || uri.slice(0, 8).toLowerCase() === 'https://';
    if (secure && !uri.includes('#') && isAbsoluteHttpUri(uri)) return true;
    return {
      place: 'header TPP-Redirect-URI',
      expected: `an absolute ${options.profile === 'sandbox' ? 'http or https' : 'https'} URI without fragment`,
      actual: uri,
    };
  },
});
