/**
 * What each access token of a recording gives access to, so that a refresh or another order of calls does not change
 * which call is meant.
 */
import { type Call, type Exchange, formValue, textMember } from '../../exchange/index.js';
import { consentScope, paymentScope } from '../../spec/index.js';
import type { Field } from './call-fields.js';
import type { MatchPlan } from './match-plan.js';

const LABEL = 'a token for ';
const SCOPE = /^(?:AIS|PIS|PIIS):./;
const BEARER = /^Bearer +([^ ]+)$/i;

/** The label by which tokens for a resource are matched: `AIS:<consent id>`. */
export function tokenLabel(resource: string): string {
  return LABEL + resource;
}

export function isTokenLabel(value: string): boolean {
  return value.startsWith(LABEL);
}

export type TokenScopes = ReturnType<typeof createTokenScopes>;

export function createTokenScopes(exchanges: readonly Exchange[]) {
  const given = readTokenUses(exchanges);
  const labels = new Map<string, string>();
  for (const [index, scope] of given) {
    const token = textMember(exchanges[index]?.answer?.content, 'access_token');
    if (token !== undefined) labels.set(token, tokenLabel(scope));
  }
  return {
    /** The label of an access token; undefined if the recording did not hand it out. */
    of: (token: string) => labels.get(token),
    /** `AIS:<consent id>` of the tokens that the exchange at a position of the recording gave; null where nothing tells. */
    at: (index: number) => given.get(index) ?? null,
    known: [...labels.keys(), ...labels.values()],
    read: (field: Field, plan: MatchPlan): Field => {
      const isToken = plan.byMeaning && field.place === 'header authorization';
      const label = isToken ? labels.get(field.value) : undefined;
      return label === undefined ? field : { ...field, value: label };
    },
  };
}

/**
 * The consent or payment of each token answer, by its position; without those that nothing tells of. An answer without
 * scope is for the consent or payment of the first call with its token, also where that was refreshed before.
 */
function readTokenUses(exchanges: readonly Exchange[]): ReadonlyMap<number, string> {
  /** The answer at the root of a line of refreshes, by each token of the line, and by each answer. */
  const rootOf = new Map<string, number>();
  const roots = new Map<number, number>();
  const scopes = new Map<number, string>();
  for (const [index, { call, answer }] of exchanges.entries()) {
    const tokens = ['access_token', 'refresh_token'].flatMap(
      (name) => textMember(answer?.content, name) || [],
    );
    if (call.operation === 'oauth.token' && tokens.length > 0) {
      const root = rootOf.get(formValue(call.content, 'refresh_token') ?? '') ?? index;
      for (const token of tokens) rootOf.set(token, root);
      roots.set(index, root);
      const scope = textMember(answer?.content, 'scope') ?? '';
      if (SCOPE.test(scope)) scopes.set(root, scope);
    }
    const used = rootOf.get(BEARER.exec(call.header.authorization ?? '')?.[1] ?? '');
    const resource = used === undefined ? null : namedBy(call);
    if (used !== undefined && resource !== null && !scopes.has(used)) scopes.set(used, resource);
  }
  return new Map(
    [...roots].flatMap(([index, root]) => {
      const scope = scopes.get(root);
      return scope === undefined ? [] : [[index, scope] as const];
    }),
  );
}

function namedBy({ header, params }: Call): string | null {
  if (params.paymentId !== undefined) return paymentScope(params.paymentId);
  const consent = header['consent-id'] ?? params.consentId;
  return consent === undefined ? null : consentScope(consent);
}
