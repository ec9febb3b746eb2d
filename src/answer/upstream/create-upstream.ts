/** The upstream source: forwards calls to the bank and passes its answers on unchanged. */
import { type Call, type Fault, openAnswer } from '../../exchange/index.js';
import type { Proof } from '../../rules/index.js';
import { answerRefusal } from '../answer-refusal.js';
import type { AnswerContext, Answered, Answerer } from '../answerer.js';
import { answerRedirect } from '../render.js';
import { createRoute } from '../route.js';
import { createConnections } from './connections.js';
import type { Credentials } from './credentials.js';
import {
  type Bank,
  BEGUN_LATE,
  diedBeforeAnswer,
  ENTRY_FAILURES,
  explainFailure,
  type Failure,
  failureOf,
} from './failures.js';
import { UPSTREAM_LIMITS, type UpstreamLimits } from './limits.js';
import { createLinkMap, type LinkMap, type LinkMapParts, withoutSlash } from './link-map.js';
import { type BankRequest, openRequest, pathOf } from './open-request.js';
import { createPassAnswer, rewriteLinkFields, upstreamAnswer } from './pass-answer.js';
import type { Received } from './received.js';
import { Reception } from './reception.js';
import { createWaitingLine } from './waiting-line.js';

export interface UpstreamParts extends Omit<LinkMapParts, 'psuPages' | 'further'> {
  readonly credentials: Credentials;
  readonly proof: Proof;
  /** Whether calls of those who have not are sent on too, with the gateway's own certificate. */
  readonly lendsToAnyone: boolean;
  /** Bases for single operations or kinds of them; all others are below `target`. */
  readonly targets?: Readonly<Record<string, URL>>;
  readonly rewrite: boolean;
  /** Whether the PSU listener shows the bank's pages (`createPsuProxy`). */
  readonly psuPages?: boolean;
  readonly limits?: Partial<UpstreamLimits>;
  readonly onFailure?: (fault: Fault) => void;
}

export interface Upstream extends Answerer {
  readonly name: 'upstream';
  readonly close: () => Promise<void>;
  /** Calls on their way to the bank, and calls that wait for their turn. */
  readonly load: () => { readonly active: number; readonly waiting: number };
}

/** One base of the bank's API. */
type Place = ReturnType<ReturnType<typeof createPlaces>>;

/** Bases on one host share its connections. */
function createPlaces(limits: UpstreamLimits, links: LinkMap | null) {
  const byOrigin = new Map<string, ReturnType<typeof createConnections>>();
  return ({ origin, host, protocol, pathname }: URL) => {
    const connections = byOrigin.get(origin) ?? createConnections(origin, limits);
    byOrigin.set(origin, connections);
    const bank: Bank = { host, tls: protocol === 'https:' };
    const passAnswer = createPassAnswer({ links, decodedBytes: limits.decodedBytes, bank });
    return { bank, base: withoutSlash(pathname), connections, passAnswer };
  };
}

interface Errand {
  readonly call: Call;
  readonly place: Place;
  /** null: nobody who is known. What was given for one TPP must not be had by writing its name into a certificate. */
  readonly tpp: string | null;
  readonly context: AnswerContext;
}

