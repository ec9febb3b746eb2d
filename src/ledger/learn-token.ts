/** Learns from the token endpoint: codes that were exchanged, access tokens, refresh tokens and their rotation. */
import { type Answer, type Call, type Fingerprint, memberOf } from '../exchange/index.js';
import { LIMITS, sandboxCodeScope } from '../spec/index.js';
import { formField, textMember } from './content-fields.js';
import { type Draft, factOf, put } from './draft.js';
import { codeKey, parseScope } from './keys.js';
import { authoriseResource } from './learn-authorize.js';

export function learnToken(
  draft: Draft,
  call: Call,
  answer: Answer,
  tpp: string,
  fingerprint: Fingerprint,
): void {
  const accessToken = textMember(answer.content, 'access_token');
  if (accessToken === undefined) return;
  const code = formField(call.content, 'code');
  const usedCode = code === undefined ? undefined : codeKey(code, fingerprint);
  const usedRefresh = formField(call.content, 'refresh_token');
  const scope =
    textMember(answer.content, 'scope') ??
    (usedCode === undefined ? undefined : factOf(draft, 'codes', usedCode)?.scope) ??
    (code === undefined ? undefined : sandboxCodeScope(code)) ??
    (usedRefresh === undefined
      ? undefined
      : factOf(draft, 'refreshTokens', fingerprint(usedRefresh))?.scope) ??
    '';
  if (usedCode !== undefined) {
    const known = factOf(draft, 'codes', usedCode);
    const issuedAt = known?.issuedAt ?? null;
    put(draft, 'codes', usedCode, { code: usedCode, tpp, scope: scope || null, issuedAt, usedAt: call.at });
    // A bank's own pages do not pass here; that it gives a token for the code tells how the SCA ended.
    authoriseResource(draft, tpp, scope, call.at);
  }
  const token = fingerprint(accessToken);
  const expiresAt = call.at + lifetimeOf(answer, scope) * 1000;
  put(draft, 'tokens', token, { token, tpp, scope, issuedAt: call.at, expiresAt });
  learnRefreshToken(draft, answer, { tpp, scope, at: call.at, used: usedRefresh }, fingerprint);
}

/** In seconds; without expires_in as the reading access-token-lifetime has it. */
function lifetimeOf(answer: Answer, scope: string): number {
  const value = answer.content.kind === 'json' ? memberOf(answer.content.value, 'expires_in') : undefined;
  const seconds = typeof value === 'string' ? Number(value) : value;
  if (typeof seconds === 'number' && seconds > 0 && seconds < 1e9) return seconds;
  return LIMITS.accessTokenSeconds[parseScope(scope)?.service ?? 'AIS'];
}

function learnRefreshToken(
  draft: Draft,
  answer: Answer,
  given: { tpp: string; scope: string; at: number; used: string | undefined },
  fingerprint: Fingerprint,
): void {
  const handedOut = textMember(answer.content, 'refresh_token');
  if (handedOut === undefined) return;
  const token = fingerprint(handedOut);
  const { tpp, scope, at } = given;
  if (given.used !== undefined) {
    const old = fingerprint(given.used);
    if (old === token) return;
    const known = factOf(draft, 'refreshTokens', old);
    // An older one of the chain is replaced by the newest already: it stays so.
    if (known !== undefined && known.replacedBy === null)
      put(draft, 'refreshTokens', old, { ...known, replacedBy: token });
  }
  put(draft, 'refreshTokens', token, { token, tpp, scope, issuedAt: at, replacedBy: null });
}
