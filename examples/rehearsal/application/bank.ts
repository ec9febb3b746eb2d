/** The line to the bank: mutual TLS, a time for each call, a bound on how many run at once, and errors that say what is known. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, fetch, type Response } from 'undici';
import type * as z from 'zod';

/** The bank said no, and why. Nothing was done. */
export class BankRefusal extends Error {
  constructor(
    readonly status: number,
    readonly codes: readonly string[],
    readonly retryAfter: number | null,
  ) {
    super(`The bank answered ${status}${codes.length === 0 ? '' : ` (${codes.join(', ')})`}.`);
  }
}

/** No answer that can be used: what was asked for may have been done, or not. */
export class BankAway extends Error {}

export interface BankCall<T> {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  /** Below the base address, or a whole address at the bank. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  /** What the answer must look like. */
  readonly answers: z.ZodType<T>;
}

export interface BankLine {
  readonly api: string;
  readonly call: <T>(call: BankCall<T>) => Promise<T>;
  /** For oauth4webapi: the same connections, times and bounds. */
  readonly fetch: typeof globalThis.fetch;
}

const AT_ONCE = 12;
/** A read that failed on the way is asked once more. */
const PAUSE_MS = 50;
const LONGEST = 2_000_000;

export function openBankLine(env: NodeJS.ProcessEnv): BankLine {
  const { SANDGATE_API, SANDGATE_SEGMENT, SANDGATE_CA, SANDGATE_CERT, SANDGATE_KEY, BANK_TIMEOUT } = env;
  const file = (name: string | undefined) => readFileSync(name ?? '', 'utf8');
  const agent = new Agent({
    connect: { ca: file(SANDGATE_CA), cert: file(SANDGATE_CERT), key: file(SANDGATE_KEY) },
    connections: AT_ONCE,
  });
  const api = `${SANDGATE_API}/${SANDGATE_SEGMENT}/v1`;
  const within = createBound(AT_ONCE);
  const timeout = Number(BANK_TIMEOUT ?? 10_000);
  type Sent = Parameters<typeof fetch>[1];
  const send = (url: string, init: Sent) =>
    within(async () => {
      const response = await fetch(url, { ...init, dispatcher: agent, signal: AbortSignal.timeout(timeout) });
      // Read within the bound and the time: a body may be slow, too.
      return { response, text: await textOf(response) };
    });

  async function ask<T>({ method = 'GET', path, headers, json, answers }: BankCall<T>): Promise<T> {
    const url = new URL(path.startsWith('/') ? api + path : path);
    // A link in an answer must not lead our certificate and tokens elsewhere.
    if (url.origin !== new URL(api).origin) throw new BankAway('The bank’s link leads elsewhere.');
    const { response, text } = await send(url.href, {
      method,
      headers: {
        Accept: 'application/json',
        'X-Request-ID': randomUUID(),
        ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body: json === undefined ? null : JSON.stringify(json),
    }).catch((error: unknown) => {
      throw new BankAway('The bank cannot be reached.', { cause: error });
    });
    const body = jsonOf(text);
    if (response.status >= 500) throw new BankAway(`The bank answered ${response.status}.`);
    if (!response.ok) throw new BankRefusal(response.status, codesIn(body), retryAfterOf(response));
    const parsed = answers.safeParse(body);
    if (!parsed.success)
      throw new BankAway('The bank’s answer is not what was agreed.', { cause: parsed.error });
    return parsed.data;
  }

  return {
    api,
    call: async (call) => {
      try {
        return await ask(call);
      } catch (error) {
        // What may have been done is never asked for again.
        if (!(error instanceof BankAway) || (call.method ?? 'GET') !== 'GET') throw error;
        await pause(PAUSE_MS);
        return ask(call);
      }
    },
    fetch: (async (url: string, init: Sent) => {
      const { response, text } = await send(url, init);
      return new globalThis.Response(text, { status: response.status, headers: [...response.headers] });
    }) as unknown as typeof globalThis.fetch,
  };
}

/** Runs so many at once; the others wait in order. */
function createBound(most: number) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}

async function textOf(response: Response): Promise<string> {
  const text = await response.text();
  if (text.length > LONGEST) throw new Error('The answer is too long.');
  return text;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function codesIn(body: unknown): string[] {
  const messages = (body as { tppMessages?: unknown } | undefined)?.tppMessages;
  return Array.isArray(messages) ? messages.map((one) => String((one as { code?: unknown })?.code)) : [];
}

function retryAfterOf({ headers }: Response): number | null {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : null;
}
