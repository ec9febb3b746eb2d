/** Codes and tokens of the living bank: exchanged, given out, and held against what a TPP presents. */
import { hash } from 'node:crypto';
import { type Fingerprint, isSameAddress } from '../exchange/index.js';
import { LIMITS, parseScope, SANDBOX, type WireErrorCode } from '../spec/index.js';
import { consentStatusAt } from './consents.js';
import type { BankChange, BankCode, BankToken, Grantor } from './facts.js';
import { bankNameOf, MOST_OF_CODE } from './names.js';
import type { BankView } from './state.js';

/** What a token is to be given for; `code`: fingerprint of the code that it goes back to. */
export interface Grant {
  readonly scope: string;
  readonly code: string;
  readonly grantor?: Grantor | undefined;
  readonly changes: readonly BankChange[];
}

export interface NoGrant {
  readonly problem: string;
  readonly changes: readonly BankChange[];
}

/** What a TPP presents at the token endpoint; secrets as fingerprints, but for the verifier. */
export interface CodeExchange {
  readonly code: string;
  readonly tpp: string;
  readonly clientId: string;
  /** Absent: not sent (reading `redirect-uri-at-token`). */
  readonly redirectUri?: string | undefined;
  readonly verifier: string;
  /** Addresses of facts may have been redacted. */
  readonly fingerprint: Fingerprint;
}

const refused = (problem: string, changes: readonly BankChange[] = []): NoGrant => ({ problem, changes });

/** A code is good once, for ten minutes, and for whoever it was given to (RFC 6749 4.1.2). */
export function exchangeCode(bank: BankView, exchange: CodeExchange, now: number): Grant | NoGrant {
  const fact = bank.bankCodes.get(exchange.code);
  if (fact === undefined || fact.tpp !== exchange.tpp) return refused('The code is not known.');
  const reused = reuseOfCode(bank, exchange, now);
  if (reused.length > 0) return refused('The code was exchanged before.', reused);
  if (now - fact.issuedAt > LIMITS.authorisationCodeMs) return refused('The code is expired.');
  if (!isClientOf(fact, exchange.clientId)) return refused('The code was given to another client_id.');
  const { redirectUri = fact.redirectUri, fingerprint } = exchange;
  if (!isSameAddress(redirectUri, fact.redirectUri, fingerprint))
    return refused('redirect_uri is not that of the authorization request.');
  if (!provesChallenge(exchange.verifier, fact))
    return refused('code_verifier does not fit the code_challenge of the authorization request.');
  const ended = endedConsent(bank, fact.scope, now);
  if (ended !== null) return refused(ended);
  const { scope, code, grantor } = fact;
  return { scope, code, grantor, changes: [codeChange({ ...fact, usedAt: now })] };
}

/**
 * What it changes that a code comes, nothing where it was not exchanged before: whoever brings it again has stolen it,
 * or was stolen from, and what it gave ends (RFC 6749 10.5). Used is used, also after `now`: who came first may be served
 * last, after a long body or by another gateway.
 */
export function reuseOfCode(
  bank: BankView,
  { code, tpp }: Pick<CodeExchange, 'code' | 'tpp'>,
  now: number,
): readonly BankChange[] {
  const fact = bank.bankCodes.get(code);
  if (fact === undefined || fact.tpp !== tpp || fact.usedAt === null) return [];
  return [codeChange({ ...fact, reusedAt: fact.reusedAt ?? now })];
}

/** Its certificate has told who it is; of the names that are right for it any will do. */
function isClientOf({ clientId, tpp }: BankCode, presented: string): boolean {
  return presented === clientId || presented === tpp || presented === SANDBOX.clientId;
}

export function provesChallenge(
  verifier: string,
  { challenge, method }: Pick<BankCode, 'challenge' | 'method'>,
) {
  const proof = method === 'plain' ? verifier : hash('sha256', verifier, 'base64url');
  return proof === challenge;
}

