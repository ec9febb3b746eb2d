/** Websockets of the bank's pages: limited in number, on connections of their own, each ended with its client. */
import { type Agent, type ClientRequest, type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ProxyServer } from 'http-proxy';
import { type Bank, explainFailure, type Failure, LATE, TOO_MANY_WEBSOCKETS } from './failures.js';
import type { UpstreamLimits } from './limits.js';

interface PsuUpgradesParts {
  readonly proxy: ProxyServer;
  readonly bank: Bank;
  readonly limits: UpstreamLimits;
  /** Not that of the pages: however many wait for the bank here, pages do not. */
  readonly agent: Agent;
  readonly onFailure: (failure: Failure) => void;
}

/** How long a client may take to read its last answer. */
const LINGER_MS = 800;

export function createPsuUpgrades(parts: PsuUpgradesParts) {
  const { proxy, bank, limits, agent } = parts;
  const open = new Set<Socket>();
  const answered = new WeakSet<Socket>();

  function refuse(failure: Failure, socket: Socket): void {
    parts.onFailure(failure);
    answered.add(socket);
    socket.end(answerOf(failure));
    // It is gone then, whether or not the client ends its half.
    after(LINGER_MS, socket, () => socket.destroy());
  }

  proxy.on('proxyReqWs', (request: ClientRequest, _: IncomingMessage, socket: Socket) => {
    const late = setTimeout(() => request.destroy(LATE()), limits.firstByteMs);
    const begun = () => {
      clearTimeout(late);
      answered.add(socket);
    };
    request.once('response', begun);
    request.once('upgrade', (_answer, bankSocket: Socket) => {
      begun();
      socket.once('close', () => bankSocket.destroy());
      bankSocket.once('close', () => after(LINGER_MS, socket, () => socket.destroy()));
      if (socket.destroyed) bankSocket.destroy();
    });
    socket.once('close', () => {
      clearTimeout(late);
      request.destroy();
    });
    if (socket.destroyed) request.destroy();
  });

  return {
    take: (request: IncomingMessage, socket: Socket, head: Buffer) => {
      if (open.size >= limits.websockets) return refuse(TOO_MANY_WEBSOCKETS, socket);
      open.add(socket);
      socket.once('close', () => open.delete(socket));
      after(limits.streamMs, socket, () => socket.destroy());
      proxy.ws(request, socket, head, { agent });
    },
    /** Tells the client why there is no websocket, where nothing of one has come yet. */
    fail: (error: Error, socket: Socket): void => {
      if (answered.has(socket) || socket.destroyed) socket.destroy();
      else refuse(explainFailure({ error, stage: 'awaited', fresh: true }, bank, limits), socket);
    },
    close: (): void => {
      for (const socket of open) socket.destroy();
      agent.destroy();
    },
  };
}

function after(ms: number, socket: Socket, run: () => void): void {
  const timer = setTimeout(run, ms);
  socket.once('close', () => clearTimeout(timer));
}

function answerOf({ status, fault }: Failure): string {
  const text = `Sandgate, not the bank, gives this answer. ${fault.message}\n`;
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Cache-Control: no-store',
    'Connection: close',
    '',
    text,
  ].join('\r\n');
}
