/** Reads requests from the sockets, passes them to the pipeline, and writes the answers. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { ClientListener, ClientSignal } from '../answer/index.js';
import { type CallTime, JSON_TYPE, type OwnListener, pairHeaders } from '../exchange/index.js';
import type { BodyRead, GatewayFault, Incoming, Outgoing, Peer } from './arrivals.js';
import type { TurnAway } from './ask.js';
import { hasBody, leaveBody, NO_BODY, readBody } from './body.js';
import type { Connections } from './connections.js';
import { deliver } from './delivery.js';
import { isEnding, takeNoMore } from './end-connection.js';
import type { Claimed, ReadForwarded } from './forwarded-peers.js';
import type { Insist } from './insist.js';
import type { Pages } from './pages.js';
import type { Pipeline } from './pipeline.js';
import { type PageOf, reply } from './reply.js';
import { type OwnAddress, type RequestHead, readHead } from './request-head.js';

export interface RequestsParts {
  readonly listener: OwnListener;
  readonly limits: { readonly body: number };
  readonly showHeaders: boolean;
  readonly pageOf: PageOf;
  readonly pipeline: Pipeline;
  readonly turnAway: TurnAway;
  /** The bank's own pages; null where the listener never shows any. */
  readonly pages: Pages | null;
  /** A document in JSON that the path gives, outside the interface: neither judged nor recorded. */
  readonly described: { readonly path: string; readonly text: () => Promise<string> } | null;
  readonly own: () => OwnAddress;
  readonly connections: Connections;
  readonly peerOf: (socket: Socket) => Peer;
  /** Marks the peer of a call that the gateway sent to itself. */
  readonly markOwn: (request: IncomingMessage, peer: Peer) => Peer;
  /** null: no load balancer says who calls. */
  readonly readForwarded: ReadForwarded | null;
  /** null: calls do not wait for what is known of their certificates. */
  readonly insist: Insist | null;
  readonly time: () => CallTime;
  readonly stopwatch: () => number;
  readonly isClosing: () => boolean;
  readonly onError: (error: unknown) => void;
}

/** A request as it came off a socket. */
interface Arrived extends RequestHead {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Asked when the call arrives: of a socket whose client has ended it meanwhile TLS tells nothing any more. */
  readonly peer: Peer;
  readonly time: CallTime;
  readonly started: number;
  readonly gone: ClientGone;
}

const NOBODY: readonly ClientListener[] = [];

/**
 * Tells that the client of a call is gone. An AbortSignal does the same, costs more than all else of a call's opening, and
 * outlives young collections with all that its call holds.
 */
class ClientGone implements ClientSignal {
  aborted = false;
  #listeners: readonly ClientListener[] = NOBODY;

  addEventListener(_: 'abort', listener: ClientListener): void {
    this.#listeners = [...this.#listeners, listener];
  }

  removeEventListener(_: 'abort', listener: ClientListener): void {
    this.#listeners = this.#listeners.filter((one) => one !== listener);
  }

  abort(): void {
    if (this.aborted) return;
    this.aborted = true;
    const listeners = this.#listeners;
    this.#listeners = NOBODY;
    for (const one of listeners) typeof one === 'function' ? one() : one.handleEvent();
  }
}

const ignore = (): void => {};

type Described = NonNullable<RequestsParts['described']>;

const isFor = (path: string, { target, request: { method } }: Arrived): boolean =>
  target === path && (method === 'GET' || method === 'HEAD');

