/** Makes a session such as a TPP in development leaves behind, for pictures: mostly right, with a few faults. */
import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, request } from 'undici';

const CLIENT = 'PSDBE-NBB-0123456789';
const BACK = 'https://tpp.example/back';
const V1 = '/stdgroup/v1';
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

export interface Stage {
  readonly api: string;
  readonly certs: string;
  /** Epoch ms. */
  readonly now: () => number;
  /** Moves the clock on by so many ms. */
  readonly move: (ms: number) => void;
}

interface Call {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly json?: unknown;
  readonly form?: Record<string, string>;
  /** Name of a certificate; of the browser, none. */
  readonly cert?: string | null;
}

interface Client {
  readonly call: (url: string, call?: Call) => Promise<{ json: Json; location: string }>;
  readonly day: (days: number) => string;
  readonly pause: (ms: number) => void;
  readonly close: () => Promise<void>;
}
interface Json {
  readonly [name: string]: Json | undefined;
}

export async function playSession(stage: Stage): Promise<void> {
  const client = openClient(stage);
  await readAccounts(client);
  client.pause(DAY_MS / 12);
  await pay(client);
  client.pause(DAY_MS / 24);
  await goWrong(client);
  await client.close();
}

/** A consent and its token; gives a read of its accounts that forgets the consent. */
export async function playBrokenRead(stage: Stage): Promise<() => Promise<void>> {
  const client = openClient(stage);
  const { id, link } = await createConsent(client, client.day(80));
  const token = await authorise(client, link, `AIS:${id}`);
  client.pause(2_000);
  return async () => {
    const headers = { ...requestId(), ...ip, Authorization: `Bearer ${token}` };
    await client.call(`${V1}/accounts`, { headers });
    await client.close();
  };
}

function openClient({ api, certs, now, move }: Stage): Client {
  const read = (name: string) => readFileSync(join(certs, name), 'utf8');
  const agents = new Map<string, Agent>();
  const agentOf = (cert: string | null): Agent => {
    const known = agents.get(cert ?? '');
    if (known !== undefined) return known;
    const own = cert === null ? {} : { cert: read(`${cert}.pem`), key: read(`${cert}.key`) };
    const agent = new Agent({ connect: { ca: read('ca.pem'), ...own } });
    agents.set(cert ?? '', agent);
    return agent;
  };
  return {
    call: async (url, { method, headers = {}, json, form, cert = 'tpp' } = {}) => {
      const body = form === undefined ? json && JSON.stringify(json) : new URLSearchParams(form).toString();
      const type = form === undefined ? 'application/json' : 'application/x-www-form-urlencoded';
      const reply = await request(url.startsWith('/') ? api + url : url, {
        dispatcher: agentOf(cert),
        method: (method ?? (body === undefined ? 'GET' : 'POST')) as 'GET',
        headers: { ...(body === undefined ? {} : { 'Content-Type': type }), ...headers },
        body: body === undefined ? null : String(body),
      });
      move(1_400);
      const text = await reply.body.text();
      return { json: text.startsWith('{') ? JSON.parse(text) : {}, location: String(reply.headers.location) };
    },
    day: (days) => new Date(now() + days * DAY_MS).toISOString().slice(0, 10),
    pause: move,
    close: async () => void (await Promise.all([...agents.values()].map((agent) => agent.close()))),
  };
}

const ip = { 'PSU-IP-Address': '192.0.2.7' };
const requestId = () => ({ 'X-Request-ID': randomUUID() });
const text = (json: Json | undefined): string => (typeof json === 'string' ? json : '');
const linkOf = (json: Json) => text(json._links?.scaOAuth?.href);

async function createConsent(client: Client, validUntil: string) {
  const { json } = await client.call(`${V1}/consents`, {
    headers: { ...requestId(), ...ip, 'TPP-Redirect-URI': BACK },
    json: {
      access: { allPsd2: 'allAccounts' },
      recurringIndicator: true,
      validUntil,
      frequencyPerDay: 4,
      combinedServiceIndicator: false,
    },
  });
  return { id: text(json.consentId), link: linkOf(json) };
}

