/** The token endpoint of the living bank, and the discovery documents of its authorisations. */
import {
  accessSeconds,
  type BankChange,
  exchangeCode,
  exchangeRefreshToken,
  type Grant,
  giveTokens,
  type NoGrant,
  reuseOfCode,
} from '../../bank/index.js';
import { type Call, queryValue } from '../../exchange/index.js';
import { codeKey } from '../../ledger/index.js';
import { isSandboxResource, parseScope } from '../../spec/index.js';
import { refuse, refuseToken } from '../answer-refusal.js';
import type { AnswerContext, Answered } from '../answerer.js';
import { answerDiscovery } from '../emulator/token.js';
import { answerTokens, readTokenRequest, type TokenRequest, tokenFields } from '../emulator/token-request.js';
import type { LivingBank, LivingHandler, LivingMoment } from './living.js';

export function createLivingToken(bank: LivingBank): LivingHandler {
  return (call, moment) => {
    const { tpp } = call;
    if (tpp === null) return null;
    const request = readTokenRequest(call);
    if ('status' in request) return { answer: request };
    if (isOfSandbox(bank, request, moment)) return null;
    const grant = grantOf(bank, request, tpp, moment);
    if ('problem' in grant)
      return { answer: refuseToken(call, 'invalid_grant', grant.problem), changes: grant.changes };
    return give(bank, call, grant, tpp, moment);
  };
}

/**
 * A code that comes again ends what it gave, whatever the rules have refused it for; not that of a stranger, who is refused
 * as a client.
 */
export function changesOfRefusedToken(
  { fingerprint }: Pick<LivingBank, 'fingerprint'>,
  call: Call,
  { bank, now, refusal }: AnswerContext,
): readonly BankChange[] {
  if (refusal?.kind !== 'token' || refusal.error === 'invalid_client' || call.tpp === null) return [];
  const { grant_type, code } = tokenFields(call);
  if (grant_type !== 'authorization_code' || code === undefined) return [];
  return reuseOfCode(bank, { code: fingerprint(code), tpp: call.tpp }, now);
}

/** A flow that was begun in the sandbox bank goes on there. */
function isOfSandbox(
  { fingerprint }: LivingBank,
  { fields }: TokenRequest,
  { ledger }: LivingMoment,
): boolean {
  const { code, refresh_token } = fields;
  const scope =
    code === undefined
      ? ledger.refreshTokens.get(fingerprint(refresh_token ?? ''))?.scope
      : ledger.codes.get(codeKey(code, fingerprint))?.scope;
  return isSandboxResource(parseScope(scope ?? '')?.id ?? '');
}

function grantOf(
  { fingerprint }: LivingBank,
  { grant, fields }: TokenRequest,
  tpp: string,
  { bank, now }: LivingMoment,
): Grant | NoGrant {
  const { code = '', client_id = '', code_verifier = '', redirect_uri, refresh_token = '' } = fields;
  if (grant === 'refresh_token')
    return exchangeRefreshToken(bank, { token: fingerprint(refresh_token), tpp }, now);
  const exchange = {
    code: fingerprint(code),
    tpp,
    clientId: client_id,
    redirectUri: redirect_uri,
    verifier: code_verifier,
    fingerprint,
  };
  return exchangeCode(bank, exchange, now);
}

function give(
  { ids, fingerprint }: LivingBank,
  call: Call,
  grant: Grant,
  tpp: string,
  { bank, now }: LivingMoment,
): Answered {
  const [access, refresh] = [ids.token(), ids.token()];
  const given = { tpp, access: fingerprint(access), refresh: fingerprint(refresh) };
  const { scope } = grant;
  return {
    answer: answerTokens(call, { access, refresh, seconds: accessSeconds(scope), scope }),
    changes: giveTokens(bank, grant, given, now),
  };
}

/** The sandbox bank answers for authorisations that this bank has not made. */
export function createLivingDiscovery({ links }: LivingBank): LivingHandler {
  return (call, { bank }) => {
    const authorisation = bank.bankAuthorisations.get(queryValue(call, 'authorizationId') ?? '');
    if (authorisation === undefined) return null;
    return authorisation.tpp === call.tpp || call.tpp === null
      ? { answer: answerDiscovery(links, call, authorisation.id) }
      : { answer: refuse(call, 'RESOURCE_UNKNOWN', { path: 'authorizationId' }) };
  };
}
