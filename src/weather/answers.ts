/** Answers that faults give, and changes to what a bank answered. */
import { STATUS_CODES } from 'node:http';
import { openReply, renderJson, textBody } from '../answer/index.js';
import {
  type Answer,
  type Call,
  type HeaderList,
  headerKey,
  isObject,
  openAnswer,
} from '../exchange/index.js';

export interface Problem {
  readonly status: number;
  /** Seconds. */
  readonly retryAfter?: number | undefined;
  readonly form: 'json' | 'html' | 'empty';
}

/** As a proxy in front of the bank answers, which knows nothing of the interface and its codes. */
export function answerProblem(call: Call, { status, retryAfter, form }: Problem): Answer {
  const headers: HeaderList = retryAfter === undefined ? [] : [['Retry-After', String(retryAfter)]];
  const text = STATUS_CODES[status] ?? 'Error';
  const rendered =
    form === 'json'
      ? renderJson({ status, error: text })
      : { type: HTML_TYPE, body: textBody(pageOf(`${status} ${text}`)), content: UNREAD };
  const body = form === 'empty' ? {} : { rendered };
  return openReply(call, { source: 'gateway', status, headers, ...body });
}

const HTML_TYPE = 'text/html; charset=utf-8';
const UNREAD = { kind: 'opaque' } as const;
const pageOf = (
  title: string,
  text = 'The service is not available at the moment. Please try again later.',
) =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body><h1>${title}</h1><p>${text}</p></body></html>\n`;

/** The same answer with an HTML page in the place of its body. */
export const withPage = (answer: Answer, title: string, text?: string): Answer =>
  withText(answer, pageOf(title, text), HTML_TYPE);

/** The text leaves as it is, in no coding that the bank had for its own. */
export function withText(answer: Answer, text: string, type?: string): Answer {
  const plain = answer.headers.filter(([name]) => headerKey(name) !== 'content-encoding');
  const headers = type === undefined ? plain : withHeader(plain, 'Content-Type', type);
  return openAnswer({ source: answer.source, status: answer.status, headers, body: textBody(text) });
}

export function withHeader(headers: HeaderList, name: string, value: string): HeaderList {
  const others = headers.filter(([one]) => headerKey(one) !== headerKey(name));
  return [...others, [name, value]];
}

/** The answer with other JSON; undefined where it has none, or `change` leaves it as it is. */
export function withJson(answer: Answer, change: (value: unknown) => unknown): Answer | undefined {
  if (answer.content.kind !== 'json') return undefined;
  const before = answer.body?.text;
  const text = JSON.stringify(change(structuredClone(answer.content.value)));
  return text === before ? undefined : withText(answer, text);
}

/** Walks every member of a JSON value; what `change` gives takes the member's place, undefined takes it out. */
export function mapMembers(value: unknown, change: (name: string, value: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => mapMembers(one, change));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, one]) => [name, change(name, mapMembers(one, change))]);
  return Object.fromEntries(members.filter(([, one]) => one !== undefined));
}
