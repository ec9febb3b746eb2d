/** How the PSU says yes: OAuth 2.0 with PKCE, by redirect. The work is done by oauth4webapi, over the mutual TLS. */
import * as oauth from 'oauth4webapi';
import { BankAway, type BankSettings, readJson, sendToBank } from './connection.js';

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
      const parameters = answerIn(returned, server, client, state);
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        oauth.None(),
        parameters,
        redirectUri,
        verifier,
        overMutualTls(bank),
      );
      return toAccess(await oauth.processAuthorizationCodeResponse(server, client, response).catch(noAccess));
    },
  };
}

/** What the bank says at the return. Throws, in words for the PSU, where that is a no or is not for this journey. */
function answerIn(
  returned: URL,
  server: oauth.AuthorizationServer,
  client: oauth.Client,
  state: string,
): URLSearchParams {
  try {
    return oauth.validateAuthResponse(server, client, returned, state);
  } catch (error) {
    if (!(error instanceof oauth.AuthorizationResponseError)) throw error;
    const { error: code, error_description: text = '' } = error;
    throw new Error(`The bank says that it was not authorised: ${code}. ${text}`, { cause: error });
  }
}

function noAccess(error: unknown): never {
  if (error instanceof oauth.ResponseBodyError)
    throw new Error(`The bank gives no access: ${error.error}. Please begin again.`, { cause: error });
  throw new BankAway('The bank gives no access at the moment. Please begin again.', error);
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
  const { response, text } = await sendToBank(bank, link);
  if (!response.ok) throw new BankAway(`The bank answered ${response.status}.`, text);
  return readJson(text) as oauth.AuthorizationServer;
}

function overMutualTls(bank: BankSettings) {
  const send = async (url: string, init: object) => {
    const { response, text } = await sendToBank(bank, url, init);
    return new Response(text, { status: response.status, headers: [...response.headers] });
  };
  return { [oauth.customFetch]: send as unknown as typeof globalThis.fetch };
}

function toAccess({ access_token, refresh_token, expires_in = 0 }: oauth.TokenEndpointResponse): Access {
  return { token: access_token, refreshToken: refresh_token, expiresIn: expires_in };
}
