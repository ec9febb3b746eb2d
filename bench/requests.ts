/** The requests that the load consists of, as bytes in base64. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, request } from 'undici';

export function requestFor(path: string, more: readonly string[] = []): string {
  const lines = [`GET ${path} HTTP/1.1`, 'Host: localhost', 'Accept: application/json', ...more];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`).toString('base64');
}

/** The list of accounts, about 1 KB, with a token fetched before; the PSU's address keeps it out of the daily limit. */
export async function accountsRequest(port: number, certs: string): Promise<string> {
  return accountsRequestWith(await accountsToken(port, certs));
}

/** A token of the sandbox bank, for its valid consent. */
export async function accountsToken(port: number, certs: string): Promise<string> {
  const file = (name: string) => readFileSync(join(certs, name));
  const agent = new Agent({ connect: { ca: file('ca.pem'), cert: file('tpp.pem'), key: file('tpp.key') } });
  const form = {
    grant_type: 'authorization_code',
    client_id: 'VALID_CLIENT_ID',
    code: 'AIS_VALID_CODE',
    code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  };
  const answer = await request(`https://localhost:${port}/stdgroup/v1/token`, {
    dispatcher: agent,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  });
  const { access_token: token } = (await answer.body.json()) as { access_token: string };
  await agent.close();
  return token;
}

/** The same with any token. */
export const accountsRequestWith = (token: string): string => readRequest('', token, 'VALID_CONSENT_ID');

/** A read of accounts; `path`: below `/accounts`. */
export function readRequest(path: string, token: string, consent: string): string {
  return requestFor(`/stdgroup/v1/accounts${path}`, [
    `Authorization: Bearer ${token}`,
    `Consent-Id: ${consent}`,
    'X-Request-ID: 99391c7e-ad88-49ec-a2ad-99ddcb1f7721',
    'PSU-IP-Address: 192.0.2.1',
  ]);
}
