/** The gateway's own error answers: no bank was asked, or none could answer. */
import { type Answered, answerRefusal } from '../answer/index.js';
import { type Call, type Fault, type HeaderList, type Injection, openAnswer } from '../exchange/index.js';
import type { Refusal } from '../rules/index.js';
import type { WireErrorCode } from '../spec/index.js';
import { StoreUncertain } from '../store/index.js';
import type { GatewayFault, Incoming, Outgoing } from './arrivals.js';
import { OFFERED_METHODS } from './end-connection.js';

function gatewayFault(
  kind: Fault['kind'],
  status: number | null,
  text: string,
  message = text,
): GatewayFault {
  return { status, code: CODES[status ?? 400] ?? 'FORMAT_ERROR', text, fault: { kind, message } };
}

const CODES: Readonly<Record<number, WireErrorCode>> = {
  405: 'SERVICE_INVALID',
  500: 'INTERNAL_SERVER_ERROR',
  503: 'SERVICE_UNAVAILABLE',
};

const malformed = (status: number, text: string): GatewayFault => gatewayFault('malformed', status, text);

export const INTERNAL_FAULT = gatewayFault(
  'internal',
  500,
  'The gateway could not handle the request.',
  'Internal error of the gateway; see its log.',
);

export const NO_SOURCE_FAULT = gatewayFault(
  'refused',
  503,
  'None of the configured sources has an answer to this request.',
);

export const UNFINISHED: Fault = {
  kind: 'unfinished',
  message: 'Sent to the bank, which may have acted on it; no end is recorded.',
};

/** Why an answer did not arrive whole. */
export function injectedFault({ fault, did, end }: Injection): Fault {
  const bank = did == null ? 'The bank was not asked' : `The bank answered ${did}`;
  const what =
    end === 'hang' ? 'nothing was sent' : end === 'body' ? 'its body broke off' : 'the connection was closed';
  return { kind: 'injected', message: `${bank}, and ${what}: fault ${fault}.` };
}

const RETRY_AFTER_S = 5;

/** While nothing can be recorded, nothing is sent anywhere. */
const NOT_RECORDING_FAULT: GatewayFault = {
  ...gatewayFault(
    'internal',
    503,
    'The gateway cannot record calls at present, and handles no call that it cannot record: nothing was done. Try again later.',
  ),
  retryAfter: RETRY_AFTER_S,
};

/** The store was lost while it recorded the call. */
const UNCERTAIN_FAULT = gatewayFault(
  'internal',
  500,
  'Whether this call was recorded, and took effect, is not known: the store was lost meanwhile. Ask for its status before you send it again.',
);

/** The bank was asked, and what it said could not be recorded. */
function unrecordedFault({ header }: Call): GatewayFault {
  const id = header['x-request-id'];
  const which = id === undefined ? 'without X-Request-ID' : `with X-Request-ID ${id.slice(0, 100)}`;
  return gatewayFault(
    'internal',
    500,
    `The bank may have acted on this call ${which}: it was sent there, but its answer could not be recorded. Ask for its status before you send it again.`,
  );
}

export const CLIENT_GONE_FAULT = gatewayFault(
  'client-gone',
  null,
  'The client closed the connection before its request was complete.',
);

export const SLOW_REQUEST_FAULT = gatewayFault('timeout', 408, 'The request did not arrive in time.');

export const UNDECODABLE_BODY_FAULT = malformed(
  400,
  'The body cannot be decoded as its Content-Encoding says: compress it so, or send it plain without that header.',
);

export const CODING_UNKNOWN_FAULT = malformed(
  415,
  'The Content-Encoding of the body is not one of gzip, deflate, br, identity: use one of them, or send it plain.',
);

export const TARGET_FORM_FAULT = malformed(
  400,
  'The request target must be a path that begins with a slash, or the whole address of this listener, without control characters.',
);

export const AMBIGUOUS_TARGET_FAULT = malformed(
  400,
  'The path can be read in more than one way: send it without dot segments, backslashes or a fragment, without percent-encoded slashes, backslashes, question marks, number signs or control characters, and percent-encoded as UTF-8.',
);

