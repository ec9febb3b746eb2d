/** The line to the bank: mutual TLS, a request id on every call, answers read as JSON, refusals as errors. */
import { randomUUID } from 'node:crypto';
import { type Dispatcher, fetch } from 'undici';

export interface BankSettings {
  /** Base address of the API, with the version: `https://api.bank.example/stdgroup/v1`. */
  readonly api: string;
  /** The TPP's NCA id; `VALID_CLIENT_ID` in the sandbox. */
  readonly clientId: string;
  /** Holds the QWAC: `new Agent({ connect: { ca, cert, key } })`. */
  readonly dispatcher: Dispatcher;
}

export interface BankCall {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  /** Below the base address: `/accounts`. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
}

/** A tppMessage of the bank. */
export interface BankMessage {
  readonly code: string;
  readonly text?: string;
  readonly path?: string;
}

/** The bank's no, with its reasons. */
export class BankRefusal extends Error {
  constructor(
    readonly status: number,
    readonly messages: readonly BankMessage[],
  ) {
    const reasons = messages.map(({ code, text }) => (text === undefined ? code : `${code} (${text})`));
    super(`The bank answered ${status}${reasons.length === 0 ? '' : `: ${reasons.join(', ')}`}`);
    this.name = 'BankRefusal';
  }
}

/** The JSON of a successful answer; undefined where it has no body. Throws a `BankRefusal` for any other. */
export async function callBank<T>(bank: BankSettings, call: BankCall): Promise<T> {
  const { method = 'GET', path, headers, json } = call;
  const response = await fetch(bank.api + path, {
    dispatcher: bank.dispatcher,
    method,
    headers: {
      Accept: 'application/json',
      'X-Request-ID': randomUUID(),
      ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    body: json === undefined ? null : JSON.stringify(json),
  });
  const text = await response.text();
  const body = text === '' ? undefined : JSON.parse(text);
  if (!response.ok) throw new BankRefusal(response.status, body?.tppMessages ?? []);
  return body as T;
}

/** Where the PSU is, while the PSU is asking; without it a call counts against the daily limit. */
export function psuHeaders(psuIp: string | undefined): Record<string, string> {
  return psuIp === undefined ? {} : { 'PSU-IP-Address': psuIp };
}
