/** Reads an authorization request at the living bank, and makes the error pages for requests that name nothing it knows. */
import { hash } from 'node:crypto';
import {
  type BankAuthorisation,
  type BankView,
  openAuthorisation,
  scopeOfAuthorisation,
} from '../../../bank/index.js';
import {
  type Answer,
  type Call,
  type Fingerprint,
  isSameAddress,
  ownCopy,
  queryValue,
} from '../../../exchange/index.js';
import {
  type Dialect,
  isReturnAddress,
  LIMITS,
  type OAuthRedirectError,
  PAGE_QUERY,
  SANDBOX,
  scopeText,
} from '../../../spec/index.js';
import { isForToken, NO_WAY_BACK } from '../../emulator/authorize-request.js';
import { type PlainReturn, plainReturn } from '../../outcome-choices.js';
import { answerErrorPage } from '../../page.js';
import { answerRedirect, appendQuery } from '../../render.js';
import type { LivingBank } from '../living.js';

/** Values kept with a code are copies: a substring would keep the whole address in memory. */
export interface ScaRequest {
  readonly authorisation: BankAuthorisation;
  /** `AIS:<consent id>`, `PIS:<payment id>` */
  readonly scope: string;
  readonly redirectUri: string;
  readonly state: string | undefined;
  readonly clientId: string;
  readonly challenge: string;
  readonly method: 'S256' | 'plain';
  /** Without OAuth. */
  readonly plain: PlainReturn | undefined;
}

const OWN_PARAMETERS: ReadonlySet<string> = new Set(PAGE_QUERY);

/** null: the bank did not hand out this authorisation. */
export function readScaRequest(
  call: Call,
  { bankView, now }: { readonly bankView: BankView; readonly now: number },
  { fingerprint, links: { dialect } }: Pick<LivingBank, 'fingerprint' | 'links'>,
): ScaRequest | Answer | null {
  const authorisation = authorisationIn(call, bankView, dialect, now);
  if (authorisation === undefined) return null;
  if (authorisation.approach === 'redirect')
    return readPlainRequest(call, authorisation, plainReturn(dialect));
  const misfit = strangerOf(call, authorisation, fingerprint);
  if (misfit !== null)
    return answerErrorPage(call, 'emulator', { status: 400, title: 'Invalid request', texts: [misfit] });
  const redirectUri = ownCopy(queryValue(call, 'redirect_uri') ?? '');
  const state = queryValue(call, 'state');
  const fault = faultOf(call, authorisation, dialect);
  if (fault !== null) {
    const [error, error_description] = fault;
    return answerRedirect(call, 'emulator', appendQuery(redirectUri, { error, error_description, state }));
  }
  return {
    authorisation,
    scope: scopeOfAuthorisation(authorisation),
    redirectUri,
    state,
    clientId: ownCopy(queryValue(call, 'client_id') ?? ''),
    challenge: ownCopy(queryValue(call, 'code_challenge') ?? ''),
    // RFC 7636 4.3
    method: queryValue(call, 'code_challenge_method') === 'S256' ? 'S256' : 'plain',
    plain: undefined,
  };
}

/** By the path; else the newest of what the scope names; else a request for a token, which exists once it was answered. */
function authorisationIn(call: Call, bank: BankView, dialect: Dialect, now: number) {
  const { authorisationId } = call.params;
  if (authorisationId !== undefined) return bank.bankAuthorisations.get(authorisationId);
  const text = queryValue(call, 'scope') ?? '';
  const scope = dialect.parseScope(text);
  if (scope !== undefined) {
    const { bankPayments, bankConsents } = bank;
    const resource = scope.service === 'PIS' ? bankPayments.get(scope.id) : bankConsents.get(scope.id);
    return bank.bankAuthorisations.get(resource?.authorisations.at(-1) ?? '');
  }
  if (!isForToken(call, dialect)) return undefined;
  const parts = ['client_id', 'redirect_uri', 'scope', 'state', 'code_challenge'].map((name) =>
    queryValue(call, name),
  );
  const id = `token-${hash('sha256', JSON.stringify(parts), 'base64url')}`;
  const tpp = ownCopy(queryValue(call, 'client_id') ?? '');
  const own = { id, tpp, tppName: null, of: 'token', resource: ownCopy(text) } as const;
  const addresses = { redirectUri: null, nokRedirectUri: null, lastsMs: LIMITS.scaLinkMs };
  return bank.bankAuthorisations.get(id) ?? openAuthorisation({ ...own, ...addresses }, now);
}

