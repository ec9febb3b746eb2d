/** The causes for which the bank gave no usable answer, in plain words, with the status for the TPP. */
import { alertName, type Fault } from '../../exchange/index.js';
import type { UpstreamLimits } from './limits.js';
import { Ended, type Ending, type ReceptionFailure } from './received.js';
import type { Entry } from './waiting-line.js';

export interface Failure {
  readonly status: 502 | 503 | 504;
  readonly fault: Fault;
}

export interface Bank {
  readonly host: string;
  readonly tls: boolean;
}

/** A failure is told by its kind and cause; its status follows from the kind. */
export function failureOf(kind: Fault['kind'], message: string): Failure {
  const status = kind === 'timeout' ? 504 : kind === 'overload' ? 503 : 502;
  return { status, fault: { kind, message } };
}

type Row = readonly [kind: Fault['kind'], explain: (bank: Bank, limits: UpstreamLimits) => string];

const seconds = (ms: number) => `${ms / 1000} s`;
const tls = (problem: string): Row => [
  'tls',
  ({ host }) => `The TLS handshake with the bank (${host}) failed: ${problem}.`,
];
const certificateRefused = (problem: string): Row => [
  'tls',
  ({ host }) => `The bank (${host}) refused the gateway's client certificate: ${problem}.`,
];
const unreachable: Row = [
  'refused',
  ({ host }) => `The bank (${host}) cannot be reached: there is no network route to it.`,
];
const unresolved: Row = ['dns', ({ host }) => `The name of the bank (${host}) cannot be resolved.`];
const connectTimeout: Row = [
  'timeout',
  ({ host }, { connectMs }) => `The bank (${host}) accepted no connection within ${seconds(connectMs)}.`,
];
const untrusted = tls(
  'its certificate is signed by a CA that is not trusted; give that CA with --upstream-ca',
);
const STOPPING = 'The gateway is stopping.';

const ROWS: Readonly<Record<string, Row>> = {
  ECONNREFUSED: ['refused', ({ host }) => `The bank (${host}) refused the connection.`],
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  EADDRNOTAVAIL: unreachable,
  EHOSTDOWN: unreachable,
  ENOTFOUND: unresolved,
  EAI_AGAIN: unresolved,
  EAI_FAIL: unresolved,
  EAI_NODATA: unresolved,
  EAI_NONAME: unresolved,
  UND_ERR_CONNECT_TIMEOUT: connectTimeout,
  ETIMEDOUT: connectTimeout,
  UND_ERR_HEADERS_TIMEOUT: [
    'timeout',
    ({ host }, { firstByteMs }) => `The bank (${host}) sent no answer within ${seconds(firstByteMs)}.`,
  ],
  UND_ERR_BODY_TIMEOUT: [
    'timeout',
    ({ host }, { idleMs }) => `The bank (${host}) began an answer, then sent nothing for ${seconds(idleMs)}.`,
  ],
  UND_ERR_HEADERS_OVERFLOW: [
    'too-large',
    ({ host }, { headBytes }) =>
      `The header fields of the bank's answer (${host}) are larger than ${headBytes} bytes.`,
  ],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: [
    'malformed',
    ({ host }) =>
      `The answer of the bank (${host}) is not as long as its Content-Length says, or its head is malformed.`,
  ],
  ERR_SWITCHED_PROTOCOLS: [
    'malformed',
    ({ host }) => `The bank (${host}) switched protocols, which nobody asked for.`,
  ],
  CERT_HAS_EXPIRED: tls('its certificate has expired'),
  CERT_NOT_YET_VALID: tls('its certificate is not yet valid'),
  CERT_REVOKED: tls('its certificate is revoked'),
  ERR_TLS_CERT_ALTNAME_INVALID: tls('its certificate is for another name'),
  HOSTNAME_MISMATCH: tls('its certificate is for another name'),
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  CERT_UNTRUSTED: untrusted,
  CERT_SIGNATURE_FAILURE: tls('the signature of its certificate is wrong'),
  INVALID_PURPOSE: tls('its certificate is not one for servers'),
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: certificateRefused(
    'it asks for one, and none is configured (--upstream-cert)',
  ),
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: certificateRefused('it does not trust its CA'),
  ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE: certificateRefused('it considers it invalid'),
  ERR_SSL_SSLV3_ALERT_UNSUPPORTED_CERTIFICATE: certificateRefused('it does not support its kind'),
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_REVOKED: certificateRefused('it considers it revoked'),
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED: certificateRefused('it considers it expired'),
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN: certificateRefused('it does not accept it'),
  ERR_SSL_TLSV1_ALERT_ACCESS_DENIED: certificateRefused('it denies it access'),
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: tls(
    'it found nothing in common, or misses a client certificate (--upstream-cert)',
  ),
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: tls('it offers no TLS version of 1.2 or newer'),
  ERR_SSL_UNSUPPORTED_PROTOCOL: tls('it offers no TLS version of 1.2 or newer'),
  ERR_SSL_WRONG_VERSION_NUMBER: tls('it does not speak TLS there'),
  ERR_SSL_PACKET_LENGTH_TOO_LONG: tls('it does not speak TLS there'),
  ERR_SSL_TLSV1_UNRECOGNIZED_NAME: tls('it does not know the requested name'),
  UND_ERR_DESTROYED: ['internal', () => STOPPING],
  UND_ERR_CLOSED: ['internal', () => STOPPING],
};

