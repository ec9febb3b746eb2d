import { GRANT_FIELDS } from '../../spec/index.js';
import { formOf, formOnce, parameterFaults } from '../checks/parameters.js';
import { fieldsInUrl } from '../checks/token-flow.js';
import { defineRule, violation } from '../rule.js';

const NAME = ['grant_type'];

export default defineRule({
  id: 'oauth/grant-type',
  statement: 'grant_type is authorization_code or refresh_token',
  clauses: ['token.grant_type', 'authentication.5'],
  sources: ['RFC6749 5.2'],
  appliesTo: ['oauth.token'],
  refusal: { token: 'unsupported_grant_type' },
  why: 'The grant says what the request asks for, and which fields it needs.',
  fix: 'Send grant_type=authorization_code with a code, or grant_type=refresh_token with a refresh token; the built-in bank refuses client_credentials, though its discovery document lists it.',
  examples: { complies: 'grant_type=authorization_code', violates: 'grant_type=client_credentials' },
  check: ({ call, options }) => {
    const { kind } = call.content;
    if (kind === 'not-observed') return 'not-observed';
    // Another media type, or an unreadable body, is for the rules of requests/; a missing one is judged here.
    if (kind !== 'form' && kind !== 'none') return 'not-applicable';
    const grant = formOnce(call, 'grant_type');
    if (fieldsInUrl(call).includes('grant_type')) return 'not-applicable';
    if (grant === undefined)
      return parameterFaults(formOf(call), NAME, [], 'body').map((fault) => ({
        ...fault,
        refusal: { token: 'invalid_request' },
      }));
    if (Object.hasOwn(GRANT_FIELDS, grant)) return true;
    const further: readonly string[] = options.dialect.profile?.oauth?.grants ?? [];
    if (further.includes(grant)) return true;
    const known = [...Object.keys(GRANT_FIELDS), ...further].join(' or ');
    return violation('body grant_type', known, grant);
  },
});
