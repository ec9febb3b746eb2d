/** Ends connections with a last answer, whether or not the client closes its side. */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

/** How long a client may take to read the last answer, in ms; what it still sends is thrown away. */
export const LINGER_MS = 800;

const ending = new WeakSet<Socket>();

/** Whether the connection has got its last answer, or is about to: nothing more that comes on it is looked at. */
export function isEnding(socket: Socket): boolean {
  return ending.has(socket);
}

/** No request that comes after this one on the connection is looked at. */
export function takeNoMore(socket: Socket): void {
  ending.add(socket);
}

/** Gives a last answer, and destroys the socket when it is closed or the time for reading is over. */
export function endWith(socket: Socket, answer: string | Uint8Array): void {
  ending.add(socket);
  socket.on('error', () => {});
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
  socket.end(answer);
  // A connection that is closed on unread bytes takes the answer with it (RFC 9112 9.6).
  socket.resume();
}

/** The least that a client can read; there is no request whose format could be followed. `problem` is half a sentence. */
export function bareAnswer(status: number, problem: string): string {
  const text = `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`;
  const body = JSON.stringify({ tppMessages: [{ category: 'ERROR', code: 'FORMAT_ERROR', text }] });
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    ...(status === 405 ? [`Allow: ${OFFERED_METHODS}`] : []),
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}

export const OFFERED_METHODS = 'GET, HEAD, POST, DELETE';
