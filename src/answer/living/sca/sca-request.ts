/** What an authorization request asks of the living bank, and the error pages for those that ask for nothing it knows. */
import { type BankAuthorisation, type BankState, scopeOfAuthorisation } from '../../../bank/index.js';
import { type Answer, type Call, queryValue } from '../../../exchange/index.js';
import { isReturnAddress, PAGE_QUERY, parseScope } from '../../../spec/index.js';
import { answerErrorPage } from '../../page.js';
import { answerRedirect, appendQuery } from '../../render.js';

export interface ScaRequest {
  readonly authorisation: BankAuthorisation;
  /** `AIS:<consent id>`, `PIS:<payment id>` */
  readonly scope: string;
  readonly redirectUri: string;
  readonly state: string | undefined;
  readonly clientId: string;
  /** null: the request had none. */
  readonly challenge: string | null;
  readonly method: 'S256' | 'plain';
}

const OWN_PARAMETERS: ReadonlySet<string> = new Set(PAGE_QUERY);

/** null: the bank did not hand out this authorisation. */
export function readScaRequest(call: Call, { bankAuthorisations }: BankState): ScaRequest | Answer | null {
  const authorisation = bankAuthorisations.get(call.params.authorisationId ?? '');
  if (authorisation === undefined) return null;
  const redirectUri = queryValue(call, 'redirect_uri') ?? '';
  if (!isReturnAddress(redirectUri)) {
    const texts = ['redirect_uri is missing, or is not an absolute address of the web or of an app.'];
    return answerErrorPage(call, 'emulator', { status: 400, title: 'Invalid request', texts });
  }
  const scope = scopeOfAuthorisation(authorisation);
  const asked = parseScope(queryValue(call, 'scope') ?? scope);
  const state = queryValue(call, 'state');
  if (asked === undefined || `${asked.service}:${asked.id}` !== scope) {
    const error_description = 'The scope is not what this authorisation was created for.';
    const location = appendQuery(redirectUri, { error: 'invalid_scope', error_description, state });
    return answerRedirect(call, 'emulator', location);
  }
  return {
    authorisation,
    scope,
    redirectUri,
    state,
    clientId: queryValue(call, 'client_id') ?? '',
    challenge: queryValue(call, 'code_challenge') ?? null,
    // RFC 7636 4.3
    method: queryValue(call, 'code_challenge_method') === 'S256' ? 'S256' : 'plain',
  };
}

/** The address of the request as the TPP made it, with parameters of the bank's own; a path. */
export function addressOf({ request }: Call, own: Readonly<Record<string, string | undefined>> = {}): string {
  const query = new URLSearchParams(
    request.query.filter(([name]) => !OWN_PARAMETERS.has(name)).map(([name, value]) => [name, value]),
  );
  for (const [name, value] of Object.entries(own)) if (value !== undefined) query.append(name, value);
  return `${request.path}?${query}`;
}
