import { isSecureReturnAddress } from '../../spec/index.js';
import { isCreation, redirectUriOf } from '../checks/known-calls.js';
import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'requests/redirect-uri-secure',
  statement: "TPP-Redirect-URI is https, an app's own scheme in reverse-domain form, or http on loopback",
  sources: ['RFC8252 7', 'RFC9700 2.6'],
  severity: { sandbox: 'note', production: 'should' },
  appliesTo: isCreation,
  looksAt: 'head',
  why: 'Over plain http the code can be read on its way, and a scheme without a domain in it can be claimed by another app.',
  fix: 'Send an https address, or a scheme that begins with your domain written backwards.',
  examples: {
    complies: 'TPP-Redirect-URI: com.tpp.app:/callback, or http://127.0.0.1:3000/cb',
    violates: 'TPP-Redirect-URI: http://tpp.example/cb, or myapp://callback',
  },
  check: ({ call }) => {
    const uri = redirectUriOf(call);
    if (uri === undefined) return 'not-applicable';
    return (
      isSecureReturnAddress(uri) ||
      violation(
        'header TPP-Redirect-URI',
        "https, an app's scheme such as com.tpp.app:, or http on loopback",
        uri,
      )
    );
  },
});
