/** A resource status notification as an exchange in the other direction: the gateway calls, the TPP answers. */
import {
  type Answer,
  type Body,
  bodyOfBytes,
  Call,
  type CallTime,
  openAnswer,
  pairHeaders,
  Request,
} from '../../exchange/index.js';
import { SENT } from '../../outgoing/index.js';
import type { Notification } from '../emulator/bank.js';
import { textBody } from '../render.js';

export interface NotificationArrival extends CallTime {
  readonly id: string;
  readonly session: string;
  readonly connection: Call['connection'];
}

export function openNotification(
  { paymentId, transactionStatus, tpp }: Notification,
  url: URL,
  arrival: NotificationArrival,
  hasId = true,
): Call {
  const value = { ...(hasId ? { 'payment-ID': paymentId } : {}), transactionStatus };
  const body = textBody(JSON.stringify(value));
  const headers = [
    ['Host', url.host],
    ['Content-Type', 'application/json'],
    ['Content-Length', String(body.size)],
    ['User-Agent', 'sandgate'],
    ['Connection', 'close'],
    SENT,
  ] as const;
  return new Call({
    ...arrival,
    listener: 'callback',
    certificate: 'absent',
    tpp,
    operation: null,
    params: {},
    // The whole address: it tells who was called.
    request: new Request('POST', url.href, headers, body, { kind: 'json', value }),
  });
}

export interface Received {
  readonly status: number;
  readonly rawHeaders: readonly string[];
  readonly bytes: Buffer;
  readonly truncated: boolean;
}

export function openNotificationAnswer({ status, rawHeaders, bytes, truncated }: Received): Answer {
  const body: Body = {
    ...bodyOfBytes(bytes, bytes.length),
    ...(truncated ? { truncated: true as const } : {}),
  };
  return openAnswer({
    source: 'upstream',
    status,
    headers: pairHeaders(rawHeaders),
    body: bytes.length === 0 ? null : body,
  });
}
