/** How the PSU says yes: OAuth 2.0 with PKCE, by redirect. The work is done by oauth4webapi, over the mutual TLS. */
import * as oauth from 'oauth4webapi';
import { fetch } from 'undici';
import type { BankSettings } from './connection.js';

export interface Authorisation {
  /** What is to be authorised: `AIS:<consent id>` or `PIS:<payment id>`. */
  readonly scope: string;
  /** The scaOAuth link of the creation. */
  readonly link: string;
  /** Where the bank sends the PSU afterwards; the same as at the creation. */
  readonly redirectUri: string;
}

/** The PSU is on the way; keep this with the PSU's session. */
export interface PendingAuthorisation {
  /** Send the PSU's browser here. */
  readonly url: URL;
  /** Takes the address at which the PSU came back. Throws where the PSU or the bank said no. */
  readonly finish: (returned: URL) => Promise<Access>;
}

/** Access to what was authorised, for a while. */
export interface Access {
  readonly token: string;
  /** Gives a new access, for 90 days. */
  readonly refreshToken: string | undefined;
  /** Seconds that the token lives. */
  readonly expiresIn: number;
}

export async function beginAuthorisation(
  bank: BankSettings,
  { scope, link, redirectUri }: Authorisation,
): Promise<PendingAuthorisation> {
  const server = await discover(bank, link);
  const client = { client_id: bank.clientId };
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const url = new URL(server.authorization_endpoint ?? '');
  url.search = new URLSearchParams({
    scope,
    client_id: client.client_id,
    state,
    redirect_uri: redirectUri,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    response_type: 'code',
  }).toString();
  return {
    url,
    finish: async (returned) => {
      const parameters = oauth.validateAuthResponse(server, client, returned, state);
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        oauth.None(),
        parameters,
        redirectUri,
        verifier,
        overMutualTls(bank),
      );
      return toAccess(await oauth.processAuthorizationCodeResponse(server, client, response));
    },
  };
}

/** A new access for an old one; its refresh token replaces the one before. */
export async function refresh(bank: BankSettings, refreshToken: string): Promise<Access> {
  const server = { issuer: bank.api, token_endpoint: `${bank.api}/token` };
  const client = { client_id: bank.clientId };
  const response = await oauth.refreshTokenGrantRequest(
    server,
    client,
    oauth.None(),
    refreshToken,
    overMutualTls(bank),
  );
  return toAccess(await oauth.processRefreshTokenResponse(server, client, response));
}

/** The link is the address of a discovery document, or (in production still) the authorize address itself. */
async function discover(bank: BankSettings, link: string): Promise<oauth.AuthorizationServer> {
  if (!new URL(link).pathname.endsWith('/.well-known/openid-configuration'))
    return { issuer: bank.api, authorization_endpoint: link, token_endpoint: `${bank.api}/token` };
  const response = await fetch(link, { dispatcher: bank.dispatcher });
  if (!response.ok) throw new Error(`The discovery document cannot be read: ${response.status}`);
  return (await response.json()) as oauth.AuthorizationServer;
}

function overMutualTls({ dispatcher }: BankSettings) {
  const send = (url: string, init: object) =>
    fetch(url, { ...init, dispatcher } as Parameters<typeof fetch>[1]);
  return { [oauth.customFetch]: send as unknown as typeof globalThis.fetch };
}

function toAccess({ access_token, refresh_token, expires_in = 0 }: oauth.TokenEndpointResponse): Access {
  return { token: access_token, refreshToken: refresh_token, expiresIn: expires_in };
}
