/** Replaces texts in calls and answers, and keeps everything derived from them in step. */
import { readContent, readForm } from './content.js';
import type { Answer, Body, Call, Request } from './exchange.js';
import { indexHeaders } from './headers.js';
import { splitTarget } from './open.js';

/** The call with other parts, and what derives from them. */
export function withRequest(
  call: Call,
  target: string,
  headers: Request['headers'],
  body: Body | null,
): Call {
  const { request } = call;
  if (target === request.target && headers === request.headers && body === request.body) return call;
  const header = headers === request.headers ? call.header : indexHeaders(headers);
  const { path, query } = splitTarget(target);
  return {
    ...call,
    request: {
      ...request,
      target,
      path,
      query: target === request.target ? request.query : readForm(query),
      headers,
      body,
    },
    header,
    content: body === request.body ? call.content : readContent(body, header['content-type']),
  };
}

/** The call with other path parameters. */
export function withParams(call: Call, change: (value: string) => string): Call {
  const params = Object.entries(call.params).map(([name, value]) => [name, change(value)]);
  return { ...call, params: Object.fromEntries(params) };
}

/** The answer with other parts, and what derives from them. */
export function withWire(answer: Answer, headers: Answer['headers'], body: Body | null): Answer {
  if (headers === answer.headers && body === answer.body) return answer;
  const header = headers === answer.headers ? answer.header : indexHeaders(headers);
  const content = body === answer.body ? answer.content : readContent(body, header['content-type']);
  return { ...answer, headers, body, header, content };
}
