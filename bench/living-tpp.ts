/** A TPP at the living bank, for benches: a consent with its token, and a payment, both authorised without a browser. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, request } from 'undici';

export const CALLBACK = 'https://tpp.example/back';
/** RFC 7636 appendix B. */
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

export interface Tpp {
  readonly v1: string;
  readonly dispatcher: Agent;
  readonly close: () => Promise<void>;
}

export interface Told {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a wrong path fails the measurement.
  readonly json: any;
}

export function openTpp(port: number, certs: string): Tpp {
  const file = (name: string) => readFileSync(join(certs, name));
  const dispatcher = new Agent({
    connect: { ca: file('ca.pem'), cert: file('tpp.pem'), key: file('tpp.key') },
  });
  return { v1: `https://localhost:${port}/stdgroup/v1`, dispatcher, close: () => dispatcher.close() };
}

/** `sent`: JSON, or a form where it is parameters. Rejects where the other side is gone. */
export async function ask(
  { dispatcher }: Tpp,
  url: string,
  headers: Record<string, string> = {},
  sent?: object | URLSearchParams,
): Promise<Told> {
  const isForm = sent instanceof URLSearchParams;
  const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
  const own = { 'X-Request-ID': randomUUID(), 'PSU-IP-Address': '192.0.2.1', ...headers };
  const { statusCode, body } = await request(url, {
    ...{ dispatcher, method: sent === undefined ? 'GET' : 'POST' },
    headers: sent === undefined ? own : { ...own, 'content-type': type },
    body: sent === undefined ? null : isForm ? sent.toString() : JSON.stringify(sent),
  });
  const text = await body.text();
  return { status: statusCode, json: text.startsWith('{') ? JSON.parse(text) : null };
}

const CREATION = { 'TPP-Redirect-URI': CALLBACK };

export const createConsent = (tpp: Tpp): Promise<Told> =>
  ask(tpp, `${tpp.v1}/consents`, CREATION, {
    access: { allPsd2: 'allAccounts' },
    ...{ recurringIndicator: true, validUntil: '9999-12-31' },
    ...{ frequencyPerDay: 4, combinedServiceIndicator: false },
  });

/** From an account of the first PSU; see `GET /api/bank/psus`. */
export const createPayment = (tpp: Tpp, iban: string, amount = '1.00'): Promise<Told> =>
  ask(tpp, `${tpp.v1}/payments/sepa-credit-transfers`, CREATION, {
    instructedAmount: { currency: 'EUR', amount },
    debtorAccount: { iban },
    creditorAccount: { iban: 'DE89370400440532013000' },
    creditorName: 'Fietsen Roeland',
    remittanceInformationUnstructured: 'Invoice 1',
  });

/** The code of the redirect that an SCA ends with. */
export async function authorise(tpp: Tpp, created: Told, scope: string): Promise<string> {
  const { json } = await ask(tpp, created.json._links.scaOAuth.href);
  const parameters = new URLSearchParams({
    ...{ scope, client_id: 'VALID_CLIENT_ID', state: randomUUID(), redirect_uri: CALLBACK },
    ...{ code_challenge: CHALLENGE, code_challenge_method: 'S256', response_type: 'code' },
    ...{ scenario: 'SCA_OK', psu: 'psu-1' },
  });
  const end = await request(`${json.authorization_endpoint}?${parameters}`, { dispatcher: tpp.dispatcher });
  await end.body.dump();
  return new URL(String(end.headers.location)).searchParams.get('code') ?? '';
}

/** A consent that the first PSU has given, with its token. */
export async function linkConsent(tpp: Tpp): Promise<{ readonly consent: string; readonly token: string }> {
  const created = await createConsent(tpp);
  const { consentId } = created.json;
  const code = await authorise(tpp, created, `AIS:${consentId}`);
  const grant = { grant_type: 'authorization_code', client_id: 'VALID_CLIENT_ID', code_verifier: VERIFIER };
  const { json } = await ask(tpp, `${tpp.v1}/token`, {}, new URLSearchParams({ ...grant, code }));
  return { consent: consentId, token: json.access_token };
}
