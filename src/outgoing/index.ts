/** The outgoing layer: requests of Node to others, each of which ends. */
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { addAbortSignal, type Duplex } from 'node:stream';

export { openAddressRanges } from './address-ranges.js';
export { createAllowList, plainHost } from './allow-list.js';
export { abortFault, findAddress, pinnedTo, systemResolve } from './find-address.js';

/** Marks what goes to an address that a TPP, a recording or an answer may have chosen: admin listeners refuse it. */
export const SENT = ['Sandgate-Sent', '1'] as const;
export const SENT_KEY = 'sandgate-sent';

export interface Outgoing {
  /** The user of this program chose the address: the request carries no mark. */
  readonly isOwn?: boolean;
}

/** By http or https, as the address says; without `end`. Fails where the answer hands the connection over. */
export function openRequest(url: URL, { isOwn, ...options }: RequestOptions & Outgoing): ClientRequest {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const headers = isOwn === true ? options.headers : marked(options.headers);
  return refuseUpgrade(request(url, { ...options, ...(headers === undefined ? {} : { headers }) }));
}

function marked(headers: RequestOptions['headers']): RequestOptions['headers'] {
  const [name, value] = SENT;
  return Array.isArray(headers) ? [...headers, name, value] : { ...headers, [name]: value };
}

interface Asked extends Pick<RequestOptions, 'ca' | 'cert' | 'key' | 'lookup'>, Outgoing {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** The answer as soon as its head is there, over a connection of its own. Each signal cuts it off, also in its middle. */
export function answerTo(
  url: URL,
  { body, ...options }: Asked,
  ...signals: AbortSignal[]
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = openRequest(url, { ...options, agent: false })
      .on('response', resolve)
      .on('error', reject);
    for (const signal of signals) addAbortSignal(signal, request);
    request.end(body);
  });
}

/**
 * For a request that asks for no other protocol. Node hands the connection over where the answer switches protocols, and
 * where any answer comes to CONNECT; if nobody takes it, the request ends with neither an answer nor an error, and its
 * signal can end it no more: here it fails with ERR_SWITCHED_PROTOCOLS.
 */
export function refuseUpgrade(request: ClientRequest): ClientRequest {
  const refuse = (why: string) => (_answer: IncomingMessage, socket: Duplex) => {
    socket.destroy();
    request.emit('error', Object.assign(new Error(why), { code: 'ERR_SWITCHED_PROTOCOLS' }));
  };
  return request
    .once('upgrade', refuse('it switched protocols, which nobody asked for'))
    .once('connect', refuse('CONNECT opens a tunnel, and nothing is sent through one'));
}