/** Reading `refresh-rotation`: an older refresh token works until its end. `token`: its fingerprint. */
export function exchangeRefreshToken(
  bank: BankView,
  { token, tpp }: { readonly token: string; readonly tpp: string },
  now: number,
): Grant | NoGrant {
  const fact = bank.bankTokens.get(token);
  if (fact?.kind !== 'refresh' || fact.tpp !== tpp) return refused('The refresh token is not known.');
  if (now > fact.expiresAt) return refused('The refresh token is expired.');
  if (revokedAt(bank, fact) !== undefined)
    return refused('The code of this refresh token was exchanged twice.');
  const ended = endedConsent(bank, fact.scope, now);
  const { scope, code, grantor } = fact;
  return ended === null ? { scope, code, grantor, changes: [] } : refused(ended);
}

/** A token ends with its consent; null where that goes on, or it is for a payment. */
function endedConsent(bank: BankView, scope: string, now: number): string | null {
  const resource = parseScope(scope);
  if (resource === undefined || resource.service === 'PIS') return null;
  const consent = bank.bankConsents.get(resource.id);
  if (consent === undefined) return 'The consent is not known.';
  const status = consentStatusAt(consent, now);
  return status === 'valid' || status === 'partiallyAuthorised' ? null : `The consent is ${status}.`;
}

/** When the code of a token was exchanged a second time, which revoked the token; undefined where it was not. */
export function revokedAt(bank: BankView, token: Pick<BankToken, 'code'> | undefined): number | undefined {
  return bank.bankCodes.get(token?.code ?? '')?.reusedAt ?? undefined;
}

/** Fingerprints of an access token and a refresh token that are given out together. */
export interface Given {
  readonly access: string;
  /** Absent: the token is of the client itself. */
  readonly refresh?: string;
}

/** In seconds, by what the token is for. */
export function accessSeconds(scope: string): number {
  return LIMITS.accessTokenSeconds[parseScope(scope)?.service ?? 'AIS'];
}

export function giveTokens(
  bank: BankView,
  { scope, code, grantor, changes }: Grant,
  { tpp, access, refresh }: Given & { readonly tpp: string },
  now: number,
): BankChange[] {
  const common = { tpp, scope, code, issuedAt: now, ...(grantor === undefined ? {} : { grantor }) };
  return [
    ...changes,
    ...bank.bankTokens
      .all(bankNameOf.code(code))
      .slice(0, -(MOST_OF_CODE - 2))
      .map(({ token }): BankChange => ({ family: 'bankTokens', key: token, fact: null })),
    tokenChange({ ...common, kind: 'access', token: access, expiresAt: now + accessSeconds(scope) * 1000 }),
    ...(refresh === undefined
      ? []
      : [
          tokenChange({
            ...{ ...common, kind: 'refresh', token: refresh },
            expiresAt: now + LIMITS.refreshTokenMs,
          }),
        ]),
  ];
}

/** What is wrong with an access token on a call of its TPP for a scope; null where nothing is. */
export function accessFault(
  bank: BankView,
  { token, tpp, scope }: { readonly token: string; readonly tpp: string; readonly scope: string },
  now: number,
): Extract<WireErrorCode, 'TOKEN_UNKNOWN' | 'TOKEN_INVALID' | 'TOKEN_EXPIRED'> | null {
  const fact = bank.bankTokens.get(token);
  if (fact?.kind !== 'access' || fact.tpp !== tpp) return 'TOKEN_UNKNOWN';
  if (fact.scope !== scope || revokedAt(bank, fact) !== undefined) return 'TOKEN_INVALID';
  return now >= fact.expiresAt ? 'TOKEN_EXPIRED' : null;
}

/** A token with which a TPP creates, or reads where scopes name no consent; or what is wrong with it. */
export function tokenFirst(
  bank: BankView,
  { token, tpp }: { readonly token: string; readonly tpp: string },
  now: number,
): BankToken | 'TOKEN_UNKNOWN' | 'TOKEN_INVALID' | 'TOKEN_EXPIRED' {
  const fact = bank.bankTokens.get(token);
  if (fact === undefined) return 'TOKEN_UNKNOWN';
  return accessFault(bank, { token, tpp, scope: fact.scope }, now) ?? fact;
}

const codeChange = (fact: BankCode): BankChange => ({ family: 'bankCodes', key: fact.code, fact });
const tokenChange = (fact: BankToken): BankChange => ({ family: 'bankTokens', key: fact.token, fact });
