/** Reads an authorization request, and makes the error pages for requests that name nothing this bank knows. */
import { type Answer, type Call, queryValue } from '../../exchange/index.js';
import { type AuthorisationFact, authorisationIdIn, type Ledger } from '../../ledger/index.js';
import {
  type Dialect,
  isReturnAddress,
  isSandboxResource,
  parseScope,
  SANDBOX_PAYMENTS,
  type Scope,
  sandboxConsent,
} from '../../spec/index.js';
import { type PlainReturn, plainReturn } from '../outcome-choices.js';
import { answerErrorPage } from '../page.js';
import { flowOf, isKnownAuthorisation } from './flows.js';

export interface AuthorizeRequest {
  readonly authorisationId: string;
  readonly redirectUri: string;
  readonly state: string | undefined;
  readonly clientId: string;
  readonly scope: string;
  /** The resource that the scope names; null if this bank does not know it. */
  readonly resource: { readonly service: 'AIS' | 'PIS' | 'PIIS'; readonly id: string } | null;
  /** The authorisation handed to the TPP; undefined for the fixed ids, which belong to nobody. */
  readonly flow: AuthorisationFact | undefined;
  /** Without OAuth. */
  readonly plain: PlainReturn | undefined;
}

/** Without a known authorisation and a usable redirect URI the browser stays here (RFC 6749 4.1.2.1). */
export function readAuthorizeRequest(
  call: Call,
  ledger: Ledger,
  dialect: Dialect,
): AuthorizeRequest | Answer {
  const authorisationId = authorisationIdIn(call, ledger, dialect);
  const asksForToken = isForToken(call, dialect);
  if (!asksForToken && !isKnownAuthorisation(ledger, authorisationId)) {
    const texts = ['The bank knows no authorisation with the id in the address.'];
    return answerErrorPage(call, 'emulator', { status: 404, title: 'Unknown authorisation', texts });
  }
  const redirectUri = queryValue(call, 'redirect_uri') ?? '';
  if (!isReturnAddress(redirectUri)) {
    const texts = ['redirect_uri is missing, or is not an absolute address of the web or of an app.'];
    return answerErrorPage(call, 'emulator', { status: 400, title: 'Invalid request', texts });
  }
  const scope = queryValue(call, 'scope') ?? '';
  const [service = 'AIS'] = dialect.servicesOf(scope);
  return {
    authorisationId,
    redirectUri,
    state: queryValue(call, 'state'),
    clientId: queryValue(call, 'client_id') ?? '',
    scope,
    resource: asksForToken ? { service, id: '' } : resourceOf(dialect.parseScope(scope)),
    flow: flowOf(ledger, authorisationId),
    plain: undefined,
  };
}

/** The request of an SCA by redirect: all that it says is its address. */
export function readRedirectRequest(call: Call, ledger: Ledger, dialect: Dialect): AuthorizeRequest | Answer {
  const { authorisationId = '' } = call.params;
  const flow = flowOf(ledger, authorisationId);
  if (flow === undefined) {
    const texts = ['The bank knows no authorisation with the id in the address.'];
    return answerErrorPage(call, 'emulator', { status: 404, title: 'Unknown authorisation', texts });
  }
  const { redirectUri, scope, tpp } = flow;
  if (redirectUri == null || !isReturnAddress(redirectUri))
    return answerErrorPage(call, 'emulator', NO_WAY_BACK);
  const request = { authorisationId, redirectUri, state: undefined, clientId: tpp, scope };
  return { ...request, resource: resourceOf(parseScope(scope)), flow, plain: plainReturn(dialect) };
}

export const NO_WAY_BACK = {
  status: 400,
  title: 'Invalid request',
  texts: ['This authorisation was created without a TPP-Redirect-URI, so nothing leads back from this page.'],
};

/** Whether a TPP asks for a token with which it will create consents and payments. */
export function isForToken(call: Call, { oauth, isScope, parseScope: read }: Dialect): boolean {
  const scope = queryValue(call, 'scope') ?? '';
  const isWithout = call.params.authorisationId === undefined;
  return isWithout && oauth === 'before' && isScope(scope) && read(scope) === undefined;
}

function resourceOf(resource: Scope | undefined): AuthorizeRequest['resource'] {
  if (resource === undefined || !isSandboxResource(resource.id)) return null;
  const fits =
    resource.service === 'PIS'
      ? SANDBOX_PAYMENTS.has(resource.id)
      : sandboxConsent(resource.id) !== undefined;
  return fits ? resource : null;
}
