/** Several TPPs, and several flows of one, at the same time: each link leads to its own page, status and end. */
import { createHash, randomBytes } from 'node:crypto';
import * as oauth from 'oauth4webapi';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCA_SCENARIO_IDS, SCA_SCENARIOS } from '../../src/spec/index.js';
import { startTestGateway, type TestGateway } from './harness.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

const CLIENT = 'VALID_CLIENT_ID';
const TPPS = { tpp: 'PSDBE-NBB-0123456789', 'tpp-other': 'PSDDE-BAFIN-987654' } as const;

interface Wanted {
  readonly kind?: 'consents' | 'payments/sepa-credit-transfers';
  readonly cert?: keyof typeof TPPS;
  readonly explicit?: boolean;
  /** Its return addresses are `https://NAME.example/back` and `…/nok`. */
  readonly name?: string;
}

interface Flow {
  readonly cert: keyof typeof TPPS;
  readonly scope: string;
  readonly scaOAuth: string;
  readonly scaStatus: string;
  readonly redirectUri: string;
}

const inDays = (days: number) => new Date(gateway.now() + days * 86_400_000).toISOString().slice(0, 10);

async function begin(wanted: Wanted = {}): Promise<Flow> {
  const { kind = 'consents', cert = 'tpp', explicit = false, name = 'tpp' } = wanted;
  const redirectUri = `https://${name}.example/back`;
  const created = await gateway.call(`/stdgroup/v1/${kind}`, {
    cert,
    headers: {
      'TPP-Redirect-URI': redirectUri,
      'TPP-Nok-Redirect-URI': `https://${name}.example/nok`,
      'PSU-IP-Address': '192.0.2.1',
      'TPP-Explicit-Authorisation-Preferred': String(explicit),
    },
    json:
      kind === 'consents'
        ? {
            access: { allPsd2: 'allAccounts' },
            recurringIndicator: true,
            validUntil: inDays(80),
            frequencyPerDay: 4,
            combinedServiceIndicator: false,
          }
        : {
            instructedAmount: { currency: 'EUR', amount: '123.50' },
            debtorAccount: { iban: 'BE14983120441783' },
            creditorAccount: { iban: 'BE86986509812450' },
            creditorName: 'Jane Doe',
          },
  });
  expect(created.status, created.text).toBe(201);
  const { consentId, paymentId, _links } = created.json;
  const links = explicit
    ? (await gateway.call(_links.startAuthorisation.href, { method: 'POST', cert })).json._links
    : _links;
  const scope = consentId === undefined ? `PIS:${paymentId}` : `AIS:${consentId}`;
  return { cert, scope, scaOAuth: links.scaOAuth.href, scaStatus: links.scaStatus.href, redirectUri };
}

const discover = async ({ scaOAuth, cert }: Flow) =>
  (await gateway.call(scaOAuth, { cert })).json as oauth.AuthorizationServer;

/** The authorize address of a client that puts its parameters where a query was, as libraries do. */
async function authorizeUrl(flow: Flow, more: Record<string, string> = {}) {
  const server = await discover(flow);
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const url = new URL(server.authorization_endpoint ?? '');
  url.search = new URLSearchParams({
    scope: flow.scope,
    client_id: CLIENT,
    state,
    redirect_uri: flow.redirectUri,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    response_type: 'code',
    ...more,
  }).toString();
  return { server, state, verifier, url };
}

async function end(flow: Flow, scenario: string): Promise<URL> {
  const { url } = await authorizeUrl(flow, { scenario });
  return new URL((await gateway.call(url.href, { side: 'psu' })).headers.location ?? '');
}

const statusOf = async ({ scaStatus, cert }: Flow) =>
  (await gateway.call(scaStatus, { cert })).json.scaStatus;

const KINDS: readonly [string, Wanted][] = [
  ['a consent', {}],
  ['an explicit consent', { explicit: true }],
  ['a payment', { kind: 'payments/sepa-credit-transfers' }],
  ['an explicit payment', { kind: 'payments/sepa-credit-transfers', explicit: true }],
];

describe('the scaStatus link that was handed out', () => {
  it.each(KINDS)('of %s says received before the PSU has been anywhere', async (_, wanted) => {
    const flow = await begin(wanted);
    expect(await statusOf(flow)).toBe('received');
    const { url } = await authorizeUrl(flow);
    await gateway.call(url.href, { side: 'psu' });
    expect(await statusOf(flow)).toBe('received');
  });

  it.each(KINDS)('of %s says what came of it, as docs/endpoints.md has it', async (_, wanted) => {
    for (const scenario of SCA_SCENARIO_IDS) {
      const flow = await begin(wanted);
      await end(flow, scenario);
      expect([scenario, await statusOf(flow)]).toEqual([scenario, SCA_SCENARIOS[scenario].scaStatus]);
    }
  });

  it('tells nothing to another TPP', async () => {
    const flow = await begin();
    const read = await gateway.call(flow.scaStatus, { cert: 'tpp-other' });
    const discovery = await gateway.call(flow.scaOAuth, { cert: 'tpp-other' });
    expect([read.status, discovery.status]).toEqual([404, 404]);
  });
});