/** From the link of a creation to an access token. */
async function authorise(client: Client, link: string, scope: string): Promise<string> {
  const verifier = createHash('sha256').update(`${scope} ${link}`).digest('base64url');
  const discovery = (await client.call(link, { headers: requestId() })).json;
  const query = new URLSearchParams({
    scope,
    client_id: CLIENT,
    state: randomUUID().replaceAll('-', ''),
    redirect_uri: BACK,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    response_type: 'code',
  });
  const page = `${text(discovery.authorization_endpoint)}?${query}`;
  client.pause(2_000);
  await client.call(page, { cert: null });
  client.pause(20_000);
  const { location } = await client.call(`${page}&scenario=SCA_OK`, { cert: null });
  const { json } = await client.call(text(discovery.token_endpoint), {
    form: {
      grant_type: 'authorization_code',
      client_id: CLIENT,
      code: new URL(location).searchParams.get('code') ?? '',
      code_verifier: verifier,
      redirect_uri: BACK,
    },
  });
  return text(json.access_token);
}

/** Six readings of one balance without the PSU, where four a day are allowed. */
async function readAccounts(client: Client): Promise<void> {
  const { id, link } = await createConsent(client, client.day(80));
  const token = await authorise(client, link, `AIS:${id}`);
  const headers = () => ({ ...requestId(), Authorization: `Bearer ${token}`, 'Consent-Id': id });
  await client.call(`${V1}/consents/${id}/status`, { headers: requestId() });
  const { json } = await client.call(`${V1}/accounts?withBalance=true`, { headers: { ...headers(), ...ip } });
  const accounts = (json.accounts ?? []) as unknown as readonly Json[];
  const account = `${V1}/accounts/${text(accounts[0]?.resourceId)}`;
  await client.call(account, { headers: { ...headers(), ...ip } });
  await client.call(`${account}/transactions?dateFrom=${client.day(-89)}&bookingStatus=booked`, {
    headers: headers(),
  });
  for (let i = 0; i < 6; i++) {
    client.pause(6 * MINUTE_MS);
    await client.call(`${account}/balances`, { headers: headers() });
  }
  client.pause(2 * DAY_MS);
  await client.call(`${V1}/accounts`, { headers: headers() });
  client.pause(5 * DAY_MS);
  await client.call(`${V1}/consents/${id}`, { method: 'DELETE', headers: requestId() });
}

async function pay(client: Client): Promise<void> {
  const transfer = {
    instructedAmount: { currency: 'EUR', amount: '123.50' },
    debtorAccount: { iban: 'BE14983120441783' },
    creditorAccount: { iban: 'BE86986509812450' },
    creditorName: 'Jane Doe',
    endToEndIdentification: 'INV-2026-000123',
  };
  const payments = `${V1}/payments/sepa-credit-transfers`;
  const headers = () => ({ ...requestId(), ...ip, 'TPP-Redirect-URI': BACK });
  const { json } = await client.call(payments, { headers: headers(), json: transfer });
  await authorise(client, linkOf(json), `PIS:${text(json.paymentId)}`);
  for (let i = 0; i < 3; i++) {
    await client.call(`${payments}/${text(json.paymentId)}/status`, { headers: requestId() });
    client.pause(MINUTE_MS);
  }
  const wrong = { ...transfer, creditorAccount: { iban: 'BE86986509812451' } };
  await client.call(payments, { headers: headers(), json: wrong });
  const number = { ...transfer, instructedAmount: { currency: 'EUR', amount: '12,50' } };
  await client.call(payments, { headers: headers(), json: number });
}

/** What goes wrong while a client is being written. */
async function goWrong(client: Client): Promise<void> {
  await createConsent(client, client.day(200));
  await client.call(`${V1}/consents/VALID_CONSENT_ID`);
  const same = requestId();
  await client.call(`${V1}/consents/VALID_CONSENT_ID/status`, { headers: same });
  await client.call(`${V1}/consents/VALID_CONSENT_ID/authorisations`, { headers: same });
  await client.call(`${V1}/funds-confirmations`, {
    cert: 'tpp-ai',
    headers: requestId(),
    json: { account: { iban: 'BE67983610020587' }, instructedAmount: { currency: 'EUR', amount: '5.00' } },
  });
  await client.call(`${V1}/accounts`, { cert: 'bad-expired', headers: requestId() });
  await client.call(`${V1}/konsents`, { headers: requestId() });
}
