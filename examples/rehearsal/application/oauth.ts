/** OAuth 2.0 with PKCE over the line to the bank; the work is done by oauth4webapi. */
import * as oauth from 'oauth4webapi';
import * as z from 'zod';
import type { BankLine } from './bank.js';

const CLIENT_ID = 'VALID_CLIENT_ID';
const DISCOVERY = '/.well-known/openid-configuration';
const client = { client_id: CLIENT_ID };

export interface Access {
  readonly accessToken: string;
  readonly refreshToken: string | null;
  /** null: the bank did not say. */
  readonly seconds: number | null;
}

export const newState = oauth.generateRandomState;
export const newVerifier = oauth.generateRandomCodeVerifier;

const discovery = z.object({ authorization_endpoint: z.url() });

/** Where the PSU's browser is sent; the link is a discovery document or the authorize address itself. */
export async function authorizeAddress(
  bank: BankLine,
  {
    link,
    scope,
    state,
    verifier,
    redirectUri,
  }: Readonly<Record<'link' | 'scope' | 'state' | 'verifier' | 'redirectUri', string>>,
): Promise<string> {
  const { authorization_endpoint } = new URL(link).pathname.endsWith(DISCOVERY)
    ? await bank.call({ path: link, answers: discovery })
    : { authorization_endpoint: link };
  const url = new URL(authorization_endpoint);
  const parameters = {
    ...{ scope, client_id: CLIENT_ID, state, redirect_uri: redirectUri, response_type: 'code' },
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

const serverOf = ({ api }: BankLine) => ({ issuer: api, token_endpoint: `${api}/token` });
const over = (bank: BankLine) => ({ [oauth.customFetch]: bank.fetch });

/** Exchanges the code of a return. Throws where the bank gives no access, or less than was asked for. */
export async function exchange(
  bank: BankLine,
  returned: URL,
  {
    state,
    verifier,
    redirectUri,
    scope,
  }: Readonly<Record<'state' | 'verifier' | 'redirectUri' | 'scope', string>>,
): Promise<Access> {
  const server = serverOf(bank);
  const parameters = oauth.validateAuthResponse(server, client, returned, state);
  const response = await oauth.authorizationCodeGrantRequest(
    ...[server, client, oauth.None(), parameters, redirectUri, verifier, over(bank)],
  );
  return accessOf(await oauth.processAuthorizationCodeResponse(server, client, response), scope);
}

export async function refresh(bank: BankLine, refreshToken: string, scope: string): Promise<Access> {
  const server = serverOf(bank);
  const response = await oauth.refreshTokenGrantRequest(
    server,
    client,
    oauth.None(),
    refreshToken,
    over(bank),
  );
  return accessOf(await oauth.processRefreshTokenResponse(server, client, response), scope);
}

/** Whether the bank has decided: it will not take this token any more. */
export const isRefused = (error: unknown): boolean =>
  error instanceof oauth.ResponseBodyError && error.status < 500;

function accessOf(answer: oauth.TokenEndpointResponse, scope: string): Access {
  if (answer.scope !== undefined && answer.scope !== scope)
    throw new Error('The bank gave less access than it was asked for.');
  return {
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token ?? null,
    seconds: answer.expires_in ?? null,
  };
}
