/** Redacts an exchange: fingerprints in place of secrets. */
import { mediaType } from './content.js';
import type { Answer, Body, Call, Exchange, Request } from './exchange.js';
import type { Fingerprint } from './fingerprint.js';
import { withParams, withRequest, withWire } from './rebuild.js';
import { redactBody } from './redact-body.js';
import { redactHeaders } from './redact-headers.js';
import { redactAssignments, redactPairs } from './redact-text.js';
import { openRedaction, type Redaction, sweep } from './redaction.js';

/** Redacting twice changes nothing more. Parts without a secret are those of the exchange given. */
export function redactExchange(exchange: Exchange, fingerprint: Fingerprint): Exchange {
  return redactWith(openRedaction(fingerprint), exchange);
}

/** As `redactExchange`; what was met on the way can be swept out of what is said of the exchange. */
export function redactWith(redaction: Redaction, exchange: Exchange): Exchange {
  const { call, answer, fault } = exchange;
  const before = redaction.last?.call === call ? redaction.last : null;
  let redactedCall = before?.redacted ?? redactCall(redaction, call);
  let redactedAnswer = answer === null ? null : redactAnswer(redaction, answer, call.listener === 'psu');
  let message = fault === null ? '' : redactAssignments(redaction, fault.message);
  if (redaction.met.size > 0) {
    if (before?.met !== redaction.met.size) redactedCall = sweepCall(redaction, redactedCall);
    if (redactedAnswer !== null) redactedAnswer = sweepAnswer(redaction, redactedAnswer);
    message = sweep(redaction, message);
  }
  redaction.last = { call, redacted: redactedCall, met: redaction.met.size };
  if (redactedCall === call && redactedAnswer === answer && message === (fault?.message ?? ''))
    return exchange;
  return {
    call: redactedCall,
    answer: redactedAnswer,
    fault: fault === null ? null : { ...fault, message },
    elapsed: exchange.elapsed,
  };
}

function redactCall(redaction: Redaction, call: Call): Call {
  const { request } = call;
  const body =
    call.listener === 'psu'
      ? dropped(request.body)
      : redactBody(redaction, request.body, call.content, {
          contentType: mediaType(call.header['content-type']),
          codesAreMessages: false,
        });
  const target = redactTarget(redaction, request.target);
  const redacted = withRequest(call, target, redactHeaders(redaction, request.headers), body);
  return redacted.request.path === request.path
    ? redacted
    : withParams(redacted, (value) => redactAssignments(redaction, value));
}

function redactAnswer(redaction: Redaction, answer: Answer, page: boolean): Answer {
  const body = page
    ? dropped(answer.body)
    : redactBody(redaction, answer.body, answer.content, {
        contentType: mediaType(answer.header['content-type']),
        codesAreMessages: answer.status >= 400,
      });
  return withWire(answer, redactHeaders(redaction, answer.headers), body);
}

/** Pages of the PSU hold logins and balances: only their size is kept. */
function dropped(body: Body | null): Body | null {
  return body === null || body.text === '' ? body : { text: '', size: body.size, truncated: true };
}

function redactTarget(redaction: Redaction, target: string): string {
  const mark = target.indexOf('?');
  if (mark < 0) return redactAssignments(redaction, target);
  const path = redactAssignments(redaction, target.slice(0, mark));
  return `${path}?${redactPairs(redaction, target.slice(mark + 1))}`;
}

function sweepCall(redaction: Redaction, call: Call): Call {
  const { headers, body } = call.request;
  const target = sweep(redaction, call.request.target);
  const swept = withRequest(call, target, sweepHeaders(redaction, headers), sweepBody(redaction, body));
  return target === call.request.target ? swept : withParams(swept, (value) => sweep(redaction, value));
}

function sweepAnswer(redaction: Redaction, answer: Answer): Answer {
  return withWire(answer, sweepHeaders(redaction, answer.headers), sweepBody(redaction, answer.body));
}

function sweepHeaders(redaction: Redaction, headers: Request['headers']): Request['headers'] {
  let swept: (readonly [string, string])[] | null = null;
  for (let i = 0; i < headers.length; i++) {
    const [name, value] = headers[i] as readonly [string, string];
    const made = sweep(redaction, value);
    if (made === value) continue;
    swept ??= [...headers];
    swept[i] = [name, made];
  }
  return swept ?? headers;
}

function sweepBody(redaction: Redaction, body: Body | null): Body | null {
  if (body === null) return null;
  const text = sweep(redaction, body.text);
  return text === body.text ? body : { ...body, text };
}