/** Sends browsers on to the bank's pages, and forwards calls of TPPs that have shown who they are. */
export function createUpstream(parts: UpstreamParts): Upstream {
  const { target, credentials } = parts;
  const limits = { ...UPSTREAM_LIMITS, ...parts.limits };
  const psuTarget = parts.psuTarget ?? target;
  const psuBase = psuTarget.origin + withoutSlash(psuTarget.pathname);
  const { targets = {} } = parts;
  const further = Object.values(targets);
  const links = parts.rewrite
    ? createLinkMap({ ...parts, further, psuPages: parts.psuPages ?? false })
    : null;
  const openPlace = createPlaces(limits, links);
  const main = openPlace(target);
  const others = Object.entries(targets).map(([pattern, url]) => [pattern, openPlace(url)] as const);
  const placeFor = createRoute<Place>(Object.fromEntries(others), () => main);
  const line = createWaitingLine(limits);

  function fail(call: Call, failure: Failure): Answered {
    parts.onFailure?.(failure.fault);
    return answerFailure(call, failure);
  }

  function send(
    request: BankRequest,
    { call, place, tpp, context }: Errand,
    anew: boolean,
  ): Promise<Received> {
    const connection = place.connections.take(credentials.of(tpp), anew);
    return new Promise((resolve) => {
      const patient = isPatient(call);
      const reception = new Reception({ limits, context, patient, connection, resolve, onFinal: line.leave });
      connection.send(request, reception);
    });
  }

  function pass(call: Call, { bank, passAnswer }: Place, received: Received): Answered | Promise<Answered> {
    if (received.kind === 'failed') return fail(call, explainFailure(received, bank, limits));
    if (received.kind === 'whole') {
      const passed = passAnswer(call, received);
      return passed instanceof Promise ? passed.then((it) => ('answer' in it ? it : fail(call, it))) : passed;
    }
    const { status, headers, body, stream, ended } = received;
    rewriteLinkFields(headers, links);
    return {
      answer: upstreamAnswer(status, headers, body),
      wire: stream,
      completed: ended.then(({ body, error }) => {
        if (error === null) return { body, fault: null };
        const { fault } = explainFailure({ error, stage: 'body', fresh: false }, bank, limits);
        parts.onFailure?.(fault);
        return { body, fault };
      }),
    };
  }

  /** A call is tried again over a new connection: where one kept one is dead, others may be. */
  async function forward(errand: Errand, mayRetry: boolean, before?: Received): Promise<Answered> {
    const { call, place, context } = errand;
    const waited = line.enter(context);
    const entry = typeof waited === 'string' ? waited : await waited;
    if (entry !== 'entered') return fail(call, ENTRY_FAILURES[entry]);
    let isLate: boolean;
    try {
      // For each try, and after any waiting: what was sure before that may be so no more.
      isLate = (await context.begin?.()) === false;
    } catch (error) {
      line.leave();
      throw error;
    }
    const gone = !isPatient(call) && context.signal.aborted;
    const request = gone || isLate ? null : openRequest(call, context, place.base);
    if (request === null) {
      line.leave();
      if (before !== undefined) return pass(call, place, before);
      return fail(call, gone ? ENTRY_FAILURES.gone : isLate ? BEGUN_LATE : BODY_UNKNOWN);
    }
    const received = await send(request, errand, before !== undefined);
    const again = received.kind === 'failed' && mayRetry && diedBeforeAnswer(received);
    return again ? forward(errand, false, received) : pass(call, place, received);
  }

  return {
    name: 'upstream',
    answer: (call, context) => {
      // A browser that is sent on asks with GET: what it was to bring to the bank would be lost.
      if (call.listener === 'psu') {
        const { method, target } = call.request;
        if (method !== 'GET' && method !== 'HEAD') return null;
        return { answer: answerRedirect(call, 'upstream', pathOf(target, psuBase)) };
      }
      const stranger = parts.proof(call, context.ledger);
      if (stranger !== null && !parts.lendsToAnyone)
        return { answer: answerRefusal(stranger, call, 'rule'), isToStranger: true };
      const mayRetry =
        call.request.method === 'GET' && call.request.body === null && context.rest === undefined;
      const place = placeFor(call.operation);
      return forward({ call, place, tpp: stranger === null ? call.tpp : null, context }, mayRetry);
    },
    takesUnread: () => true,
    knowsMore: () => true,
    refusesStrangers: () => !parts.lendsToAnyone,
    load: () => ({ active: line.taken(), waiting: line.waiting() }),
    close: async () => {
      line.close();
      credentials.close();
      await Promise.all([main, ...others.map(([, place]) => place)].map((one) => one.connections.close()));
    },
  };
}

/** Reads may wait for the bank even after their client has gone. */
function isPatient({ request }: Call): boolean {
  return request.method === 'GET';
}

const BODY_UNKNOWN = failureOf(
  'internal',
  'Only a part of the body of this call is known, so it cannot be sent.',
);

/** In the error format of the API, saying who answers. */
function answerFailure(call: Call, { status, fault }: Failure): Answered {
  const text = `Sandgate, not the bank, gives this answer. ${fault.message}`;
  const headers = status === 503 ? ([['Retry-After', '1']] as const) : [];
  if (call.operation === 'oauth.token') {
    const answer = answerRefusal(
      { kind: 'token', error: 'server_error', description: text },
      call,
      'gateway',
    );
    const all = [...answer.headers, ...headers];
    return { answer: openAnswer({ ...answer, status, headers: all }, answer.content), fault };
  }
  const code = status === 503 ? 'SERVICE_UNAVAILABLE' : 'INTERNAL_SERVER_ERROR';
  const refusal = { kind: 'messages', status, messages: [{ code, text }], headers } as const;
  return { answer: answerRefusal(refusal, call, 'gateway'), fault };
}
