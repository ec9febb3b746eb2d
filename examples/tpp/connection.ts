/** The line to the bank: mutual TLS, a request id and a time for every call, answers checked by a schema, and errors that say what is known. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Dispatcher, fetch } from 'undici';
import * as z from 'zod';

export interface BankSettings {
  /** Base address of the API, with the version: `https://api.bank.example/stdgroup/v1`. */
  readonly api: string;
  /** The TPP's NCA id; `VALID_CLIENT_ID` in the sandbox. */
  readonly clientId: string;
  /** Holds the QWAC: `new Agent({ connect: { ca, cert, key } })`. */
  readonly dispatcher: Dispatcher;
  /** For one call; ten seconds where it is absent. */
  readonly timeoutMs?: number;
}

export interface BankCall<T> {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  /** Below the base address, as `/accounts`, or an address that the bank gave. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  /** What the answer must look like. */
  readonly answers: z.ZodType<T>;
}

/** Something went wrong, in words that the user may read. */
export class Problem extends Error {
  /** In so many seconds the bank wants to be asked again; null where it did not say. */
  readonly retryAfter: number | null;
  constructor(text: string, options: ErrorOptions & { readonly retryAfter?: number | null } = {}) {
    super(text, options);
    this.retryAfter = options.retryAfter ?? null;
  }
}

/** The bank's no, with its reasons. Nothing was done. */
export class BankRefusal extends Problem {
  constructor(
    readonly status: number,
    readonly messages: readonly BankMessage[],
    retryAfter: number | null = null,
  ) {
    const reasons = messages.map(({ code, text }) => (text === undefined ? code : `${code} (${text})`));
    super(`The bank answered ${status}${reasons.length === 0 ? '' : `: ${reasons.join(', ')}`}`, {
      retryAfter,
    });
    this.name = 'BankRefusal';
  }
}

/** No answer that can be used: what was asked for may have been done, or not. */
export class BankAway extends Problem {}

const message = z.object({ code: z.string(), text: z.string().optional(), path: z.string().optional() });
/** A tppMessage of the bank. */
export type BankMessage = z.infer<typeof message>;
const refusal = z.object({ tppMessages: z.array(message) });

const TIMEOUT_MS = 10_000;
const PAUSE_MS = 100;
const LONGEST_BYTES = 4_000_000;

/** The JSON of a successful answer. Throws a `BankRefusal` or `BankAway` for any other. */
export async function callBank<T>(bank: BankSettings, call: BankCall<T>): Promise<T> {
  try {
    return await ask(bank, call);
  } catch (error) {
    // A read is tried once more, unless the bank wants to be left alone. A creation never is: it would be done twice.
    const isRead = (call.method ?? 'GET') === 'GET';
    if (!(error instanceof BankAway) || error.retryAfter !== null || !isRead) throw error;
    await pause(PAUSE_MS);
    return ask(bank, call);
  }
}

async function ask<T>(bank: BankSettings, call: BankCall<T>): Promise<T> {
  const { method = 'GET', path, headers, json, answers } = call;
  const url = new URL(path.startsWith('/') ? bank.api + path : path);
  // Certificate and tokens go to the bank alone, wherever a link leads.
  if (url.origin !== new URL(bank.api).origin) throw new BankAway('A link of the bank leads elsewhere.');
  const response = await send(bank, url, {
    method,
    headers: {
      Accept: 'application/json',
      'X-Request-ID': randomUUID(),
      ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    body: json === undefined ? null : JSON.stringify(json),
  });
  const body = jsonOf(await response.text());
  const { status, ok } = response;
  const retryAfter = retryAfterOf(response);
  if (status >= 500) throw new BankAway(`The bank answered ${status}.`, { retryAfter });
  if (!ok) throw new BankRefusal(status, messagesIn(body), retryAfter);
  const parsed = answers.safeParse(body);
  if (!parsed.success)
    throw new BankAway('The answer of the bank is not what was agreed.', { cause: parsed.error });
  return parsed.data;
}

/** One call within its time, its answer read to the end; throws a `BankAway` where there is none. */
export async function send(
  { dispatcher, timeoutMs = TIMEOUT_MS }: BankSettings,
  url: URL,
  init: Parameters<typeof fetch>[1],
): Promise<Response> {
  await turn();
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, { ...init, dispatcher, signal });
    const text = await response.text();
    if (text.length > LONGEST_BYTES) throw new Error('The answer is too long.');
    const { status } = response;
    return new Response(status === 204 ? null : text, { status, headers: [...response.headers] });
  } catch (error) {
    throw new BankAway('The bank cannot be reached.', { cause: error });
  } finally {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}

/** Calls at once: where many users come together, the others wait in order, and their time has not begun. */
const MOST_AT_ONCE = 12;
let running = 0;
const waiting: (() => void)[] = [];

async function turn(): Promise<void> {
  if (running < MOST_AT_ONCE) running += 1;
  else await new Promise<void>((resolve) => waiting.push(resolve));
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function messagesIn(body: unknown): readonly BankMessage[] {
  const parsed = refusal.safeParse(body);
  return parsed.success ? parsed.data.tppMessages : [];
}

function retryAfterOf({ headers }: Response): number | null {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : null;
}

/** Where the PSU is, while the PSU is asking; without it a call counts against the daily limit. */
export function psuHeaders(psuIp: string | undefined): Record<string, string> {
  return psuIp === undefined ? {} : { 'PSU-IP-Address': psuIp };
}
