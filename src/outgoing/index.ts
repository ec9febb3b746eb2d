/** The outgoing layer: requests of Node to others, each of which ends. */
import { type ClientRequest, request as httpRequest } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';

/** By http or https, as the address says; without `end`. Fails where the answer switches protocols. */
export function openRequest(url: URL, options: RequestOptions): ClientRequest {
  return refuseUpgrade((url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options));
}

/**
 * For a request that asks for no other protocol. Node closes one that is answered by 101 all the same, with neither an
 * answer nor an error, and its signal can end it no more: here it fails with ERR_SWITCHED_PROTOCOLS.
 */
export function refuseUpgrade(request: ClientRequest): ClientRequest {
  return request.once('upgrade', (_answer, socket) => {
    socket.destroy();
    const error = new Error('it switched protocols, which nobody asked for');
    request.emit('error', Object.assign(error, { code: 'ERR_SWITCHED_PROTOCOLS' }));
  });
}
