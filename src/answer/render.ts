/** Renders the answers of the gateway and the emulator; the only place that sets their headers. */
import {
  type Answer,
  type AnswerSource,
  type Body,
  type Call,
  type Content,
  type HeaderList,
  JSON_TYPE,
  openAnswer,
} from '../exchange/index.js';
import { OPERATIONS } from '../spec/index.js';

export interface Rendered {
  readonly type: string;
  readonly body: Body;
  readonly content: Content;
}

export interface AnswerParts {
  readonly source: AnswerSource;
  readonly status: number;
  readonly rendered?: Rendered;
  /** Beside Content-Type, Cache-Control and X-Request-ID. */
  readonly headers?: HeaderList;
}

/** The form of an id that may be echoed: Node refuses other characters, and a longer id is invalid. */
const ECHOABLE = /^[ -~\u0080-\u00ff]{1,200}$/;

export function renderJson(value: unknown, type = JSON_TYPE): Rendered {
  return { type, body: textBody(JSON.stringify(value)), content: { kind: 'json', value } };
}

export function textBody(text: string): Body {
  return { text, size: Buffer.byteLength(text) };
}

/** Nothing of a bank may be kept by a cache; X-Request-ID comes back where the operation asks for it. */
export function openReply(call: Call, parts: AnswerParts): Answer {
  const { source, status, rendered } = parts;
  const headers: (readonly [string, string])[] = [];
  if (rendered !== undefined) headers.push(['Content-Type', rendered.type]);
  headers.push(['Cache-Control', 'no-store']);
  const requestId = echoOf(call);
  if (requestId !== undefined) headers.push(['X-Request-ID', requestId]);
  if (parts.headers !== undefined) headers.push(...parts.headers);
  if (rendered === undefined) return openAnswer({ source, status, headers, body: null }, { kind: 'none' });
  if (call.request.method === 'HEAD') {
    headers.push(['Content-Length', String(rendered.body.size)]);
    return openAnswer({ source, status, headers, body: null }, { kind: 'none' });
  }
  return openAnswer({ source, status, headers, body: rendered.body }, rendered.content);
}

/** An id is echoed even if the operation is unknown. */
function echoOf(call: Call): string | undefined {
  if (call.operation !== null && !OPERATIONS[call.operation].requestId) return undefined;
  const id = call.header['x-request-id'];
  return id !== undefined && ECHOABLE.test(id) ? id : undefined;
}

export function answerJson(
  call: Call,
  source: AnswerSource,
  status: number,
  value: unknown,
  headers?: HeaderList,
): Answer {
  return openReply(call, { source, status, rendered: renderJson(value), ...(headers ? { headers } : {}) });
}

export function answerRedirect(call: Call, source: AnswerSource, location: string): Answer {
  const headers: HeaderList = [
    ['Location', location],
    ['Referrer-Policy', 'no-referrer'],
  ];
  return openReply(call, { source, status: 302, headers });
}

export function appendQuery(uri: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const added = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) added.append(name, value);
  const hash = uri.indexOf('#');
  const base = hash < 0 ? uri : uri.slice(0, hash);
  const fragment = hash < 0 ? '' : uri.slice(hash);
  const query = base.indexOf('?');
  const joint = query < 0 ? '?' : query === base.length - 1 || base.endsWith('&') ? '' : '&';
  return `${base}${joint}${added}${fragment}`;
}
