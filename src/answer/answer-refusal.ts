/**
 * Turns a refusal of the rules into an answer: in a body that the caller can read, and never as a redirect to an
 * address that is not proven.
 */
import { type Answer, type AnswerSource, type Call, type HeaderList, queryValue } from '../exchange/index.js';
import type { Refusal } from '../rules/index.js';
import { isReturnAddress, TOKEN_ERRORS, WIRE_ERRORS, type WireErrorCode } from '../spec/index.js';
import { answerErrorPage } from './page.js';
import { prefersProblem } from './prefers.js';
import { answerJson, answerRedirect, appendQuery, openReply, type Rendered, renderJson } from './render.js';

type Messages = Extract<Refusal, { kind: 'messages' }>;
type RefusedMessages = Messages['messages'];

const LONGEST_TEXT = 500;
/** The characters that error_description may not hold (RFC 6749 5.2). */
const NOT_DESCRIBABLE = /[^ !#-[\]-~]/g;
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]{0,19}(?= |$)/;

export function answerRefusal(refusal: Refusal, call: Call, source: AnswerSource): Answer {
  switch (refusal.kind) {
    case 'messages':
      return answerMessages(refusal, call, source);
    case 'token':
      return answerTokenError(refusal, call, source);
    case 'redirect':
      return answerErrorRedirect(refusal, call, source);
    case 'page': {
      const { status, title, text } = refusal;
      return answerErrorPage(call, source, { status, title, texts: [text] });
    }
  }
}

/** One fault of the bank itself, in the body that the caller prefers. */
export function refuse(
  call: Call,
  code: WireErrorCode,
  given: { text?: string; path?: string; status?: number; headers?: HeaderList } = {},
): Answer {
  const { text = WIRE_ERRORS[code].text, path, status = WIRE_ERRORS[code].statuses[0], headers = [] } = given;
  const message = path === undefined ? { code, text } : { code, text, path };
  return answerMessages({ kind: 'messages', status, messages: [message], headers }, call, 'emulator');
}

export function refuseToken(call: Call, error: keyof typeof TOKEN_ERRORS, description: string): Answer {
  return answerTokenError({ kind: 'token', error, description }, call, 'emulator');
}

function answerMessages(refusal: Messages, call: Call, source: AnswerSource): Answer {
  const { status, messages } = refusal;
  const headers = withAllow(refusal, call);
  if (call.listener === 'psu') {
    const title = 'This page cannot be shown';
    return answerErrorPage(call, source, { status, title, texts: messages.map(({ text }) => text) }, headers);
  }
  const problem = prefersProblem(call.header.accept);
  const rendered = problem ? renderProblem(messages) : renderMessages(messages);
  return openReply(call, { source, status, rendered, headers });
}

/** RFC 9110 15.5.6: a 405 tells what is allowed. */
function withAllow({ status, headers }: Messages, call: Call): HeaderList {
  if (status !== 405 || call.allow === undefined) return headers;
  if (headers.some(([name]) => name.toLowerCase() === 'allow')) return headers;
  return [...headers, ['Allow', call.allow.join(', ')]];
}

/** Body A of the standard: tppMessages. */
function renderMessages(messages: RefusedMessages): Rendered {
  return renderJson({
    tppMessages: messages.map(({ code, text, path }) => ({
      category: 'ERROR',
      code,
      text: text.slice(0, LONGEST_TEXT),
      ...(path === undefined ? {} : { path }),
    })),
  });
}

/** Body B: problem+json, the first fault at its head. It has no member for the place, so the detail tells it. */
function renderProblem(messages: RefusedMessages): Rendered {
  const [first = { code: 'FORMAT_ERROR' as const, text: WIRE_ERRORS.FORMAT_ERROR.text }, ...others] =
    messages;
  return renderJson(
    {
      type: `urn:sandgate:error:${first.code}`,
      ...detailed(first),
      ...(others.length === 0 ? {} : { additionalErrors: others.map(detailed) }),
    },
    'application/problem+json',
  );
}

function detailed({ code, text, path }: RefusedMessages[number]) {
  // The text of some rules begins with the place already.
  const detail = path === undefined || text.startsWith(`${path}:`) ? text : `${path}: ${text}`;
  return { code, title: WIRE_ERRORS[code].text, detail: detail.slice(0, LONGEST_TEXT) };
}

/** RFC 6749 5.2; a client that tried the Authorization header is told that its scheme is not taken. */
function answerTokenError(
  { error, description }: Extract<Refusal, { kind: 'token' }>,
  call: Call,
  source: AnswerSource,
): Answer {
  const status = TOKEN_ERRORS[error];
  const headers: (readonly [string, string])[] = [['Pragma', 'no-cache']];
  const scheme = status === 401 ? SCHEME.exec(call.header.authorization ?? '')?.[0] : undefined;
  if (scheme !== undefined) headers.push(['WWW-Authenticate', `${scheme} realm="token"`]);
  return answerJson(call, source, status, { error, error_description: describable(description) }, headers);
}

export function describable(text: string): string {
  return text.slice(0, LONGEST_TEXT).replaceAll('"', "'").replace(NOT_DESCRIBABLE, '?');
}

/** Only where the redirect URI itself was not refused; without a usable one the browser stays here. */
function answerErrorRedirect(
  { error, description }: Extract<Refusal, { kind: 'redirect' }>,
  call: Call,
  source: AnswerSource,
): Answer {
  const uri = queryValue(call, 'redirect_uri');
  if (uri === undefined || !isReturnAddress(uri)) {
    const texts = [description, 'The request has no redirect_uri to which this error could be sent.'];
    return answerErrorPage(call, source, { status: 400, title: 'Invalid request', texts });
  }
  const state = queryValue(call, 'state');
  const location = appendQuery(uri, { error, error_description: describable(description), state });
  return answerRedirect(call, source, location);
}
