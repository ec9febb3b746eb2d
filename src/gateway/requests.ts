/** Takes requests off the sockets, hands them to the pipeline, and writes what comes back. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { pairHeaders } from '../exchange/index.js';
import type { Side } from './arrivals.js';
import { type BodyRead, hasBody, NO_BODY, readBody } from './body.js';
import type { Connections } from './connections.js';
import { type GatewayFault, HOST_MISSING_FAULT, TARGET_FORM_FAULT } from './faults.js';
import type { Peer } from './peers.js';
import type { Pipeline } from './pipeline.js';
import { reply } from './reply.js';

export interface RequestsParts {
  readonly side: Side;
  readonly limits: { readonly body: number };
  readonly showHeaders: boolean;
  readonly pipeline: Pipeline;
  readonly connections: Connections;
  readonly peerOf: (socket: Socket) => Peer;
  readonly clock: () => number;
  readonly stopwatch: () => number;
  readonly isClosing: () => boolean;
  readonly onError: (error: unknown) => void;
}

export interface RequestHandler {
  readonly take: (request: IncomingMessage, response: ServerResponse) => void;
  /** The same for `Expect: 100-continue`: the body is asked for only where it may come. */
  readonly takeExpecting: (request: IncomingMessage, response: ServerResponse) => void;
  /** Ends the body that is being read on a connection; false where none is. */
  readonly stopReading: (socket: Socket, fault: GatewayFault) => boolean;
}

export function createRequestHandler(parts: RequestsParts): RequestHandler {
  const { clock, stopwatch, limits } = parts;
  const reading = new WeakMap<Socket, (fault: GatewayFault) => void>();

  const take = (request: IncomingMessage, response: ServerResponse): void => {
    const at = clock();
    const started = stopwatch();
    const end = parts.connections.begin(request.socket);
    const gone = lazySignal();
    response.once('close', () => {
      end();
      if (!response.writableFinished) gone.abort();
    });
    response.on('error', () => {});
    const answer = (read: BodyRead) => {
      serve(request, response, { at, started, read, gone }).catch((error) => {
        parts.onError(error);
        request.socket.destroy();
      });
    };
    if (!hasBody(request)) {
      answer(NO_BODY);
      return;
    }
    const { socket } = request;
    readBody(request, limits.body, (stop) => reading.set(socket, stop)).then((read) => {
      reading.delete(socket);
      answer(read);
    }, parts.onError);
  };

  async function serve(
    request: IncomingMessage,
    response: ServerResponse,
    { at, started, read, gone }: { at: number; started: number; read: BodyRead; gone: LazySignal },
  ): Promise<void> {
    const target = request.url ?? '';
    const problem = read.problem ?? problemOf(request, target);
    const outgoing = await parts.pipeline({
      listener: parts.side,
      peer: parts.peerOf(request.socket),
      at,
      started,
      method: request.method ?? '',
      target,
      headers: pairHeaders(request.rawHeaders),
      body: read.body,
      problem,
      signal: gone.signal,
    });
    if (outgoing === null) request.socket.destroy();
    else if (!response.destroyed) {
      const close = problem !== null || parts.isClosing();
      reply(request, response, outgoing, { showHeaders: parts.showHeaders && parts.side === 'api', close });
    }
  }

  return {
    take,
    takeExpecting: (request, response) => {
      if (Number(request.headers['content-length'] ?? 0) <= limits.body) response.writeContinue();
      take(request, response);
    },
    stopReading: (socket, fault) => {
      const stop = reading.get(socket);
      stop?.(fault);
      return stop !== undefined;
    },
  };
}

interface LazySignal {
  readonly signal: () => AbortSignal;
  readonly abort: () => void;
}

/** A signal costs more than all else of a call's opening, and most calls are answered before anybody asks for it. */
function lazySignal(): LazySignal {
  let controller: AbortController | undefined;
  let aborted = false;
  return {
    signal: () => {
      controller ??= new AbortController();
      if (aborted) controller.abort();
      return controller.signal;
    },
    abort: () => {
      aborted = true;
      controller?.abort();
    },
  };
}

function problemOf(request: IncomingMessage, target: string): GatewayFault | null {
  if (!target.startsWith('/') || target.includes('%00')) return TARGET_FORM_FAULT;
  if (request.headers.host === undefined && request.httpVersion === '1.1') return HOST_MISSING_FAULT;
  return null;
}
