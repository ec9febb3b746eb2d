import { ownerOf } from '../../ledger/index.js';
import { consentScope } from '../../spec/index.js';
import { consentIdOf, isUnknownConsent } from '../checks/account-calls.js';
import { mistakenConsentId } from '../checks/mistaken-ids.js';
import { defineRule } from '../rule.js';

export default defineRule({
  id: 'accounts/token-belongs-to-consent',
  statement: "The token's scope is AIS:<the Consent-Id sent>",
  clauses: ['authentication.6', 'accounts.headers', 'token-response.scope'],
  appliesTo: ({ group }) => group === 'accounts',
  isAsked: ({ dialect }) => dialect.hasConsents && dialect.scopesNameResources('AIS'),
  refusal: { code: 'TOKEN_INVALID' },
  why: 'The token of one consent gives no access under another.',
  fix: 'Keep each token with its consent, and send the two together.',
  examples: {
    complies: 'Consent-Id C with a token of scope AIS:C',
    violates: 'Consent-Id C with a token of scope AIS:D',
  },
  check: (context) => {
    const { call, token, options } = context;
    const consentId = consentIdOf(call);
    if (token === undefined || consentId === undefined) return 'not-applicable';
    const scope = consentScope(consentId);
    const { parseScope, isScope } = options.dialect;
    const named = parseScope(token.scope);
    if (named?.service === 'AIS' && named.id === consentId) return true;
    // Neither the bank nor the code told what the token is for, or its scopes need not tell it.
    if (token.scope === '' || (named === undefined && isScope(token.scope))) return 'not-observed';
    // A consent that this TPP never created is one fault, and another rule's.
    if (isUnknownConsent(consentId, context) || mistakenConsentId(context) !== undefined)
      return 'not-applicable';
    return {
      place: 'header Authorization',
      expected: `a token with scope ${scope}`,
      actual: `a token with scope ${token.scope}`,
      ...(token.tpp === ownerOf(call) ? {} : { publicActual: 'a token of another organisation' }),
    };
  },
});
