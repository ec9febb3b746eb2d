import { GRANT_FIELDS, type GrantType, isNothing } from '../../spec/index.js';
import { formOf, onceOf, parameterFaults, withoutThese } from '../checks/parameters.js';
import { fieldsInUrl } from '../checks/token-flow.js';
import { defineRule, violation } from '../rule.js';

const KNOWN = ['client_id', 'code', 'code_verifier', 'refresh_token', 'redirect_uri', 'scope'];
/** Other rules find the form of the other fields. */
const CREDENTIALS = ['code', 'refresh_token'] as const;
/** For each grant, the fields that need not be there; no field may come twice (RFC 6749 3.2). */
const OTHERS = {
  authorization_code: KNOWN.filter(
    (name) => !GRANT_FIELDS.authorization_code.some((field) => field === name),
  ),
  refresh_token: KNOWN.filter((name) => !GRANT_FIELDS.refresh_token.some((field) => field === name)),
} as const satisfies Record<GrantType, readonly string[]>;

export default defineRule({
  id: 'oauth/token-parameters',
  statement:
    "The token request carries its grant's fields: code, code_verifier, client_id; or refresh_token, client_id; each once",
  clauses: ['endpoint.oauth.token'],
  sources: ['RFC6749 3.2'],
  appliesTo: ['oauth.token'],
  refusal: { token: 'invalid_request' },
  why: 'Without its fields a grant cannot be checked, and two values of one contradict each other.',
  fix: 'Send the fields of the grant in the form of the body, each once and not empty; none in the URL.',
  examples: {
    complies: 'grant_type=authorization_code&client_id=VALID_CLIENT_ID&code=AIS_VALID_CODE&code_verifier=…',
    violates: 'grant_type=authorization_code&client_id=VALID_CLIENT_ID&code=AIS_VALID_CODE',
  },
  check: ({ call, options }) => {
    const { kind } = call.content;
    if (kind === 'not-observed') return kind;
    const inUrl = fieldsInUrl(call);
    if (inUrl.length > 0)
      return violation(
        'query',
        'no query: its fields belong in the form of the body, because URLs are logged',
        inUrl.join(', '),
      );
    if (kind !== 'form') return 'not-applicable';
    const form = formOf(call);
    const grant = onceOf(form, 'grant_type');
    // Without a known grant it is open which fields are needed; oauth/grant-type names that.
    if (grant !== 'authorization_code' && grant !== 'refresh_token') return 'not-applicable';
    const { optional } = options.dialect.profile?.oauth ?? {};
    return [
      ...parameterFaults(form, withoutThese(GRANT_FIELDS[grant], optional), OTHERS[grant], 'body'),
      ...CREDENTIALS.flatMap((name) => {
        const value = onceOf(form, name);
        return value === undefined || !isNothing(value)
          ? []
          : [violation(`body ${name}`, 'a value', `${value}, which a program writes where it has none`)];
      }),
    ];
  },
});
