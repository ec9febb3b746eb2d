/** Proxies the bank's own pages on the PSU listener: streamed, not recorded, up to the redirect to the TPP. */
import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, type ServerResponse } from 'node:http';
import { Agent } from 'node:https';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { createProxyServer } from 'http-proxy';
import {
  type Answer,
  type Call,
  type Fault,
  type HeaderList,
  openAnswer,
  pairHeaders,
} from '../../exchange/index.js';
import { refuseUpgrade } from '../../outgoing/index.js';
import type { Credentials } from './credentials.js';
import { type Bank, ENTRY_FAILURES, explainFailure, type Failure, LATE } from './failures.js';
import { UPSTREAM_LIMITS, type UpstreamLimits } from './limits.js';
import { createTurn, rewriteAnswerHeaders, rewriteRequestHeaders, type TurnParts } from './psu-rewrites.js';
import { createPsuUpgrades } from './psu-upgrades.js';
import { createWaitingLine } from './waiting-line.js';

export interface PsuPage {
  /** The call that `show` was given. */
  readonly call: Call;
  readonly answer: Answer;
  /** Why there is no page of the bank; the answer is the gateway's then. */
  readonly fault: Fault | null;
}

export interface PsuProxyParts extends TurnParts {
  readonly credentials: Pick<Credentials, 'authorities'>;
  /** The answer leaves when this has settled, so that it can be recorded before. */
  readonly onPage: (page: PsuPage) => void | Promise<void>;
  /** A later page sends the browser elsewhere: to the TPP, which ends the authorization, or to anybody else. */
  readonly onLeave: (location: string, answer: Answer) => void | Promise<void>;
  /** A page or a websocket of one cannot be had, or what the bank answered there cannot be recorded; in a sentence. */
  readonly onFailure: (cause: string) => void;
  readonly limits?: Partial<UpstreamLimits>;
}

export type PsuProxy = ReturnType<typeof createPsuProxy>;

const FAILED: HeaderList = [
  ['Content-Type', 'text/plain; charset=utf-8'],
  ['Cache-Control', 'no-store'],
];