export function createRequestHandler(parts: RequestsParts) {
  const { listener, stopwatch, limits, pages, described } = parts;
  const reading = new WeakMap<Socket, (fault: GatewayFault) => void>();

  /** Here and below every member is written out: a spread makes an object of another, slower kind for each call. */
  function take(request: IncomingMessage, response: ServerResponse, isExpecting = false): void {
    if (isEnding(request.socket)) return;
    const { target, problem } = readHead(request, parts.own, listener);
    // Whatever follows it, nobody can tell where it began.
    if (problem !== null) takeNoMore(request.socket);
    const time = parts.time();
    const started = stopwatch();
    const gone = new ClientGone();
    const peer = parts.markOwn(request, parts.peerOf(request.socket));
    const arrived: Arrived = { request, response, peer, target, problem, time, started, gone };
    const connection = parts.connections.begin(request.socket);
    response.on('close', () => {
      connection.calls -= 1;
      if (!response.writableFinished) gone.abort();
      // It was still leaving when idle connections were closed, and says that the connection goes on.
      else if (parts.isClosing() && connection.calls === 0 && response.shouldKeepAlive)
        request.socket.destroy();
    });
    response.on('error', ignore);
    void serve(arrived, isExpecting);
  }

  /** Never rejects; one promise for all of it, as each costs something. */
  async function serve(arrived: Arrived, isExpecting: boolean): Promise<void> {
    const { request, response } = arrived;
    try {
      const isSound = arrived.problem === null;
      if (isSound && described !== null && isFor(described.path, arrived))
        return await describe(arrived, described);
      if (isSound && pages?.areShown() === true) return await showPage(arrived, pages, isExpecting);
      const hasNone = !isSound || !hasBody(request);
      // Else Node reads the missing body after the answer, which takes seven ticks of the event loop.
      if (isSound && hasNone) request.read(0);
      let caller = callerOf(arrived);
      if (parts.insist !== null && isSound && !parts.insist.isSettled(caller))
        caller = await parts.insist.settle(caller, () =>
          callerOf({
            ...arrived,
            peer: { ...parts.peerOf(request.socket), connection: arrived.peer.connection },
          }),
        );
      let read = NO_BODY;
      if (!hasNone)
        read = isRefused(arrived, caller) ? leaveBody(request) : await readWhole(arrived, isExpecting);
      const problem = arrived.problem ?? read.problem;
      const outgoing = await parts.pipeline(incomingOf(arrived, caller, read, problem));
      if (outgoing === null) request.socket.destroy();
      else if (outgoing.injected === undefined) send(request, response, outgoing, problem !== null);
      else {
        const arriving = await deliver(outgoing, outgoing.injected, arrived);
        if (arriving !== null) send(request, response, arriving, problem !== null);
      }
    } catch (error) {
      parts.onError(error);
      request.socket.destroy();
    }
  }

  async function describe({ request, response }: Arrived, { text }: Described): Promise<void> {
    const payload = Buffer.from(await text());
    response.writeHead(200, {
      'Content-Type': JSON_TYPE,
      'Content-Length': payload.length,
      'Cache-Control': 'no-cache',
      ...(parts.isClosing() || !request.complete ? { Connection: 'close' } : {}),
    });
    response.end(payload);
  }

  async function readWhole({ request, response }: Arrived, isExpecting: boolean): Promise<BodyRead> {
    const { socket } = request;
    // A body over the limit is only asked for where it may pass.
    const isLarge = Number(request.headers['content-length'] ?? 0) > limits.body;
    if (isExpecting && !isLarge) response.writeContinue();
    const read = await readBody(request, {
      limit: limits.body,
      onReading: (stop) => reading.set(socket, stop),
      onPass: () => {
        if (isExpecting && isLarge) response.writeContinue();
      },
    });
    reading.delete(socket);
    return read;
  }

  function callerOf({ request, peer }: Arrived): Claimed {
    const headers = pairHeaders(request.rawHeaders);
    return parts.readForwarded?.(peer, headers) ?? { peer, headers, problem: null };
  }

  function isRefused(arrived: Arrived, { peer, headers, problem }: Claimed): boolean {
    const { request, time, target } = arrived;
    const { at, ahead } = time;
    if (problem !== null) return true;
    return parts.turnAway.refusesUnread({
      listener,
      peer,
      at,
      ahead,
      method: request.method ?? '',
      target,
      headers,
    });
  }

  function incomingOf(
    arrived: Arrived,
    { peer, headers, problem: ofCaller }: Claimed,
    read: BodyRead,
    problem: GatewayFault | null,
  ): Incoming {
    const { request, response, time, started, gone, target } = arrived;
    const { body, unread, raw } = read;
    const method = request.method ?? '';
    return {
      listener,
      peer,
      at: time.at,
      ahead: time.ahead,
      started,
      method,
      target,
      headers,
      body,
      problem: problem ?? ofCaller,
      unread,
      raw,
      gone,
      response,
    };
  }

  async function showPage(arrived: Arrived, shown: Pages, isExpecting: boolean): Promise<void> {
    const { request, response } = arrived;
    if (isExpecting) response.writeContinue();
    // The bank is asked for exactly the target that is judged.
    request.url = arrived.target;
    const outgoing = await shown.take(
      incomingOf(arrived, callerOf(arrived), NO_BODY, null),
      request,
      response,
    );
    if (outgoing !== null) send(request, response, outgoing, false);
  }

  function send(
    request: IncomingMessage,
    response: ServerResponse,
    outgoing: Outgoing,
    isLast: boolean,
  ): void {
    if (response.destroyed) {
      if (outgoing.wire instanceof Readable) outgoing.wire.destroy();
      return;
    }
    const close = isLast || !request.complete || parts.isClosing();
    const { address } = parts.peerOf(request.socket).connection;
    const pageOf = (exchange: string) => parts.pageOf(exchange, address);
    reply(request, response, outgoing, { showHeaders: parts.showHeaders, pageOf, close });
  }

  return {
    take,
    /** The same for `Expect: 100-continue`: the body is asked for only where it may come. */
    takeExpecting: (request: IncomingMessage, response: ServerResponse): void =>
      take(request, response, true),
    /** Ends the body that is being read on a connection; false where none is. */
    stopReading: (socket: Socket, fault: GatewayFault): boolean => {
      const stop = reading.get(socket);
      stop?.(fault);
      return stop !== undefined;
    },
  };
}

export type RequestHandler = ReturnType<typeof createRequestHandler>;
