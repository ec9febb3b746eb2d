/** The short verbs of a TPP at the living bank: a consent, its SCA without a browser, its tokens, its reads. */
import { expect } from 'vitest';
import {
  type CallOptions,
  CHALLENGE,
  type Reply,
  startTestGateway,
  type TestGateway,
  VERIFIER,
} from './harness.js';

export const V1 = '/stdgroup/v1';
export const BACK = 'https://tpp.example/back';
const PSU_PRESENT = { 'PSU-IP-Address': '192.0.2.1' };
const STATE = 'S8NJ7uqk5fY4EjNvP_G_FtyJu6pUsvH9jsYni9dMAJw';

export interface Created {
  readonly id: string;
  readonly authorisation: string;
}

export interface LivingTpp {
  readonly gateway: TestGateway;
  /** With the PSU present; `consent` and `token` for a read of accounts. */
  readonly ask: (asked: string, sent?: CallOptions & { consent?: string; token?: string }) => Promise<Reply>;
  readonly create: (body?: object, headers?: Record<string, string>) => Promise<Created>;
  /** The redirect that an SCA ends with. */
  readonly authorise: (created: Created, query?: Record<string, string>) => Promise<URL>;
  readonly exchange: (form: Record<string, string>, cert?: string) => Promise<Reply>;
  /** A consent that a PSU has given, with its tokens. */
  readonly linked: (body?: object, query?: Record<string, string>) => Promise<Linked>;
}

export interface Linked extends Created {
  readonly token: string;
  readonly refresh: string;
}

export async function startLivingBank(settings: Record<string, unknown> = {}): Promise<LivingTpp> {
  const gateway = await startTestGateway({ bank: 'living', ...settings });
  return livingTpp(gateway);
}

export function livingTpp(gateway: TestGateway, cert = 'tpp'): LivingTpp {
  let last = 0;
  const ask: LivingTpp['ask'] = (asked, { consent, token, headers, ...sent } = {}) => {
    const [method = '', path = ''] = asked.split(' ');
    const own = {
      'X-Request-ID': `99391c7e-ad88-49ec-a2ad-${String(++last).padStart(12, '0')}`,
      ...(consent === undefined ? {} : { 'Consent-Id': consent }),
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    };
    return gateway.call(V1 + path, {
      cert,
      ...sent,
      method,
      headers: { ...PSU_PRESENT, ...own, ...headers },
    });
  };

  const create: LivingTpp['create'] = async (body = {}, headers = {}) => {
    const json = {
      access: { allPsd2: 'allAccounts' },
      recurringIndicator: true,
      validUntil: new Date(gateway.now() + 60 * 86_400_000).toISOString().slice(0, 10),
      frequencyPerDay: 4,
      combinedServiceIndicator: false,
      ...body,
    };
    const made = await ask('POST /consents', { json, headers: { 'TPP-Redirect-URI': BACK, ...headers } });
    expect(made.status, made.text).toBe(201);
    const link: string = made.json._links.scaStatus?.href ?? '';
    return { id: made.json.consentId, authorisation: link.slice(link.lastIndexOf('/') + 1) };
  };

  const authorise: LivingTpp['authorise'] = async ({ id, authorisation }, query = {}) => {
    const discovery = `/stdgroup/.well-known/openid-configuration?authorizationId=${authorisation}`;
    const { json } = await gateway.call(discovery, { cert });
    const parameters = new URLSearchParams({
      ...{ scope: `AIS:${id}`, client_id: 'VALID_CLIENT_ID', state: `${STATE}${++last}`, redirect_uri: BACK },
      ...{ code_challenge: CHALLENGE, response_type: 'code', code_challenge_method: 'S256' },
      ...{ scenario: 'SCA_OK', psu: 'psu-1', ...query },
    });
    const end = await gateway.call(`${json.authorization_endpoint}?${parameters}`, { side: 'psu' });
    expect(end.status, end.text).toBe(302);
    return new URL(end.headers.location ?? '');
  };

  const exchange: LivingTpp['exchange'] = (form, as = cert) => {
    const code = { grant_type: 'authorization_code', code_verifier: VERIFIER };
    return gateway.call(`${V1}/token`, {
      cert: as,
      form: { client_id: 'VALID_CLIENT_ID', ...code, ...form },
    });
  };

  const linked: LivingTpp['linked'] = async (body, query) => {
    const created = await create(body);
    const back = await authorise(created, query);
    const { status, json, text } = await exchange({ code: back.searchParams.get('code') ?? '' });
    expect(status, text).toBe(200);
    return { ...created, token: json.access_token, refresh: json.refresh_token };
  };

  return { gateway, ask, create, authorise, exchange, linked };
}
