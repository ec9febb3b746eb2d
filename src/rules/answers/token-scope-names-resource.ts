import { sandboxCodeScope } from '../../spec/index.js';
import { answerMember } from '../checks/bank-answer.js';
import { formOnce } from '../checks/parameters.js';
import { codeFactOf, refreshTokenFactOf } from '../checks/token-flow.js';
import { type CallContext, defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'answers/token-scope-names-resource',
  statement:
    'The scope of a token is AIS:<consent id> or PIS:<payment id>, of the consent or payment that was authorised',
  clauses: ['token-response.scope'],
  judges: 'aspsp',
  appliesTo: ['oauth.token'],
  needs: ['bank-success', 'answer-json'],
  why: 'Only the scope tells the TPP which consent the token belongs to.',
  fix: 'Answer with the scope that was authorised, such as AIS:VALID_CONSENT_ID.',
  examples: { complies: '"scope":"AIS:VALID_CONSENT_ID"', violates: '"scope":"AIS"' },
  check: (context) => {
    const scope = answerMember(context.answer, 'scope');
    if (typeof scope !== 'string') return 'not-applicable';
    // PIIS:<consent id> is the form of the family for funds confirmation (oauth/scope-form).
    const { isScope, scopeForms } = context.options.dialect;
    if (!isScope(scope)) return violation('answer body scope', scopeForms, scope);
    const authorised = authorisedScope(context);
    if (authorised === undefined || authorised === scope) return true;
    return violation('answer body scope', `${authorised}, which the PSU authorised`, scope);
  },
});

/** The scope of the code or refresh token, if known; the sandbox's literal codes serve several resources. */
function authorisedScope(context: CallContext): string | undefined {
  const { call, ledger, fingerprint } = context;
  const code = formOnce(call, 'code');
  const refreshToken = formOnce(call, 'refresh_token');
  if (code !== undefined && sandboxCodeScope(code) === undefined)
    return codeFactOf(context, code)?.scope || undefined;
  if (code !== undefined || refreshToken === undefined) return undefined;
  return refreshTokenFactOf(ledger, refreshToken, fingerprint)?.scope || undefined;
}
