/**
 * What each access token of a recording gives access to, so that a refresh or another order of calls does not change
 * which call is meant.
 */
import { type Exchange, textMember } from '../../exchange/index.js';
import type { Field } from './call-fields.js';
import type { MatchPlan } from './match-plan.js';
import { readTokenUses } from './token-uses.js';

const LABEL = 'a token for ';

/** What tokens are matched by that give access to a resource: `AIS:<consent id>`. */
export function tokenLabel(resource: string): string {
  return LABEL + resource;
}

export function isTokenLabel(value: string): boolean {
  return value.startsWith(LABEL);
}

export interface TokenScopes {
  /** What an access token is matched by; undefined for one that the recording did not hand out. */
  readonly of: (token: string) => string | undefined;
  /** `AIS:<consent id>` of the tokens that the exchange at a position of the recording gave; null where nothing tells. */
  readonly at: (index: number) => string | null;
  /** All access tokens, and all that they are matched by. */
  readonly known: readonly string[];
  /** The field of a recorded call as it is matched. */
  readonly read: (field: Field, plan: MatchPlan) => Field;
}

export function createTokenScopes(exchanges: readonly Exchange[]): TokenScopes {
  const given = readTokenUses(exchanges);
  const scopes = new Map<string, string>();
  for (const [index, scope] of given) {
    const token = textMember(exchanges[index]?.answer?.content, 'access_token');
    if (token !== undefined) scopes.set(token, tokenLabel(scope));
  }
  return {
    of: (token) => scopes.get(token),
    at: (index) => given.get(index) ?? null,
    known: [...scopes.keys(), ...scopes.values()],
    read: (field, plan) => {
      if (!plan.byMeaning || field.place !== 'header authorization') return field;
      const scope = scopes.get(field.value);
      return scope === undefined ? field : { ...field, value: scope };
    },
  };
}
