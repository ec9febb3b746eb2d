/** Folds in the token endpoint: exchanged codes, access tokens, refresh tokens and their rotation. */
import { type Answer, type Fingerprint, memberOf } from '../exchange/index.js';
import { type Dialect, isSandboxResource, LIMITS, parseScope, sandboxCodeScope } from '../spec/index.js';
import { boundTo, type ChangeSet, type Fold, factOf, put, shortField, shortMember } from './change-set.js';
import type { Bound } from './facts.js';
import { authoriseResource } from './fold-authorize.js';
import { codeKey, codeOf, keyOf } from './keys.js';

export const foldToken: Fold = (changeSet, call, answer, tpp, { fingerprint, heardAt }) => {
  const accessToken = shortMember(answer.content, 'access_token');
  if (accessToken === undefined) return;
  const code = shortField(call.content, 'code');
  const usedCode = code === undefined ? undefined : codeKey(code, fingerprint);
  const known = usedCode === undefined ? undefined : codeOf(changeSet.ledger, usedCode, tpp);
  const usedRefresh = shortField(call.content, 'refresh_token');
  const scope =
    shortMember(answer.content, 'scope') ??
    shortField(call.content, 'scope') ??
    known?.scope ??
    (code === undefined ? undefined : sandboxCodeScope(code)) ??
    (usedRefresh === undefined
      ? undefined
      : factOf(changeSet, 'refreshTokens', fingerprint(usedRefresh))?.scope) ??
    '';
  if (usedCode !== undefined) {
    const issuedAt = known?.issuedAt ?? null;
    put(changeSet, 'codes', keyOf.codeOfTpp(usedCode, tpp), {
      code: usedCode,
      tpp,
      scope: scope || null,
      issuedAt,
      usedAt: call.at,
    });
    // A bank's own pages do not pass here; that it gives a token for the code tells how the SCA ended.
    authoriseResource(changeSet, tpp, changeSet.dialect.parseScope(scope) ?? parseScope(scope), call.at);
  }
  const token = fingerprint(accessToken);
  // Its lifetime begins for a client when it gets it.
  const expiresAt = heardAt + lifetimeOf(answer, scope, changeSet.dialect) * 1000;
  const isOfClient = shortField(call.content, 'grant_type') === 'client_credentials';
  const bound = boundTo(changeSet, call);
  const of = { ...(isOfClient ? { ofClient: true as const } : {}), ...bound };
  put(changeSet, 'tokens', token, { token, tpp, scope, issuedAt: call.at, expiresAt, ...of });
  foldRefreshToken(changeSet, answer, { tpp, scope, at: call.at, used: usedRefresh, bound }, fingerprint);
};

/** In seconds; without expires_in as the reading access-token-lifetime has it. */
function lifetimeOf(answer: Answer, scope: string, { servicesOf }: Dialect): number {
  const value = answer.content.kind === 'json' ? memberOf(answer.content.value, 'expires_in') : undefined;
  const seconds = typeof value === 'string' ? Number(value) : value;
  if (typeof seconds === 'number' && seconds > 0 && seconds < 1e9) return seconds;
  const [service = 'AIS'] = servicesOf(scope);
  return LIMITS.accessTokenSeconds[service];
}

interface HandedOut {
  readonly tpp: string;
  readonly scope: string;
  readonly at: number;
  /** In clear: the one that was sent for it. */
  readonly used: string | undefined;
  readonly bound: Bound;
}

function foldRefreshToken(
  changeSet: ChangeSet,
  answer: Answer,
  given: HandedOut,
  fingerprint: Fingerprint,
): void {
  const handedOut = shortMember(answer.content, 'refresh_token');
  if (handedOut === undefined) return;
  const token = fingerprint(handedOut);
  const { tpp, scope, at, used, bound } = given;
  const old = used === undefined ? undefined : fingerprint(used);
  if (old === token) return;
  if (old !== undefined) replaceNewest(changeSet, old, token);
  const before = newestOf(changeSet, tpp, scope, token);
  if (before !== undefined) replaceNewest(changeSet, before, token);
  const fact = { token, tpp, scope, issuedAt: at, replacedBy: null, ...bound };
  put(changeSet, 'refreshTokens', token, old === undefined ? fact : { ...fact, rotated: true });
}

/** Longer chains of one token that was sent again and again are not followed. */
const LONGEST_CHAIN = 50;

function replaceNewest(changeSet: ChangeSet, old: string, by: string): void {
  let fact = factOf(changeSet, 'refreshTokens', old);
  for (let i = 0; i < LONGEST_CHAIN && fact !== undefined && fact.replacedBy !== null; i++) {
    if (fact.replacedBy === by) return;
    fact = factOf(changeSet, 'refreshTokens', fact.replacedBy);
  }
  if (fact !== undefined && fact.replacedBy === null && fact.token !== by)
    put(changeSet, 'refreshTokens', fact.token, { ...fact, replacedBy: by });
}

/** The newest refresh token of the consent or payment before this one: it is authorised again. */
function newestOf(changeSet: ChangeSet, tpp: string, scope: string, token: string): string | undefined {
  const resource = changeSet.dialect.parseScope(scope);
  if (resource === undefined || isSandboxResource(resource.id)) return undefined;
  const family = resource.service === 'PIS' ? 'payments' : 'consents';
  const key = keyOf.resource(tpp, resource.id);
  const fact = factOf(changeSet, family, key);
  if (fact === undefined) return undefined;
  put(changeSet, family, key, { ...fact, refreshToken: token });
  return fact.refreshToken;
}
