/** A real OAuth client library walks from the consent to the accounts. */
import * as oauth from 'oauth4webapi';
import { Agent, fetch as undiciFetch } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from './harness.js';

const WEB = 'https://tpp.example/back';
const APP = 'com.tpp.app://callback';
let gateway: TestGateway;
let agent: Agent;

beforeAll(async () => {
  gateway = await startTestGateway();
  const own = { cert: gateway.file('tpp.pem'), key: gateway.file('tpp.key') };
  agent = new Agent({ connect: { ca: gateway.file('ca.pem'), ...own } });
});
afterAll(async () => {
  await agent.close();
  await gateway.close();
});

/** The library's fetch, over the connection that holds the certificate. */
const customFetch = (url: string, init: object) =>
  undiciFetch(url, { ...init, dispatcher: agent } as Parameters<
    typeof undiciFetch
  >[1]) as unknown as Promise<Response>;
const withFetch = { [oauth.customFetch]: customFetch };

async function createConsent(redirectUri: string): Promise<{ consentId: string; link: URL }> {
  const answer = await gateway.call('/stdgroup/v1/consents', {
    headers: { 'TPP-Redirect-URI': redirectUri, 'PSU-IP-Address': '192.0.2.1' },
    json: {
      access: { allPsd2: 'allAccounts' },
      recurringIndicator: true,
      validUntil: new Date(gateway.now() + 80 * 86_400_000).toISOString().slice(0, 10),
      frequencyPerDay: 4,
      combinedServiceIndicator: false,
    },
  });
  return { consentId: answer.json.consentId, link: new URL(answer.json._links.scaOAuth.href) };
}

/** The document is per authorisation, so its issuer is not that of RFC 8414: the library is given what was read. */
async function discover(link: URL): Promise<oauth.AuthorizationServer> {
  const response = await customFetch(link.href, { headers: {} });
  expect(response.status).toBe(200);
  return (await response.json()) as oauth.AuthorizationServer;
}

describe('a client library', () => {
  it.each([
    ['web', WEB],
    ['app', APP],
  ])(
    'of the %s walks consent, discovery, authorize, SCA page, token, refresh and accounts',
    async (_, redirectUri) => {
      const { consentId, link } = await createConsent(redirectUri);
      const server = await discover(link);
      const client: oauth.Client = { client_id: 'VALID_CLIENT_ID' };
      const verifier = oauth.generateRandomCodeVerifier();
      const state = oauth.generateRandomState();
      const authorize = new URL(server.authorization_endpoint ?? '');
      authorize.search = new URLSearchParams({
        scope: `AIS:${consentId}`,
        client_id: client.client_id,
        state,
        redirect_uri: redirectUri,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        response_type: 'code',
      }).toString();

      // The PSU: reads the page, chooses the outcome, reads what came of it, goes on.
      const page = await gateway.call(authorize.href, { side: 'psu' });
      const chosen = formOf(page.text, authorize, 'SCA_OK');
      const information = await gateway.call(chosen, { side: 'psu' });
      const onward =
        /<a class="button" href="([^"]+)"/.exec(information.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
      const end = await gateway.call(new URL(onward, authorize).href, { side: 'psu' });
      expect(end.status).toBe(302);
      expect(end.headers.location?.split('?')[0]).toBe(redirectUri);

      const parameters = oauth.validateAuthResponse(
        server,
        client,
        new URL(end.headers.location ?? ''),
        state,
      );
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        oauth.None(),
        parameters,
        redirectUri,
        verifier,
        withFetch,
      );
      const token = await oauth.processAuthorizationCodeResponse(server, client, response);
      expect(token.scope).toBe(`AIS:${consentId}`);

      const refreshed = await oauth.processRefreshTokenResponse(
        server,
        client,
        await oauth.refreshTokenGrantRequest(
          server,
          client,
          oauth.None(),
          token.refresh_token ?? '',
          withFetch,
        ),
      );
      const accounts = await oauth.protectedResourceRequest(
        refreshed.access_token,
        'GET',
        new URL(server.userinfo_endpoint ?? ''),
        new Headers({
          'Consent-Id': consentId,
          'X-Request-ID': crypto.randomUUID(),
          'PSU-IP-Address': '192.0.2.1',
        }),
        null,
        withFetch,
      );
      expect(accounts.status).toBe(200);
      expect(((await accounts.json()) as { accounts: unknown[] }).accounts).toHaveLength(4);

      const findings = (await gateway.records()).flatMap((record) => record.findings);
      expect(findings.filter(({ severity }) => severity === 'must' || severity === 'should')).toEqual([]);
    },
  );

  it('learns of a cancelled SCA by the error at the redirect', async () => {
    const { consentId, link } = await createConsent(WEB);
    const server = await discover(link);
    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const authorize = new URL(server.authorization_endpoint ?? '');
    authorize.search = new URLSearchParams({
      scope: `AIS:${consentId}`,
      client_id: 'VALID_CLIENT_ID',
      state,
      redirect_uri: WEB,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      response_type: 'code',
      scenario: 'SCA_CANCEL',
    }).toString();
    const end = await gateway.call(authorize.href, { side: 'psu' });
    const location = new URL(end.headers.location ?? '');
    const client = { client_id: 'VALID_CLIENT_ID' };
    expect(() => oauth.validateAuthResponse(server, client, location, state)).toThrow(
      expect.objectContaining({ error: 'access_denied' }),
    );
  });
});

/** Where the form of the page leads with one of its choices. */
function formOf(page: string, base: URL, choice: string): string {
  const action = /<form method="get" action="([^"]+)"/.exec(page)?.[1] ?? '';
  const url = new URL(action, base);
  for (const [, name = '', value = ''] of page.matchAll(
    /<input type="hidden" name="([^"]+)" value="([^"]*)">/g,
  ))
    url.searchParams.append(name, value.replaceAll('&amp;', '&'));
  expect(page).toContain(`value="${choice}"`);
  url.searchParams.append('choice', choice);
  return url.href;
}
