/** The line to the bank: mutual TLS, a request id on every call, answers read as JSON, refusals as errors. */
import { randomUUID } from 'node:crypto';
import { type Dispatcher, fetch, type RequestInit, type Response } from 'undici';

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

/** No answer that can be used: what was asked for may have been done, or not. */
export class BankAway extends Error {
  constructor(what: string, cause: unknown) {
    super(what, { cause });
    this.name = 'BankAway';
  }
}

/** A user waits no longer for a bank. */
const ANSWER_MS = 10_000;

/** Status and text within a time. Throws a `BankAway` where they do not come. */
export async function sendToBank(
  { dispatcher }: Pick<BankSettings, 'dispatcher'>,
  url: string,
  init: Omit<RequestInit, 'dispatcher' | 'signal'> = {},
): Promise<{ readonly response: Response; readonly text: string }> {
  try {
    const response = await fetch(url, { ...init, dispatcher, signal: AbortSignal.timeout(ANSWER_MS) });
    return { response, text: await response.text() };
  } catch (error) {
    throw new BankAway('The bank cannot be reached.', error);
  }
}

export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new BankAway('The answer of the bank cannot be read.', error);
  }
}

/**
 * The JSON of a successful answer; undefined where it has no body. Throws a `BankRefusal` for the bank’s no, a `BankAway`
 * where there is no answer that can be used.
 */
export async function callBank<T>(bank: BankSettings, call: BankCall): Promise<T> {
  const { method = 'GET', path, headers, json } = call;
  const { response, text } = await sendToBank(bank, bank.api + path, {
    method,
    headers: {
      Accept: 'application/json',
      'X-Request-ID': randomUUID(),
      ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    body: json === undefined ? null : JSON.stringify(json),
  });
  if (response.status >= 500) throw new BankAway(`The bank answered ${response.status}.`, text);
  const body = text === '' ? undefined : readJson(text);
  if (!response.ok) {
    const { tppMessages } = (body ?? {}) as { tppMessages?: readonly BankMessage[] };
    throw new BankRefusal(response.status, tppMessages ?? []);
  }
  return body as T;
}

export interface Links {
  readonly _links?: { readonly scaOAuth?: { readonly href: string } } | null;
}

/** Where the PSU authorises what was created. */
export function linkIn({ _links }: Links): string {
  const href = _links?.scaOAuth?.href;
  if (href === undefined) throw new BankAway('The bank does not say where to authorise.', _links);
  return href;
}

/** Where the PSU is, while the PSU is asking; without it a call counts against the daily limit. */
export function psuHeaders(psuIp: string | undefined): Record<string, string> {
  return psuIp === undefined ? {} : { 'PSU-IP-Address': psuIp };
}