/** All that the request of an SCA by redirect says is its address. */
function readPlainRequest(
  call: Call,
  authorisation: BankAuthorisation,
  plain: PlainReturn,
): ScaRequest | Answer {
  const { redirectUri, tpp: clientId } = authorisation;
  if (redirectUri === null || !isReturnAddress(redirectUri))
    return answerErrorPage(call, 'emulator', NO_WAY_BACK);
  const oauth = { state: undefined, clientId, challenge: '', method: 'plain' } as const;
  return { authorisation, scope: scopeOfAuthorisation(authorisation), redirectUri, ...oauth, plain };
}

/** Why the browser is sent nowhere: whoever asks, or the address, is not proven (reading `authorize-living`). */
function strangerOf(
  call: Call,
  { redirectUri, tpp }: BankAuthorisation,
  fingerprint: Fingerprint,
): string | null {
  const address = queryValue(call, 'redirect_uri') ?? '';
  const client = queryValue(call, 'client_id') ?? '';
  if (!isReturnAddress(address))
    return 'redirect_uri is missing, or is not an absolute address of the web or of an app.';
  if (redirectUri !== null && !isSameAddress(address, redirectUri, fingerprint))
    return `redirect_uri is not the TPP-Redirect-URI with which this authorisation was created: ${misfitOf(redirectUri, address)}`;
  // A certificate without an organisation has no name that client_id could be.
  const isKnown = client === tpp || client === SANDBOX.clientId || tpp.startsWith('cert:');
  return isKnown
    ? null
    : `client_id is not the TPP for which this authorisation was created: ${misfitOf(tpp, client)}`;
}

/** Others write both: nothing in them can hide or turn what follows on the page. */
const misfitOf = (expected: string, found: string): string =>
  `expected ${inAscii(expected)}, found ${inAscii(found)}.`;
const LONGEST_SHOWN = 200;
const inAscii = (text: string): string =>
  text.slice(0, LONGEST_SHOWN).replaceAll(/[^!-~]/g, '?') || 'nothing';

/** A fault that the redirect reports (RFC 6749 4.1.2.1, RFC 7636 4.4.1). */
function faultOf(
  call: Call,
  authorisation: BankAuthorisation,
  { parseScope, profile }: Dialect,
): [OAuthRedirectError, string] | null {
  const scope = scopeOfAuthorisation(authorisation);
  const asked = queryValue(call, 'scope') ?? scope;
  const resource = parseScope(asked);
  if ((resource === undefined ? asked : scopeText(resource)) !== scope)
    return ['invalid_scope', 'This authorisation was not created for this scope.'];
  const { responseTypes = [], optional } = profile?.oauth ?? {};
  if (!['code', ...responseTypes].includes(queryValue(call, 'response_type') ?? ''))
    return ['unsupported_response_type', 'response_type is to be code.'];
  if ((queryValue(call, 'code_challenge') ?? '') === '' && optional?.includes('code_challenge') !== true)
    return ['invalid_request', 'code_challenge is missing.'];
  const method = queryValue(call, 'code_challenge_method') ?? 'plain';
  return method === 'S256' || method === 'plain'
    ? null
    : ['invalid_request', 'code_challenge_method is to be S256 or plain.'];
}

/** The address of the request as the TPP made it, with parameters of the bank's own; a path. */
export function addressOf({ request }: Call, own: Readonly<Record<string, string | undefined>> = {}): string {
  const query = new URLSearchParams(
    request.query.filter(([name]) => !OWN_PARAMETERS.has(name)).map(([name, value]) => [name, value]),
  );
  for (const [name, value] of Object.entries(own)) if (value !== undefined) query.append(name, value);
  return `${request.path}?${query}`;
}