export function createPsuProxy(parts: PsuProxyParts) {
  const { target, urls } = parts;
  const limits = { ...UPSTREAM_LIMITS, ...parts.limits };
  const bank: Bank = { host: target.host, tls: target.protocol === 'https:' };
  const asked = new WeakMap<object, Call>();
  const { agent, followAuthorities } = openAgent(target, parts.credentials, limits);
  const websockets = openAgent(target, parts.credentials, limits);
  const line = createWaitingLine(limits);
  const turn = createTurn(parts);
  const proxy = createProxyServer({
    target: target.href,
    agent,
    changeOrigin: true,
    // Otherwise the query is parsed and written again, and is no longer what the TPP sent.
    toProxy: true,
    selfHandleResponse: true,
  });

  const upgrades = createPsuUpgrades({
    proxy,
    bank,
    limits,
    agent: websockets.agent,
    onFailure: ({ fault }) => parts.onFailure(fault.message),
  });

  proxy.on('proxyReq', (request) => endInTime(refuseUpgrade(request), limits));
  proxy.on('error', (error, _, response) => {
    if ('headersSent' in response) void fail(error, response);
    else upgrades.fail(error, response as Socket);
  });
  proxy.on('econnreset', (_error, _request, response) => response.destroy());
  proxy.on(
    'proxyRes',
    (page, _, response) => void reply(page, response).catch((error) => void fail(error, response)),
  );

  async function fail(error: Error, response: ServerResponse): Promise<void> {
    const failure = explainFailure({ error, stage: 'awaited', fresh: true }, bank, limits);
    parts.onFailure(failure.fault.message);
    if (response.headersSent) response.destroy();
    else await answer(failure, response);
  }

  async function answer({ status, fault }: Failure, response: ServerResponse): Promise<void> {
    const call = asked.get(response);
    if (call !== undefined && !response.destroyed) {
      const answer = openAnswer({ source: 'gateway', status, headers: FAILED, body: null });
      await settled(parts.onPage({ call, answer, fault }));
    }
    if (response.destroyed) return;
    response.writeHead(status, FAILED.flat());
    response.end(
      'Sandgate, not the bank, gives this answer: the page of the bank cannot be reached. Try again later.\n',
    );
  }

  async function reply(page: IncomingMessage, response: ServerResponse): Promise<void> {
    page.on('error', () => response.destroy());
    const status = page.statusCode ?? 502;
    const headers = rewriteAnswerHeaders(page.rawHeaders, parts, turn);
    const location = status >= 300 && status < 400 ? page.headers.location : undefined;
    const leaves = location !== undefined && URL.canParse(location) && turn(location) === null;
    const call = asked.get(response);
    if (leaves || call !== undefined) {
      const answer = openAnswer({ source: 'upstream', status, headers: pairHeaders(headers), body: null });
      if (call !== undefined) await settled(parts.onPage({ call, answer, fault: null }));
      else if (leaves) await settled(parts.onLeave(location, answer));
    }
    if (response.destroyed) {
      page.destroy();
      return;
    }
    response.writeHead(status, page.statusMessage ?? '', headers);
    // A page has twelve listeners of its end, each once: Node takes more than ten for a leak.
    response.setMaxListeners(20);
    pipeline(page, response, () => {});
  }

  async function settled(recorded: void | Promise<void>): Promise<void> {
    try {
      await recorded;
    } catch (error) {
      parts.onFailure(
        `Its answer to an authorization request could not be recorded: ${(error as Error).message}`,
      );
    }
  }

  return {
    /** `call`: the authorization request, where the request is one. The body of the request must not have been read. */
    show: async (request: IncomingMessage, response: ServerResponse, call?: Call): Promise<void> => {
      const gone = new AbortController();
      response.once('close', () => gone.abort());
      const waited = line.enter({ signal: gone.signal });
      const entry = typeof waited === 'string' ? waited : await waited;
      if (entry !== 'entered') return answer(ENTRY_FAILURES[entry], response);
      if (response.destroyed) return line.leave();
      response.once('close', line.leave);
      if (call !== undefined) asked.set(response, call);
      rewriteRequestHeaders(request, target, urls().psu);
      followAuthorities();
      proxy.web(request, response, {});
    },
    upgrade: (request: IncomingMessage, socket: Socket, head: Buffer): void => {
      rewriteRequestHeaders(request, target, urls().psu);
      websockets.followAuthorities();
      upgrades.take(request, socket, head);
    },
    close: async (): Promise<void> => {
      line.close();
      upgrades.close();
      agent.destroy();
    },
  };
}

/** Not by the idle time of the connection, which never passes while interim answers or single bytes keep coming. */
function endInTime(request: ClientRequest, { firstByteMs, streamMs }: UpstreamLimits): void {
  const endLate = () => request.destroy(LATE());
  let timer = setTimeout(endLate, firstByteMs);
  request.once('response', () => {
    clearTimeout(timer);
    timer = setTimeout(endLate, streamMs);
  });
  request.once('close', () => clearTimeout(timer));
}

function openAgent(target: URL, credentials: Pick<Credentials, 'authorities'>, limits: UpstreamLimits) {
  const bounds = { keepAlive: true, maxSockets: limits.concurrency, timeout: limits.wholeMs };
  if (target.protocol !== 'https:') return { agent: new HttpAgent(bounds), followAuthorities: () => {} };
  const agent = new Agent({ ...bounds, minVersion: 'TLSv1.2', rejectUnauthorized: true });
  /** Further requests trust the CAs that are trusted by now: an agent keeps connections by their CAs. */
  const followAuthorities = () => {
    const ca = credentials.authorities();
    if (ca.length > 0) agent.options.ca = [...ca];
  };
  return { agent, followAuthorities };
}