const BROKEN = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'UND_ERR_SOCKET']);

const ENDINGS: Readonly<Record<Ending, Row>> = {
  'client-gone': [
    'client-gone',
    () => 'The client went away before the bank had answered; the call to the bank was ended.',
  ],
  'whole-timeout': [
    'timeout',
    ({ host }, { wholeMs }) => `The bank (${host}) did not finish its answer within ${seconds(wholeMs)}.`,
  ],
  'stream-timeout': [
    'timeout',
    ({ host }, { streamMs }) =>
      `The bank's answer (${host}) could not be passed on completely within ${seconds(streamMs)}.`,
  ],
  'no-status': [
    'malformed',
    ({ host }) => `What the bank (${host}) sent is not an HTTP answer: its status is below 100.`,
  ],
};

export function explainFailure(
  { error, stage, fresh }: Omit<ReceptionFailure, 'kind'>,
  bank: Bank,
  limits: UpstreamLimits,
): Failure {
  const [kind, explain] = rowOf(error, stage, fresh);
  return failureOf(kind, explain(bank, limits));
}

function rowOf(error: unknown, stage: ReceptionFailure['stage'], fresh: boolean): Row {
  if (error instanceof Ended) return ENDINGS[error.ending];
  const code = codeOf(error);
  const row = Object.hasOwn(ROWS, code) ? ROWS[code] : undefined;
  if (row !== undefined) return row;
  if (isMalformed(error)) return malformed(error);
  if (BROKEN.has(code)) return ['reset', (bank) => describeBreak(bank, stage, fresh)];
  if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_') || code === 'EPROTO')
    return tls(`the cause is ${code}`);
  const named = code === '' ? 'an unknown cause' : code;
  return ['internal', () => `The gateway could not send this call to the bank: ${named}.`];
}

function describeBreak({ host, tls }: Bank, stage: ReceptionFailure['stage'], fresh: boolean): string {
  if (stage === 'body') return `The bank (${host}) broke off in the middle of its answer.`;
  if (stage === 'head') return `The bank (${host}) broke off in the head of its answer.`;
  // TLS 1.3: a server judges the client's certificate after the client's handshake is done.
  const hint = tls && fresh ? '; it may not accept the client certificate of the gateway' : '';
  return `The bank (${host}) closed the connection without an answer${hint}.`;
}

function malformed({ message }: Error): Row {
  const reason = PARSER_REASON.exec(message)?.[1];
  const told = reason === undefined ? '' : `: ${reason.toLowerCase()}`;
  return ['malformed', ({ host }) => `What the bank (${host}) sent is not an HTTP answer${told}.`];
}

const PARSER_REASON = /protocol \((.{1,100}?)\)$/;

/** undici has no code for its parser's errors, and one for broken connections and answers that no one asked for. */
function isMalformed(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const { name, message } = error;
  return name === 'HTTPParserError' || message === 'bad response' || message === 'bad upgrade';
}

/** Whether a kept connection turned out to be dead: nothing of an answer had come. */
export function diedBeforeAnswer({ error, stage, fresh }: ReceptionFailure): boolean {
  return !fresh && stage === 'awaited' && BROKEN.has(codeOf(error)) && !isMalformed(error);
}

export const ENTRY_FAILURES: Readonly<Record<Exclude<Entry, 'entered'>, Failure>> = {
  full: failureOf('overload', 'Too many calls to the bank are under way, and the queue is full.'),
  late: failureOf(
    'overload',
    'Too many calls to the bank are under way; this one waited too long for its turn.',
  ),
  closed: failureOf('internal', STOPPING),
  gone: failureOf('client-gone', 'The client went away before the bank was asked.'),
};

/** Other gateways take it for ended. */
export const BEGUN_LATE = failureOf(
  'overload',
  'It took too long to record that this call is sent to the bank, so it was not sent.',
);

export const TOO_MANY_WEBSOCKETS = failureOf(
  'overload',
  'The limit of open websockets to pages of the bank is reached.',
);

/** For a request of Node that waited too long: it has no error of its own for that. */
export const LATE = () =>
  Object.assign(new Error('the bank sent no answer in time'), { code: 'UND_ERR_HEADERS_TIMEOUT' });

export function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? alertName(code) : '';
}
