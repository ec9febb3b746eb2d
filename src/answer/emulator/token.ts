/** The token endpoint and the discovery document. */
import { type Answer, type Call, queryValue } from '../../exchange/index.js';
import { codeKey, type RefreshTokenFact } from '../../ledger/index.js';
import { DISCOVERY_VALUES, LIMITS, sandboxCodeScope } from '../../spec/index.js';
import { refuse, refuseToken } from '../answer-refusal.js';
import { answerJson } from '../render.js';
import type { Bank, Handler, Moment } from './bank.js';
import { flowOf, isKnownAuthorisation } from './flows.js';
import type { Links } from './links.js';
import {
  answerTokens,
  clientScope,
  readTokenRequest,
  type TokenRequest,
  wireScope,
} from './token-request.js';

export function createToken(bank: Bank): Handler {
  return (call, moment) => {
    const request = readTokenRequest(call, bank.links.dialect);
    if ('status' in request) return request;
    const { grant, fields } = request;
    if (grant === 'client_credentials') return answerClient(bank, call, request);
    const granted =
      grant === 'refresh_token' ? refresh(bank, fields, call, moment) : exchange(bank, fields, call, moment);
    return 'problem' in granted
      ? refuseToken(call, 'invalid_grant', granted.problem)
      : answerToken(bank, call, granted.scope);
  };
}

type Granted = { readonly scope: string } | { readonly problem: string };

/** The literal codes of the document always give their token; a code of an authorisation does once, within its time. */
function exchange(bank: Bank, fields: TokenRequest['fields'], call: Call, { ledger, now }: Moment): Granted {
  const { code = '' } = fields;
  const literal = sandboxCodeScope(code);
  if (literal !== undefined) return { scope: literal };
  const fact = ledger.codes.get(codeKey(code, bank.fingerprint));
  if (fact === undefined || fact.scope === null || isOfAnother(fact.tpp, call))
    return { problem: 'The code is not known.' };
  if (fact.usedAt !== null) return { problem: 'The code was exchanged before.' };
  const age = fact.issuedAt === null ? 0 : now - fact.issuedAt;
  return age > LIMITS.authorisationCodeMs ? { problem: 'The code is expired.' } : { scope: fact.scope };
}

/** Reading `refresh-rotation`: an older refresh token works until its end, a newer one is given each time. */
function refresh(bank: Bank, fields: TokenRequest['fields'], call: Call, { ledger, now }: Moment): Granted {
  const { refresh_token = '' } = fields;
  const fact: RefreshTokenFact | undefined = ledger.refreshTokens.get(bank.fingerprint(refresh_token));
  if (fact === undefined || isOfAnother(fact.tpp, call))
    return { problem: 'The refresh token is not known.' };
  return now - fact.issuedAt > LIMITS.refreshTokenMs
    ? { problem: 'The refresh token is expired.' }
    : { scope: fact.scope };
}

function isOfAnother(tpp: string | null, call: Call): boolean {
  return tpp !== null && call.tpp !== null && tpp !== call.tpp;
}

function answerToken({ ids, links: { dialect } }: Bank, call: Call, own: string): Answer {
  const scope = wireScope(own, dialect);
  const [service = 'AIS'] = dialect.servicesOf(scope);
  const seconds = LIMITS.accessTokenSeconds[service];
  return answerTokens(call, { access: ids.token(), refresh: ids.token(), seconds, scope });
}

function answerClient({ ids, links: { dialect } }: Bank, call: Call, request: TokenRequest): Answer {
  const scope = clientScope(request, dialect);
  if (scope === null) return refuseToken(call, 'invalid_scope', NOT_OF_CLIENT);
  return answerTokens(call, { access: ids.token(), seconds: LIMITS.accessTokenSeconds.AIS, scope });
}

export const NOT_OF_CLIENT = 'The scope is none that a client can have by itself.';

export function createDiscovery({ links }: Bank): Handler {
  return (call, { ledger }) => {
    const id = queryValue(call, 'authorizationId');
    if (id === undefined)
      return refuse(call, 'FORMAT_ERROR', { path: 'authorizationId', text: 'authorizationId is missing.' });
    const isOfAnotherTpp = isOfAnother(flowOf(ledger, id)?.tpp ?? null, call);
    if (isOfAnotherTpp || !isKnownAuthorisation(ledger, id))
      return refuse(call, 'RESOURCE_UNKNOWN', { path: 'authorizationId' });
    return answerDiscovery(links, call, id);
  };
}

/** The document is one for each authorisation. */
export function answerDiscovery(links: Links, call: Call, authorisationId: string): Answer {
  return answerJson(call, 'emulator', 200, {
    issuer: links.issuer(),
    authorization_endpoint: links.authorize(authorisationId),
    token_endpoint: links.to('oauth.token'),
    userinfo_endpoint: links.to('accounts.list'),
    ...DISCOVERY_VALUES,
  });
}
