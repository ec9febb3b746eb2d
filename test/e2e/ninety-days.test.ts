/** Ninety days of a TPP that reads accounts each night: consent, refresh, limit, certificate and the end, in one go. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type IssueOrder, issueInto } from '../../src/app/certificates/index.js';
import { TEST_CERTIFICATES } from '../../src/app/certificates/test-certificates.js';
import { CHALLENGE, DAY_MS, type Reply, startTestGateway, type TestGateway, VERIFIER } from './harness.js';

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startTestGateway({ bank: 'living' });
});
afterEach(() => gateway.close());

const V1 = '/stdgroup/v1';
const REDIRECT_URI = 'https://tpp.example/back';
const CLIENT_ID = 'VALID_CLIENT_ID';

interface Tokens {
  readonly access: string;
  readonly refresh: string;
}

const tokensOf = ({ json }: Reply): Tokens => ({ access: json.access_token, refresh: json.refresh_token });
const dayAfter = (days: number) => new Date(gateway.now() + days * DAY_MS).toISOString().slice(0, 10);

async function createConsent(cert: string): Promise<{ id: string; link: string }> {
  const created = await gateway.call(`${V1}/consents`, {
    cert,
    headers: { 'TPP-Redirect-URI': REDIRECT_URI, 'PSU-IP-Address': '192.0.2.1' },
    json: {
      access: { allPsd2: 'allAccounts' },
      recurringIndicator: true,
      validUntil: dayAfter(89),
      frequencyPerDay: 4,
      combinedServiceIndicator: false,
    },
  });
  expect(created.status, created.text).toBe(201);
  return { id: created.json.consentId, link: created.json._links.scaOAuth.href };
}

/** The PSU says yes; the TPP gets its tokens. */
async function authorise(cert: string, { id, link }: { id: string; link: string }): Promise<Tokens> {
  const discovery = await gateway.call(link, { cert });
  const url = new URL(discovery.json.authorization_endpoint);
  url.search = new URLSearchParams({
    scope: `AIS:${id}`,
    client_id: CLIENT_ID,
    state: `state-${id}`,
    redirect_uri: REDIRECT_URI,
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    response_type: 'code',
    scenario: 'SCA_OK',
    psu: 'psu-1',
  }).toString();
  const back = await gateway.call(url.href, { cert: null });
  expect(back.status, back.text).toBe(302);
  const code = new URL(back.headers.location ?? '').searchParams.get('code') ?? '';
  const form = {
    grant_type: 'authorization_code',
    client_id: CLIENT_ID,
    code,
    code_verifier: VERIFIER,
    redirect_uri: REDIRECT_URI,
  };
  const answer = await gateway.call(`${V1}/token`, { cert, form });
  expect(answer.status, answer.text).toBe(200);
  return tokensOf(answer);
}

async function refresh(cert: string, token: string): Promise<Reply> {
  const form = { grant_type: 'refresh_token', client_id: CLIENT_ID, refresh_token: token };
  return gateway.call(`${V1}/token`, { cert, form });
}

const readAtNight = (cert: string, consent: string, token: string) =>
  gateway.call(`${V1}/accounts`, {
    cert,
    headers: { Authorization: `Bearer ${token}`, 'Consent-Id': consent, 'PSU-IP-Address': undefined },
  });

/** A certificate of the test TPP that ends so many days from now. */
async function endingAfter(days: number): Promise<string> {
  const name = `ends-after-${days}-${process.pid}`;
  const order = {
    name,
    organisation: TEST_CERTIFICATES.tpp.organisation,
    roles: TEST_CERTIFICATES.tpp.roles,
    keyType: 'ec-p256',
    qcType: 'web',
    encoding: 'standard',
    notBefore: gateway.now() - DAY_MS,
    notAfter: gateway.now() + days * DAY_MS - 3_600_000,
    p12: null,
    force: true,
  } as const satisfies IssueOrder;
  await issueInto(gateway.certs, order, Date.now());
  return name;
}

describe('ninety days of a consent', () => {
  it('are read each night with a fresh token, under two certificates, and end on the last day', async () => {
    let cert = await endingAfter(60);
    const consent = await createConsent(cert);
    let tokens = await authorise(cert, consent);
    const first = await readAtNight(cert, consent.id, tokens.access);
    expect(first.status, first.text).toBe(200);
    for (let day = 1; day < 90; day++) {
      gateway.move(DAY_MS);
      const late = await readAtNight(cert, consent.id, tokens.access);
      if (day === 60) {
        expect([late.status, late.codes]).toEqual([401, ['CERTIFICATE_EXPIRED']]);
        cert = 'tpp';
      } else expect([late.status, late.codes]).toEqual([401, ['TOKEN_EXPIRED']]);
      const refreshed = await refresh(cert, tokens.refresh);
      expect(refreshed.status, `day ${day}: ${refreshed.text}`).toBe(200);
      tokens = tokensOf(refreshed);
      const reads = day % 30 === 0 ? 5 : 1;
      for (let read = 1; read <= reads; read++) {
        const answer = await readAtNight(cert, consent.id, tokens.access);
        expect(answer.status, `day ${day}, read ${read}: ${answer.text}`).toBe(read < 5 ? 200 : 429);
        if (answer.status === 200) expect(answer.json.accounts).toHaveLength(first.json.accounts.length);
      }
    }
    gateway.move(DAY_MS);
    const status = await gateway.call(`${V1}/consents/${consent.id}/status`, { cert });
    expect(status.json).toEqual({ consentStatus: 'expired' });
    expect((await readAtNight(cert, consent.id, tokens.access)).status).toBe(401);
    const ended = await refresh(cert, tokens.refresh);
    expect([ended.status, ended.json.error]).toEqual([400, 'invalid_grant']);

    const renewed = await createConsent(cert);
    const anew = await authorise(cert, renewed);
    expect((await readAtNight(cert, renewed.id, anew.access)).status).toBe(200);
  });
});
