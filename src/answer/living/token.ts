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
import { isSandboxResource } from '../../spec/index.js';
import { refuse, refuseToken } from '../answer-refusal.js';
import type { AnswerContext, Answered } from '../answerer.js';
import { answerDiscovery, NOT_OF_CLIENT } from '../emulator/token.js';
import {
  answerTokens,
  clientScope,
  readTokenRequest,
  type TokenRequest,
  tokenFields,
  wireScope,
} from '../emulator/token-request.js';
import type { LivingBank, LivingHandler, LivingMoment } from './living.js';

export function createLivingToken(bank: LivingBank): LivingHandler {
  return (call, moment) => {
    const { tpp } = call;
    if (tpp === null) return null;
    const { dialect } = bank.links;
    const request = readTokenRequest(call, dialect);
    if ('status' in request) return { answer: request };
    if (isOfSandbox(bank, request, moment)) return null;
    if (request.grant === 'client_credentials') {
      const scope = clientScope(request, dialect);
      if (scope === null) return { answer: refuseToken(call, 'invalid_scope', NOT_OF_CLIENT) };
      // They go back to the TPP as others do to a code, so that a loop that asks for them has no more than its share.
      return give(bank, call, { scope, code: `client ${tpp}`, changes: [] }, tpp, moment);
    }
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
  { fingerprint, links }: LivingBank,
  { fields }: TokenRequest,
  { ledger }: LivingMoment,
): boolean {
  const { code, refresh_token } = fields;
  const scope =
    code === undefined
      ? ledger.refreshTokens.get(fingerprint(refresh_token ?? ''))?.scope
      : ledger.codes.get(codeKey(code, fingerprint))?.scope;
  return isSandboxResource(links.dialect.parseScope(scope ?? '')?.id ?? '');
}

function grantOf(
  { fingerprint }: LivingBank,
  { grant, fields }: TokenRequest,
  tpp: string,
  { bank, now }: LivingMoment,
): Grant | NoGrant {
  // The certificate has told who it is, where the bank asks for no client_id.
  const { code = '', client_id = tpp, code_verifier = '', redirect_uri, refresh_token = '' } = fields;
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
  { ids, fingerprint, links: { dialect } }: LivingBank,
  call: Call,
  grant: Grant,
  tpp: string,
  { bank, now }: LivingMoment,
): Answered {
  const access = ids.token();
  const refresh = grant.code.startsWith('client ') ? undefined : ids.token();
  const own = refresh === undefined ? {} : { refresh: fingerprint(refresh) };
  const given = { tpp, access: fingerprint(access), ...own };
  const scope = wireScope(grant.scope, dialect);
  const shown = { access, seconds: accessSeconds(grant.scope), scope };
  return {
    answer: answerTokens(call, refresh === undefined ? shown : { ...shown, refresh }),
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
