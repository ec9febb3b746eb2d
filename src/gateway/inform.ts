/** Passes interim answers (1xx) on to the client, as RFC 9110 15.2 asks of every proxy. */
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { HeaderList } from '../exchange/index.js';

/**
 * Written by hand: Node has words for 102 and 103 only, and of their fields it takes few. Nothing is said to a client
 * of HTTP/1.0, which would take it for the answer, nor to one whose earlier request on the connection is not answered.
 */
export function inform(response: ServerResponse, status: number, headers: HeaderList): void {
  const { socket, req } = response;
  if (socket === null || socket.destroyed || response.headersSent || req.httpVersion !== '1.1') return;
  const fields = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${fields}\r\n`, 'latin1');
}
