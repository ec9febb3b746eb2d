/** A redacted excerpt of an exchange, short enough to be read. */
import type { Body, Content, Exchange, HeaderList } from '../../exchange/index.js';
import { curlLine } from '../code/curl.js';
import type { CitedExchange, Excerpt } from '../model.js';

const LONGEST_BODY = 2_000;
const LONGEST_VALUE = 500;
const MOST_HEADERS = 60;
/** Larger JSON is shown as it came. */
const LARGEST_PRETTY = 20_000;

export function citeExchange({ call, answer, fault }: Exchange): CitedExchange {
  const { request } = call;
  return {
    id: call.id,
    request: excerptOf(
      `${request.method} ${cut(request.target, LONGEST_BODY)} HTTP/1.1`,
      request.headers,
      request.body,
      call.content,
    ),
    answer:
      answer === null
        ? null
        : excerptOf(`HTTP/1.1 ${answer.status}`, answer.headers, answer.body, answer.content),
    fault: fault === null ? null : `${fault.kind}: ${fault.message}`,
    curl: curlLine(call),
  };
}

function excerptOf(startLine: string, headers: HeaderList, body: Body | null, content: Content): Excerpt {
  const notes: string[] = [];
  if (headers.length > MOST_HEADERS) notes.push(`${headers.length - MOST_HEADERS} more header fields.`);
  return {
    startLine,
    headers: headers
      .slice(0, MOST_HEADERS)
      .map(([name, value]): [string, string] => [cut(name, LONGEST_VALUE), cut(value, LONGEST_VALUE)]),
    body: bodyText(body, content, notes),
    note: notes.length === 0 ? null : notes.join(' '),
  };
}

function bodyText(body: Body | null, content: Content, notes: string[]): string | null {
  if (body === null || body.size === 0) return null;
  if (body.base64 === true) {
    notes.push(`The body is binary, ${body.size} bytes.`);
    return null;
  }
  if (body.truncated === true && body.text === '') {
    notes.push(`The body, ${body.size} bytes, was not recorded.`);
    return null;
  }
  if (body.truncated === true) notes.push(`Only the first part of ${body.size} bytes was recorded.`);
  const pretty = content.kind === 'json' && body.text.length <= LARGEST_PRETTY;
  const text = pretty ? JSON.stringify(content.value, null, 2) : body.text;
  if (text.length > LONGEST_BODY) notes.push(`Cut: the first ${LONGEST_BODY} of ${text.length} characters.`);
  return text.slice(0, LONGEST_BODY);
}

const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1)}…`;