export const HOST_TWICE_FAULT = malformed(400, 'A request must carry one Host header, not several.');

export const CONNECTION_FAULT = malformed(
  400,
  'The Connection header must not name a header that is meant for the bank (RFC 9110 7.6.1): it would be taken off on the way.',
);

export const CODING_IN_HTTP_1_0_FAULT = malformed(
  400,
  'HTTP/1.0 has no Transfer-Encoding: send the body with Content-Length, or use HTTP/1.1.',
);

export const TRANSFER_CODING_FAULT = malformed(
  501,
  'No Transfer-Encoding but chunked is offered: say with Content-Encoding how the body is compressed.',
);

export const TRACE_FAULT = gatewayFault(
  'refused',
  405,
  'TRACE is not offered: it would send credentials back.',
);

export const UPGRADE_FAULT = gatewayFault(
  'refused',
  501,
  'Upgrade is not offered: send the request without it.',
);

export const VERSION_FAULT = malformed(505, 'The version of HTTP must be 1.1 or 1.0.');

export const HOST_MISSING_FAULT = malformed(400, 'An HTTP/1.1 request must carry a Host header.');

export function unparseableFault(problem: string): GatewayFault {
  return gatewayFault('unparseable', 400, `The request is not HTTP: ${problem}.`);
}

/** The load balancer's header on the client's certificate cannot be read, so nobody can tell who calls. */
export function forwardedCertificateFault(header: string, problem: string): GatewayFault {
  return malformed(400, `The header ${header} of the load balancer ${problem}.`);
}

/** Under `--revocation hard`: nobody says that the certificate is good. */
export function revocationUnknownFault(why: string): GatewayFault {
  const text = `It cannot be told at present whether the certificate of this call is revoked (${why}), and no call is let through without that. Nothing is wrong with the call: send it again later.`;
  return { ...gatewayFault('refused', 503, text), retryAfter: RETRY_AFTER_S };
}

/** The call asks to be recorded where it cannot be. */
export function sessionFault(text: string): GatewayFault {
  return malformed(400, text);
}

export function bodyTooLargeFault(limit: number): GatewayFault {
  return gatewayFault(
    'too-large',
    413,
    `The body is larger than ${limit} bytes, which is a limit of this gateway: send a smaller one.`,
  );
}

/** The answer of a fault in the format of the operation, or none where nobody is left to take it. */
export function answerFault(
  { status, code, text, fault, retryAfter }: GatewayFault,
  call: Call,
): Partial<Answered> {
  if (status === null) return { fault };
  const refusal: Refusal =
    call.operation === 'oauth.token'
      ? { kind: 'token', error: status < 500 ? 'invalid_request' : 'server_error', description: text }
      : { kind: 'messages', status, messages: [{ code, text }], headers: offeredAt(status, call) };
  const answer = answerRefusal(refusal, call, 'gateway');
  if (retryAfter === undefined) return { answer: openAnswer({ ...answer, status }, answer.content), fault };
  const headers = [...answer.headers, ['Retry-After', String(retryAfter)] as const];
  return { answer: openAnswer({ ...answer, status, headers }, answer.content), fault };
}

/** Stands in the place of an answer that could not be recorded: nothing of that one may leave. */
export function answerUnrecorded(
  { call, wasSent, isBegun }: { readonly call: Call; readonly wasSent: boolean; readonly isBegun: boolean },
  { problem }: Partial<Pick<Incoming, 'problem'>>,
  error?: unknown,
): Outgoing | null {
  if (problem?.status === null) return null;
  const isUncertain = error instanceof StoreUncertain;
  const fault = wasSent ? unrecordedFault(call) : isUncertain ? UNCERTAIN_FAULT : NOT_RECORDING_FAULT;
  const { answer } = answerFault(fault, call);
  if (answer === undefined) return null;
  return { exchange: isBegun || isUncertain ? call.id : null, answer, wire: undefined, findings: [] };
}

/** A 405 names the methods on offer (RFC 9110 15.5.6); if the path has some, the answer names them already. */
function offeredAt(status: number, { allow }: Call): HeaderList {
  return status === 405 && allow === undefined ? [['Allow', OFFERED_METHODS]] : [];
}
