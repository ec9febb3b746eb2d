/** Parts of the tests of rerun: a journey to record, and a bank in front of a gateway that changes its answers. */
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Agent, request } from 'undici';
import { expect } from 'vitest';
import { contextOf, type TestGateway } from '../../e2e/harness.js';

const V1 = '/stdgroup/v1';
/** Of the account information, and of the payment. */
const VERIFIERS = [
  'verifier-of-the-account-information-0123456789',
  'verifier-of-the-payment-0123456789-0123456789',
] as const;
export const CHALLENGES = VERIFIERS.map((verifier) =>
  createHash('sha256').update(verifier).digest('base64url'),
);
export const REDIRECT = 'https://tpp.example/back';
export const STATE = 'S8NJ7uqk5fY4EjNvP_G_FtyJu6pUsvH9jsYni9dMAJw';
const DAY = 86_400_000;
/** Added to the clock of the machine: it is about noon then, so that no midnight passes between recording and repeating. */
export const TO_NOON = DAY / 2 - (Date.now() % DAY);

/** Account information with its pages, refresh and a refusal; a payment; funds: twenty-odd calls. */
export async function walkJourney(gateway: TestGateway): Promise<void> {
  const { call, accountHeaders } = gateway;
  const requestIds = Array.from(
    { length: 40 },
    (_, i) => `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`,
  );
  const id = () => ({ 'X-Request-ID': requestIds.pop() });
  const creation = () => ({ 'TPP-Redirect-URI': REDIRECT, 'PSU-IP-Address': '192.0.2.1', ...id() });
  const day = (days: number) => new Date(gateway.now() + days * DAY).toISOString().slice(0, 10);

  const created = await call(`${V1}/consents`, {
    headers: creation(),
    json: {
      access: { allPsd2: 'allAccounts' },
      recurringIndicator: true,
      validUntil: day(80),
      frequencyPerDay: 4,
      combinedServiceIndicator: false,
    },
  });
  expect(created.status, created.text).toBe(201);
  await call(`${V1}/consents/VALID_CONSENT_ID`, { headers: id() });
  await call(created.json._links.scaOAuth.href);
  await authorise(gateway, 'AIS:VALID_CONSENT_ID', created.json);
  const token = await exchange(gateway, 'AIS_VALID_CODE');
  const refreshed = await call(`${V1}/token`, {
    form: {
      grant_type: 'refresh_token',
      client_id: 'VALID_CLIENT_ID',
      refresh_token: token.refresh_token,
    },
  });
  const account = () => accountHeaders(refreshed.json.access_token, id());
  for (const path of [
    '?withBalance=true',
    '/ACCOUNT_ID',
    '/ACCOUNT_ID/balances',
    `/ACCOUNT_ID/transactions?bookingStatus=both&dateFrom=${day(-30)}&dateTo=${day(0)}&withBalance=true`,
    '/ACCOUNT_ID_3',
  ])
    await call(`${V1}/accounts${path}`, { headers: account() });
  await call(`${V1}/accounts`, { headers: accountHeaders('nobody-gave-this-token-to-anyone-1', id()) });
  await call(`${V1}/consents/VALID_CONSENT_ID`, { method: 'DELETE', headers: id() });

  const payment = await call(`${V1}/payments/sepa-credit-transfers`, {
    headers: creation(),
    json: {
      instructedAmount: { currency: 'EUR', amount: '12.50' },
      debtorAccount: { iban: 'BE67983610020587' },
      creditorAccount: { iban: 'DE89370400440532013000' },
      creditorName: 'Shop',
      requestedExecutionDate: day(2),
    },
  });
  expect(payment.status, payment.text).toBe(201);
  await authorise(gateway, 'PIS:PAYMENT_ID_RCVD_SCT', payment.json);
  await exchange(gateway, 'PIS_VALID_CODE');
  await call(`${V1}/payments/sepa-credit-transfers/PAYMENT_ID_RCVD_SCT`, { headers: id() });
  await call(`${V1}/payments/sepa-credit-transfers/PAYMENT_ID_RCVD_SCT/status`, { headers: id() });
  await call(`${V1}/funds-confirmations`, {
    headers: id(),
    json: {
      account: { iban: 'BE67983610020587' },
      instructedAmount: { currency: 'EUR', amount: '10.00' },
    },
  });
  await call(`${V1}/accounts`, { cert: null, headers: id() });
}

interface Created {
  readonly _links: { readonly scaStatus: { readonly href: string } };
}

async function authorise({ call, urls }: TestGateway, scope: string, created: Created): Promise<void> {
  const authorisation = created._links.scaStatus.href.split('/').at(-1);
  const query = new URLSearchParams({
    scope,
    client_id: 'VALID_CLIENT_ID',
    state: `${STATE}${scope.slice(0, 3)}`,
    redirect_uri: REDIRECT,
    code_challenge: CHALLENGES[scope.startsWith('AIS') ? 0 : 1] ?? '',
    code_challenge_method: 'S256',
    response_type: 'code',
  });
  const page = `${urls.psu}/stdgroup/authorization/authorize/${authorisation}?${query}`;
  for (const step of ['', '&choice=SCA_OK', '&scenario=SCA_OK']) await call(page + step, { side: 'psu' });
}

