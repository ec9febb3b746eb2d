/** Requests to the application: addresses with values filled in, answers as bounded text. */
import { readStream } from '../files/index.js';
import { answerTo } from '../outgoing/index.js';
import type { PlannedRequest } from './plan.js';

/** Values that a plan may name in braces: `{iban}`, `{amount}`, `{now}`. */
export type Values = Readonly<Record<string, string>>;

export interface Sent {
  readonly method: string;
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

/** The answer, or why there is none. */
export type Ask = (sent: Sent, ...signals: AbortSignal[]) => Promise<Answer | string>;

const LONGEST = 4_194_304;

/** `ca`: of the gateway's own pages, PEM. */
export function createAsk(ca: string): Ask {
  return async ({ url, ...sent }, ...signals) => {
    try {
      const answer = await answerTo(url, { ca, isOwn: true, ...sent }, ...signals);
      const bytes = await readStream(answer, LONGEST);
      if (bytes === null) return `it answered more than ${LONGEST} bytes`;
      return { status: answer.statusCode ?? 0, headers: answer.headers, text: bytes.toString() };
    } catch (error) {
      // A connection that fails at all its addresses has a code, and no message.
      const { message, code } = Object(error);
      return message || String(code);
    }
  };
}

export const filled = (text: string, values: Values): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);

/** In addresses values are escaped; in JSON they stand as they are. */
export function fill({ request, headers, json }: PlannedRequest, values: Values): Sent {
  const { method, url } = callOf(request, values);
  if (json === undefined) return { method, url, ...(headers === undefined ? {} : { headers }) };
  const inside = (value: unknown): unknown =>
    typeof value === 'string'
      ? filled(value, values)
      : Array.isArray(value)
        ? value.map(inside)
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inside(one)]))
          : value;
  return {
    method,
    url,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(inside(json)),
  };
}

export function callOf(text: string, values: Values): { readonly method: string; readonly url: URL } {
  const [method = '', address = ''] = text.split(' ');
  const escaped = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, encodeURIComponent(value)]),
  );
  return { method, url: new URL(filled(address, escaped)) };
}
