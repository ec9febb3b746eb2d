import { refreshed, token } from '../../spec/index.js';
import { judgeJson } from '../checks/bank-answer.js';
import { formOnce } from '../checks/parameters.js';
import { bodySchema } from '../checks/schema-violations.js';
import { defineRule } from '../rule.js';

const BODY = bodySchema(token);
const REFRESHED_BODY = bodySchema(refreshed);
const RENEWABLE: ReadonlySet<string> = new Set(['refresh_token', 'client_credentials']);

export default defineRule({
  id: 'answers/token-response',
  statement: 'access_token, token_type Bearer, expires_in, refresh_token, scope are present with their types',
  clauses: [
    'token-response.access_token',
    'token-response.token_type',
    'token-response.expires_in',
    'token-response.refresh_token',
    'token-response.scope',
    'authentication.5',
  ],
  sources: ['RFC6749 6'],
  judges: 'aspsp',
  appliesTo: ['oauth.token'],
  needs: ['bank-success', 'answer-body'],
  why: 'Without one of them the TPP cannot use, renew or attribute the token.',
  fix: 'Answer with all five fields; expires_in is a whole number of seconds above 0.',
  examples: {
    complies:
      '{"access_token":"…","token_type":"Bearer","expires_in":3600,"refresh_token":"…","scope":"AIS:VALID_CONSENT_ID"}',
    violates: 'expires_in as the string "3600"; no refresh_token',
  },
  check: ({ call, answer }) => {
    // A client asks again with its own credentials, so it needs none to refresh (RFC 6749 4.4.3).
    const isWithout = RENEWABLE.has(formOnce(call, 'grant_type') ?? '');
    return judgeJson(answer.content, isWithout ? REFRESHED_BODY : BODY, 'answer body');
  },
});
