/** Access tokens of a recording by what they give access to: a refresh, or another order of calls, makes no other call. */
import type { Exchange } from '../../exchange/index.js';
import { textMember } from './authorise-calls.js';
import type { Field } from './call-fields.js';
import type { MatchPlan } from './match-plan.js';

const LABEL = 'a token for ';

export function isTokenLabel(value: string): boolean {
  return value.startsWith(LABEL);
}

export interface TokenScopes {
  /** What an access token is matched by; undefined for one that the recording did not hand out. */
  readonly of: (token: string) => string | undefined;
  /** All access tokens, and all that they are matched by. */
  readonly known: readonly string[];
  /** The field of a recorded call as it is matched. */
  readonly read: (field: Field, plan: MatchPlan) => Field;
}

export function createTokenScopes(exchanges: readonly Exchange[]): TokenScopes {
  const scopes = new Map<string, string>();
  for (const exchange of exchanges) {
    if (exchange.call.operation !== 'oauth.token') continue;
    const token = textMember(exchange, 'access_token');
    const scope = textMember(exchange, 'scope');
    if (token !== null && scope !== null) scopes.set(token, LABEL + scope);
  }
  return {
    of: (token) => scopes.get(token),
    known: [...scopes.keys(), ...scopes.values()],
    read: (field, plan) => {
      if (!plan.byMeaning || field.place !== 'header authorization') return field;
      const scope = scopes.get(field.value);
      return scope === undefined ? field : { ...field, value: scope };
    },
  };
}
