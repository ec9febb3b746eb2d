/** How the PSU says yes: OAuth 2.0 with PKCE, by redirect. The work is done by oauth4webapi, over the mutual TLS. */
import * as oauth from 'oauth4webapi';
import * as z from 'zod';
import {
  BankAway,
  BankRefusal,
  type BankSettings,
  callBank,
  Problem,
  psuHeaders,
  send,
} from './connection.js';

export interface Authorisation {
  /** What is to be authorised: `AIS:<consent id>` or `PIS:<payment id>`. */
  readonly scope: string;
  /** The scaOAuth link of the creation; null where it had none. */
  readonly link: string | null;
  /** Where the bank sends the PSU afterwards; the same as at the creation. */
  readonly redirectUri: string;
  readonly psuIp?: string;
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

/** The PSU came back without a yes. */
export class NotAuthorised extends Problem {
  constructor(
    /** As the bank says it: `access_denied`. */
    readonly error: string,
    why: string,
  ) {
    super(why);
  }
}

/** Links of a creation. */
export const links = z.object({ scaOAuth: z.object({ href: z.url() }).optional() }).optional();
export const linkOf = ({ _links }: { readonly _links?: z.infer<typeof links> }): string | null =>
  _links?.scaOAuth?.href ?? null;

const started = z.object({ _links: z.object({ scaOAuth: z.object({ href: z.url() }) }) });
const discovery = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
});
const PATHS: Readonly<Record<string, string>> = {
  AIS: '/consents',
  PIS: '/payments/sepa-credit-transfers',
};
/** A token whose end is not said is used so many seconds. */
const UNSAID_SECONDS = 300;

export async function beginAuthorisation(
  bank: BankSettings,
  { scope, link, redirectUri, psuIp }: Authorisation,
): Promise<PendingAuthorisation> {
  const server = await discover(bank, link ?? (await start(bank, { scope, redirectUri, psuIp })));
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
    finish: (returned) =>
      toldInWords(async () => {
        const parameters = oauth.validateAuthResponse(server, client, returned, state);
        if (!parameters.has('code')) throw new NotAuthorised('no_code', NO_YES);
        const response = await oauth.authorizationCodeGrantRequest(
          server,
          client,
          oauth.None(),
          parameters,
          redirectUri,
          verifier,
          overMutualTls(bank),
        );
        return toAccess(await oauth.processAuthorizationCodeResponse(server, client, response), scope);
      }),
  };
}

/** A new access for an old one; its refresh token replaces the one before, which stays where there is no new one. */
export function refresh(bank: BankSettings, refreshToken: string, scope?: string): Promise<Access> {
  const server = { issuer: bank.api, token_endpoint: `${bank.api}/token` };
  const client = { client_id: bank.clientId };
  return toldInWords(async () => {
    const response = await oauth.refreshTokenGrantRequest(
      server,
      client,
      oauth.None(),
      refreshToken,
      overMutualTls(bank),
    );
    const access = toAccess(await oauth.processRefreshTokenResponse(server, client, response), scope);
    return { ...access, refreshToken: access.refreshToken ?? refreshToken };
  });
}

/** Where the bank wants an authorisation started by a call of its own; gives its link. */
async function start(
  bank: BankSettings,
  {
    scope,
    redirectUri,
    psuIp,
  }: Omit<Authorisation, 'link' | 'psuIp'> & { readonly psuIp: string | undefined },
): Promise<string> {
  const [service = '', id = ''] = scope.split(':');
  const answer = await callBank(bank, {
    method: 'POST',
    path: `${PATHS[service]}/${id}/authorisations`,
    headers: { 'TPP-Redirect-URI': redirectUri, ...psuHeaders(psuIp) },
    json: {},
    answers: started,
  });
  return answer._links.scaOAuth.href;
}

/** The link is the address of a discovery document, or (in production still) the authorize address itself. */
async function discover(bank: BankSettings, link: string): Promise<oauth.AuthorizationServer> {
  if (!new URL(link).pathname.endsWith('/.well-known/openid-configuration'))
    return { issuer: bank.api, authorization_endpoint: link, token_endpoint: `${bank.api}/token` };
  return callBank(bank, { path: link, answers: discovery });
}

function overMutualTls(bank: BankSettings) {
  const over = (url: string, init: object) => send(bank, new URL(url), init);
  return { [oauth.customFetch]: over as unknown as typeof globalThis.fetch };
}

function toAccess(
  { access_token, refresh_token, expires_in = UNSAID_SECONDS, scope }: oauth.TokenEndpointResponse,
  asked?: string,
): Access {
  if (asked !== undefined && scope !== undefined && scope !== asked)
    throw new BankAway('The bank gave less access than it was asked for.');
  return { token: access_token, refreshToken: refresh_token, expiresIn: expires_in };
}

const NO_YES = 'Your bank has no yes of yours. Nothing was authorised; you can begin again.';
const AT_THE_BANK = 'Something went wrong at your bank. Nothing was authorised; you can begin again.';

/** What oauth4webapi says is for developers: users are told what it means. */
async function toldInWords(work: () => Promise<Access>): Promise<Access> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof oauth.AuthorizationResponseError)
      throw new NotAuthorised(error.error, error.error === 'access_denied' ? NO_YES : AT_THE_BANK);
    if (error instanceof oauth.ResponseBodyError && error.status < 500)
      throw new BankRefusal(error.status, [{ code: error.error }]);
    if (
      error instanceof oauth.ResponseBodyError ||
      error instanceof oauth.WWWAuthenticateChallengeError ||
      error instanceof oauth.OperationProcessingError
    )
      throw new BankAway('The bank gave no access that can be used.', { cause: error });
    throw error;
  }
}
