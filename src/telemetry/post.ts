/** One request to an address of the operator's. No redirect is followed, and of the answer nothing is kept but its head. */
import type { RequestOptions } from 'node:https';
import { type Outgoing, openRequest, pinnedTo } from '../outgoing/index.js';
import type { Sent } from './delivery.js';

interface Posted extends Outgoing, Pick<RequestOptions, 'agent'> {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  /** The address that its name leads to: it is not looked up again. */
  readonly address?: string;
}

const MOST_ANSWER = 65_536;

export function post(
  url: URL,
  { body, address, headers, ...more }: Posted,
  signal: AbortSignal,
): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const request = openRequest(url, {
      ...{ method: 'POST', agent: false, signal, ...more },
      headers: { ...headers, 'Content-Length': String(Buffer.byteLength(body)) },
      ...(address === undefined ? {} : { lookup: pinnedTo(address) }),
    });
    request.on('error', reject);
    request.on('response', (response) => {
      const sent = sentBy(response.statusCode ?? 0, response.headers['retry-after']);
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > MOST_ANSWER) response.destroy();
      });
      response.on('error', () => {});
      response.on('close', () => {
        // Nothing reads the body any more once it is told how it went.
        if (!request.writableFinished) request.destroy();
        resolve(sent);
      });
    });
    request.end(body);
  });
}

/** A redirect is an answer like any other that is no success. */
function sentBy(status: number, retryAfter = ''): Sent {
  if (status >= 200 && status < 300) return 'done';
  if (status !== 408 && status !== 429 && status < 500) return 'never';
  return { again: /^\d{1,5}$/.test(retryAfter) ? Number(retryAfter) * 1_000 : 0 };
}
