/** Has an answer arrive as an injected fault wants it: late, in pieces, or not whole. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { ClientSignal, Delivery } from '../answer/index.js';
import { headerKey } from '../exchange/index.js';
import type { Outgoing } from './arrivals.js';
import { payloadOf } from './reply.js';

/**
 * Resolves to what is left to be sent, once it is time for it; null where nothing is: the client is gone, the connection was
 * closed, or it stays open and silent.
 */
export async function deliver(
  outgoing: Outgoing,
  { ms, end, bytes }: Delivery,
  { request, response, gone }: { request: IncomingMessage; response: ServerResponse; gone: ClientSignal },
): Promise<Outgoing | null> {
  if (ms !== undefined && !(await pause(ms, gone))) return null;
  if (gone.aborted || end === 'hang') return null;
  if (end === 'reset') reset(request.socket);
  if (end === 'head') request.socket.destroy();
  if (end === 'head' || end === 'reset') return null;
  if (end === 'after') response.once('finish', () => request.socket.destroySoon());
  if (bytes === undefined) return outgoing;
  return inPieces(outgoing, bytes, end === 'body' ? request.socket : null, gone);
}

/** The body takes a second for so many bytes; or the connection is `cut` behind them. */
function inPieces(outgoing: Outgoing, bytes: number, cut: Socket | null, gone: ClientSignal): Outgoing {
  const { answer, wire } = outgoing;
  const payload = wire instanceof Uint8Array ? wire : Buffer.from(payloadOf(answer.body));
  async function* pieces() {
    for (let at = 0; at < payload.length; at += bytes) {
      if (at > 0) {
        cut?.destroySoon();
        if (!(await pause(SECOND_MS, gone))) return;
      }
      yield payload.subarray(at, at + bytes);
    }
  }
  const others = answer.headers.filter(([name]) => headerKey(name) !== 'content-length');
  const headers = [...others, ['Content-Length', String(payload.length)] as const];
  return { ...outgoing, answer: answer.with(headers, answer.body), wire: Readable.from(pieces()) };
}

const SECOND_MS = 1_000;

/** Resolves to false as soon as the client is gone. */
function pause(ms: number, gone: ClientSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      gone.removeEventListener('abort', end);
      resolve(!gone.aborted);
    };
    const timer = setTimeout(end, ms);
    gone.addEventListener('abort', end, { once: true });
    if (gone.aborted) end();
  });
}

/** A TLS socket cannot reset its connection: the TCP socket below it can. */
function reset(socket: Socket & { readonly _parent?: Socket | null }): void {
  (socket._parent ?? socket).resetAndDestroy();
}