describe('flows at the same time', () => {
  it('lead two TPPs each to a page that names it, and to its own Nok address', async () => {
    const flows = [
      await begin({ cert: 'tpp', name: 'one' }),
      await begin({ cert: 'tpp-other', name: 'two' }),
    ] as const;
    for (const [flow, other] of [flows, [flows[1], flows[0]]] as const) {
      const { url } = await authorizeUrl(flow);
      const page = await gateway.call(url.href, { side: 'psu' });
      expect(page.text).toContain(TPPS[flow.cert]);
      expect(page.text).not.toContain(TPPS[other.cert]);
      const location = await end(flow, 'SCA_NOK');
      expect(location.origin + location.pathname).toBe(flow.redirectUri.replace('back', 'nok'));
    }
  });

  it('of one TPP keep their addresses and their outcomes apart', async () => {
    const [first, second] = [await begin({ name: 'first' }), await begin({ name: 'second' })];
    expect((await end(first, 'SCA_CANCEL')).host).toBe('first.example');
    expect((await end(second, 'SCA_CANCEL')).pathname).toBe('/nok');
    expect((await end(second, 'SCA_OK')).searchParams.get('code')).toBe('AIS_VALID_CODE');
    expect([await statusOf(first), await statusOf(second)]).toEqual(['failed', 'finalised']);
    const findings = (await gateway.records()).flatMap((record) => record.findings);
    expect(findings.filter(({ rule }) => rule === 'oauth/redirect-uri-matches-creation')).toEqual([]);
  });

  it('a hundred at once have a hundred authorisations', async () => {
    const flows = await Promise.all(Array.from({ length: 100 }, () => begin()));
    expect(new Set(flows.map(({ scaStatus }) => scaStatus)).size).toBe(100);
    expect(new Set(await Promise.all(flows.map(statusOf)))).toEqual(new Set(['received']));
  });
});

describe('an explicit consent', () => {
  it('is valid for status, read and accounts once the PSU has authorised it', async () => {
    const flow = await begin({ explicit: true });
    const consent = '/stdgroup/v1/consents/CONSENT_ID_NO_AUTHORIZATION';
    const { server, state, verifier, url } = await authorizeUrl(flow, { scenario: 'SCA_OK' });
    const back = new URL((await gateway.call(url.href, { side: 'psu' })).headers.location ?? '');
    const client = { client_id: CLIENT };
    const code = oauth.validateAuthResponse(server, client, back, state).get('code') ?? '';
    const form = { grant_type: 'authorization_code', client_id: CLIENT, code, code_verifier: verifier };
    const token = (await gateway.call('/stdgroup/v1/token', { form })).json;
    expect(token.scope).toBe(flow.scope);
    expect((await gateway.call(`${consent}/status`)).json).toEqual({ consentStatus: 'valid' });
    expect((await gateway.call(consent)).json.consentStatus).toBe('valid');
    const headers = gateway.accountHeaders(token.access_token, {
      'Consent-Id': 'CONSENT_ID_NO_AUTHORIZATION',
    });
    expect((await gateway.call('/stdgroup/v1/accounts', { headers })).status).toBe(200);
  });
});

describe('two scopes at one authorisation, with one state and one challenge', () => {
  it('take the right verifier for the second', async () => {
    const verifier = randomBytes(32).toString('base64url');
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const flow = await begin({ explicit: true });
    const parameters = { state: randomBytes(32).toString('base64url'), code_challenge: challenge };
    const code = async (scope: string) => {
      const { url } = await authorizeUrl(flow, { ...parameters, scope, scenario: 'SCA_OK' });
      const location = (await gateway.call(url.href, { side: 'psu' })).headers.location ?? '';
      return new URL(location).searchParams.get('code') ?? '';
    };
    await code('AIS:VALID_CONSENT_ID');
    const form = {
      grant_type: 'authorization_code',
      client_id: CLIENT,
      code: await code('AIS:CONSENT_ID_NO_AUTHORIZATION'),
      code_verifier: verifier,
    };
    expect((await gateway.call('/stdgroup/v1/token', { form })).json.scope).toBe(
      'AIS:CONSENT_ID_NO_AUTHORIZATION',
    );
    const findings = (await gateway.records()).flatMap((record) => record.findings);
    expect(findings.filter(({ rule }) => rule === 'oauth/verifier-matches-challenge')).toEqual([]);
  });
});

describe('a fingerprint out of a recording', () => {
  it('opens nothing that its secret opens', async () => {
    const headers = gateway.accountHeaders(await gateway.token());
    const read = (authorization?: string) =>
      gateway.call('/stdgroup/v1/accounts', {
        headers: { ...headers, ...(authorization && { Authorization: authorization }) },
      });
    expect((await read()).status).toBe(200);
    const sent = (await gateway.records()).at(-1)?.exchange.call.header.authorization ?? '';
    expect(sent).toMatch(/^Bearer fp_/);
    expect((await read(sent)).status).toBe(401);
  });
});
