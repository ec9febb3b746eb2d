/** The token endpoint and the discovery document. */
import { type Answer, type Call, queryValue } from '../../exchange/index.js';
import { codeKey, type RefreshTokenFact } from '../../ledger/index.js';
import {
  DISCOVERY_VALUES,
  GRANT_FIELDS,
  type GrantType,
  LIMITS,
  parseScope,
  sandboxCodeScope,
} from '../../spec/index.js';
import { refuse, refuseToken } from '../answer-refusal.js';
import { answerJson } from '../render.js';
import type { Bank, Handler, Moment } from './bank.js';
import { flowOf, isKnownAuthorisation } from './flows.js';

const NO_CACHE = [['Pragma', 'no-cache']] as const;
type Fields = Readonly<Record<string, string>>;

export function createToken(bank: Bank): Handler {
  return (call, moment) => {
    if (call.content.kind !== 'form') return refuseToken(call, 'invalid_request', 'A form is expected.');
    const fields = readFields(call.content.fields);
    const grant = fields.grant_type;
    if (grant === undefined) return refuseToken(call, 'invalid_request', 'grant_type is missing.');
    if (!isGrantType(grant))
      return refuseToken(call, 'unsupported_grant_type', `${grant} is not offered, ${OFFERED} are.`);
    const missing = GRANT_FIELDS[grant].find((name) => fields[name] === undefined);
    if (missing !== undefined) return refuseToken(call, 'invalid_request', `${missing} is missing.`);
    const granted =
      grant === 'refresh_token' ? refresh(bank, fields, call, moment) : exchange(bank, fields, call, moment);
    return 'problem' in granted
      ? refuseToken(call, 'invalid_grant', granted.problem)
      : answerToken(bank, call, granted.scope);
  };
}

const OFFERED = Object.keys(GRANT_FIELDS).join(' and ');

type Granted = { readonly scope: string } | { readonly problem: string };

/** The literal codes of the document always give their token; a code of an authorisation does once, within its time. */
function exchange(bank: Bank, fields: Fields, call: Call, { ledger, now }: Moment): Granted {
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
function refresh(bank: Bank, fields: Fields, call: Call, { ledger, now }: Moment): Granted {
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

function answerToken({ ids }: Bank, call: Call, scope: string): Answer {
  const value = {
    access_token: ids.token(),
    token_type: 'Bearer',
    expires_in: LIMITS.accessTokenSeconds[parseScope(scope)?.service ?? 'AIS'],
    refresh_token: ids.token(),
    scope,
  };
  return answerJson(call, 'emulator', 200, value, NO_CACHE);
}

/** The first of each name; an empty value counts as absent (RFC 6749 3.2). */
function readFields(pairs: readonly (readonly [string, string])[]): Fields {
  const fields: Record<string, string> = Object.create(null);
  for (const [name, value] of pairs) if (value !== '') fields[name] ??= value;
  return fields;
}

function isGrantType(text: string): text is GrantType {
  return Object.hasOwn(GRANT_FIELDS, text);
}

export function createDiscovery({ links }: Bank): Handler {
  return (call, { ledger }) => {
    const id = queryValue(call, 'authorizationId');
    if (id === undefined)
      return refuse(call, 'FORMAT_ERROR', { path: 'authorizationId', text: 'authorizationId is missing.' });
    const isOfAnotherTpp = isOfAnother(flowOf(ledger, id)?.tpp ?? null, call);
    if (isOfAnotherTpp || !isKnownAuthorisation(ledger, id))
      return refuse(call, 'RESOURCE_UNKNOWN', { path: 'authorizationId' });
    return answerJson(call, 'emulator', 200, {
      issuer: links.issuer(),
      authorization_endpoint: links.authorize(id),
      token_endpoint: links.v1('/token'),
      userinfo_endpoint: links.v1('/accounts'),
      ...DISCOVERY_VALUES,
    });
  };
}