async function exchange({ call }: TestGateway, code: string) {
  const form = {
    grant_type: 'authorization_code',
    client_id: 'VALID_CLIENT_ID',
    code,
    code_verifier: VERIFIERS[code.startsWith('AIS') ? 0 : 1],
  };
  const answer = await call(`${V1}/token`, { form });
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
}

export interface BankAnswer {
  status: number;
  /** By name as it is on the wire. */
  headers: Record<string, string>;
  /** undefined: none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests change bodies by path.
  json: any;
}

/** What this bank makes of an answer of the gateway behind it. */
export type Change = (
  answer: BankAnswer,
  asked: { readonly method: string; readonly path: string; readonly target: string },
) => void;

export interface ChangedBank {
  readonly url: string;
  /** All that came, as it came: method, target, headers, body. */
  readonly asked: { readonly method: string; readonly target: string; readonly body: string }[];
  readonly close: () => Promise<void>;
}

export interface BankOptions {
  readonly change?: Change;
  /** Its own names for what the gateway behind it calls otherwise. */
  readonly names?: Readonly<Record<string, string>>;
  /** Waits for what this gives before it answers. */
  readonly hold?: (path: string) => Promise<void> | undefined;
  /** Told of each call as it came. */
  readonly hear?: (incoming: IncomingMessage) => void;
  /** Cuts the connection instead of an answer. */
  readonly cut?: (path: string) => boolean;
  /** Its calendar is so many days ahead. */
  readonly daysAhead?: number;
}

const DATE = /\b20\d\d-\d\d-\d\d\b/g;

export async function startChangedBank(behind: TestGateway, options: BankOptions = {}): Promise<ChangedBank> {
  const { names = {}, daysAhead = 0, change = () => undefined, hold = () => undefined } = options;
  const asked: ChangedBank['asked'] = [];
  const ca = behind.file('ca.pem');
  const agentOf = (cert: string | null) =>
    new Agent({ connect: { secureContext: contextOf(behind.certs, cert) } });
  const [known, anonymous] = [agentOf('tpp'), agentOf(null)];
  const move = (text: string, days: number) =>
    text.replace(DATE, (date) => new Date(Date.parse(date) + days * DAY).toISOString().slice(0, 10));
  const swap = (text: string, pairs: [string, string][]) =>
    pairs.reduce(
      (made, [from, to]) => made.replaceAll(new RegExp(`(?:\\b|(?<=%3A))${from}\\b`, 'g'), to),
      text,
    );
  let url = '';
  const outward = (text: string) =>
    swap(move(text, daysAhead), Object.entries(names))
      .replaceAll(behind.urls.api, url)
      .replaceAll(behind.urls.psu, url);
  const inward = (text: string) =>
    swap(
      move(text, -daysAhead),
      Object.entries(names).map(([from, to]): [string, string] => [to, from]),
    );

  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    const [method, target] = [incoming.method ?? '', incoming.url ?? ''];
    asked.push({ method, target, body });
    options.hear?.(incoming);
    if (options.cut?.(target.split('?')[0] ?? '') === true) {
      incoming.socket.destroy();
      return;
    }
    const isPsu = target.includes('/authorization/authorize/');
    const socket = incoming.socket as import('node:tls').TLSSocket;
    const hasCertificate = socket.getPeerX509Certificate() !== undefined;
    const { host: _, 'content-length': __, connection: ___, ...headers } = incoming.headers;
    const answered = await request((isPsu ? behind.urls.psu : behind.urls.api) + inward(target), {
      dispatcher: hasCertificate ? known : anonymous,
      method: method as 'GET',
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, inward(String(value))]),
      ),
      body: body === '' ? null : inward(body),
    });
    const text = outward(await answered.body.text());
    const isJson = text !== '' && /json/.test(String(answered.headers['content-type']));
    const kept = Object.entries(answered.headers).filter(
      ([name]) => !/^(?:content-length|connection|keep-alive|transfer-encoding|sandgate-.*)$/.test(name),
    );
    const answer: BankAnswer = {
      status: answered.statusCode,
      headers: Object.fromEntries(kept.map(([name, value]) => [name, outward(String(value))])),
      json: isJson ? JSON.parse(text) : undefined,
    };
    change(answer, { method, path: target.split('?')[0] ?? '', target });
    await hold(target);
    response.writeHead(answer.status, answer.headers);
    response.end(answer.json === undefined ? (isJson ? '' : text) : JSON.stringify(answer.json));
  };
  const server = createServer(
    {
      ...{ cert: behind.file('server.pem'), key: behind.file('server.key'), ca },
      ...{ requestCert: true, rejectUnauthorized: false },
    },
    (incoming, response) => void handle(incoming, response),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `https://localhost:${(server.address() as AddressInfo).port}`;
  return {
    url,
    asked,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await Promise.all([known.close(), anonymous.close()]);
    },
  };
}
