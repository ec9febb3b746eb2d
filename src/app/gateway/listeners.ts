/** The part of the gateway that listens: API, PSU and admin, one pipeline behind the first two. */

import { bankPageAt } from '../../answer/index.js';
import { COMMON_PARTITION } from '../../bank/index.js';
import { calendarOf } from '../../certificate/index.js';
import type { Fault } from '../../exchange/index.js';
import {
  createFailedConnections,
  createMarkOwn,
  createPages,
  createPipeline,
  createRecogniseOn,
  createSealOf,
  createTurnAway,
  type FailedConnections,
  type ListenerParts,
  openListener,
  ownCallHeader,
  type PagesParts,
  type PipelineParts,
} from '../../gateway/index.js';
import { type EndedRequest, requestEndedBy } from '../../ledger/index.js';
import { takesSignatures } from '../../rules/index.js';
import { bankDateAt, isLoopbackAddress } from '../../spec/index.js';
import { type Awaitable, after, COMMON_WORLD } from '../../store/index.js';
import type { Certificates } from '../certificates/ensure.js';
import { mintOtherServer } from '../certificates/other-server.js';
import { dialectIn } from '../config/bank-profile.js';
import type { Config } from '../config/config.js';
import { stanceOf } from '../config/stances.js';
import { errorFacts } from '../system/system-parts.js';
import { isAdminShown, type Urls, urlOf } from './addresses.js';
import { configuredEntries, type ListenersParts, openAdminListener } from './admin-listener.js';
import type { Recording } from './recording.js';
import { insistOf } from './revocation.js';
import { sandboxDataOf } from './sources.js';
import type { RunningWorld } from './worlds.js';

export type Listeners = Awaited<ReturnType<typeof openListeners>>;

/** Opens all three, or none: where one cannot listen, those before it are closed again. */
export async function openListeners(parts: ListenersParts) {
  const { config } = parts;
  const open: { close: (grace: number) => Promise<void> }[] = [];
  let areListening = false;
  const close = async (grace: number): Promise<void> => {
    areListening = false;
    parts.recording.metrics.close();
    await Promise.all(open.map((listener) => listener.close(grace)));
  };
  try {
    const shared = sharedParts(parts);
    const api = await openListener({
      ...shared,
      listener: 'api',
      flag: '--listen',
      pages: null,
      described: { path: '/openapi.json', text: createDescription(parts) },
      url: () => parts.urls().api,
      ...config.listen,
    });
    open.push(api);
    const psu = await openListener({
      ...shared,
      listener: 'psu',
      described: null,
      flag: '--psu-listen',
      url: () => parts.urls().psu,
      ...config.psuListen,
      tls: config.psuHttp ? null : shared.tls,
      insist: null,
    });
    open.push(psu);
    // Where the listeners themselves are, whatever names others reach them by.
    const own = {
      api: urlOf('https', config.listen, api.port),
      psu: urlOf(config.psuHttp ? 'http' : 'https', config.psuListen, psu.port),
    };
    const admin = parts.hasAdmin ? await openAdminListener(parts, own, () => areListening) : null;
    if (admin !== null) open.push(admin);
    areListening = true;
    parts.recording.metrics.ofCertificates(() => endsOf(parts));
    const urls: Urls = {
      api: config.apiUrl ?? own.api,
      psu: config.psuUrl ?? own.psu,
      admin: urlOf('http', config.adminListen, admin?.port ?? config.adminListen.port),
    };
    const bound = admin === null ? [api, psu] : [api, psu, admin];
    const renew = (renewed: Certificates): void => {
      for (const listener of [api, psu]) listener.renew(pairOf(renewed));
    };
    return { urls, bound, renew, closeIdle: api.closeIdle, close };
  } catch (error) {
    await close(0);
    throw error;
  }
}

/** One for each holder: the first of them to end. */
function endsOf(parts: ListenersParts) {
  const rows = calendarOf(configuredEntries(parts), parts.system.clock());
  const first = new Map(rows.toReversed().map((row) => [`${row.use} ${row.subject}`, row]));
  return [...first.values()].map(({ use, subject, daysLeft: days }) => ({ use, subject, days }));
}

const pairOf = ({ serverPem: cert, serverKeyPem: key }: Certificates) => ({ cert, key });

function sharedParts(
  parts: ListenersParts,
): Omit<ListenerParts, 'listener' | 'host' | 'port' | 'flag' | 'url' | 'described'> {
  const { config, system, recording, answering, trust, certificates } = parts;
  const { recorder, nextId, sessions, clock } = recording;
  const { time } = clock;
  const failures = createFailedConnections({ session: sessions.current, time, nextId, recorder });
  const pipeline = pipelineParts(parts, failures);
  const shown = {
    showHeaders: config.headers,
    pageOf: (id: string, caller: string) => {
      const urls = parts.urls();
      const isShown = isNear(config, caller) && isAdminShown(config.adminListen, urls);
      return isShown ? `${urls.admin}/exchanges/${id}` : null;
    },
  };
  const { upstream, firstFor } = answering;
  const openProxy = upstream?.openPages ?? null;
  return {
    tls: pairOf(certificates()),
    limits: { ...config.limits, body: upstream === null ? config.limits.body : config.recordCap },
    ...shown,
    peers: { trust, clock: clock.now, forwarded: forwardedOf(config) },
    strictTls: config.strictTls,
    proxyFrom: config.proxyProtocolFrom?.isOne,
    insist: insistOf(config, parts.responses, pipeline.sealOf),
    markOwn: createMarkOwn(ownCallHeader(recording.store.fingerprintKey)),
    time,
    stopwatch: system.stopwatch,
    onError: (error) => system.log.error(errorFacts(error), 'An error occurred while a call was handled.'),
    failures,
    connectionFaults: {
      connect: answering.faults.connect,
      certificate: async (other) => {
        const { pem, keyPem } = await mintOtherServer(other, certificates(), system.clock());
        return { cert: pem, key: keyPem };
      },
    },
    pipeline: createPipeline(pipeline),
    turnAway: createTurnAway(pipeline),
    // The bank's own pages, where they are to appear on the PSU listener.
    pages:
      openProxy === null
        ? null
        : createPages({
            ...{ ...pipeline, ...shown, time, endedBy: createAwaitedCalls(recording), openProxy },
            areShown: () => firstFor('oauth.authorize') === 'upstream',
          }),
  };
}

/** The interface as OpenAPI; made when it is first asked for, and again on another day, whose dates its examples have. */
function createDescription({ config, urls, recording: { clock } }: ListenersParts): () => Promise<string> {
  let made: { readonly day: string; readonly text: string } | undefined;
  return async () => {
    const { interfaceDocument } = await import('../openapi/interface-document.js');
    const now = clock.now();
    const day = bankDateAt(now);
    if (made?.day !== day) {
      const document = interfaceDocument(dialectIn(config), {
        data: sandboxDataOf(config),
        now,
        psuUrl: urls().psu,
      });
      made = { day, text: JSON.stringify(document) };
    }
    return made.text;
  };
}

/** Behind a load balancer on this machine callers are anywhere. */
const isNear = ({ clientCertFrom, proxyProtocolFrom }: Config, caller: string): boolean =>
  isLoopbackAddress(caller) &&
  clientCertFrom?.isOne(caller) !== true &&
  proxyProtocolFrom?.isOne(caller) !== true;

/** Calls of strangers in a flood are kept as failed connections are: so many a second, the rest counted. */
const FLOOD: Fault = {
  kind: 'overload',
  message:
    'A call without a trusted certificate was refused and is not recorded in full: there were too many from this address, or in all.',
};

function pipelineParts(parts: ListenersParts, failures: FailedConnections): PipelineParts {
  const { config, system, recording, answering } = parts;
  const { sessions, worlds, fingerprint, recorder, nextId } = recording;
  const { judge, askAhead, answerer, switches, firstFor, shadow, faults } = answering;
  const dialect = dialectIn(config);
  return {
    session: sessions.current,
    ...(config.sessionHeader ? { sessionNamed: sessions.named } : {}),
    stance: (call) => stanceOf(switches.current(), call),
    recognise: createRecogniseOn({ dialect, urls: parts.urls }),
    isPage: (method, path, kind) => {
      if (kind === 'path-unknown' && firstFor(null) === 'upstream') return true;
      const page = bankPageAt(dialect, method, path);
      if (page === 'home' && firstFor('oauth.authorize') === 'emulator') return true;
      return page !== null && switches.current().bank === 'living';
    },
    sealOf: takesSignatures(judge.options)
      ? createSealOf({ trust: parts.trust, clock: recording.clock.now })
      : undefined,
    judge,
    askAhead,
    answerer,
    weather: faults,
    worlds,
    fingerprint,
    recorder,
    underWay: parts.underWay,
    nextId,
    others: recording.isShared
      ? {
          remember: recorder.remember,
          clock: system.clock,
          longestCall: config.upstreamLimits.whole + config.upstreamLimits.stream,
          longestBegin: config.upstreamLimits.queue,
          onJudgedAnew: parts.recording.metrics.judgedAnew,
        }
      : undefined,
    ...(shadow === null ? {} : { onRecorded: shadow.offer }),
    stopwatch: system.stopwatch,
    onUnrecorded: recording.storeLog.onUnrecorded,
    onFlood: ({ call, answer }) => {
      const { listener, connection, certificate, direction } = call;
      if (direction === 'to-tpp') return;
      const status = answer?.status ?? null;
      failures.take({ listener, peer: { connection, certificate }, fault: FLOOD, status });
    },
    onInternalError: (error, call) =>
      system.log.error({ ...errorFacts(error), exchange: call.id }, 'A call could not be handled.'),
  };
}

/** Who may say which certificate a client has shown. */
function forwardedOf({ clientCertHeader: form, clientCertFrom }: Config) {
  if (form === undefined || clientCertFrom === undefined) return undefined;
  return { form, isTrusted: clientCertFrom.isOne };
}

/** The call comes out of the store, as it was recorded; its world is open then. */
function createAwaitedCalls(
  recording: Pick<Recording, 'store' | 'worlds' | 'recorder' | 'sessions' | 'isShared'>,
): PagesParts['endedBy'] {
  const { store, worlds, recorder, sessions, isShared } = recording;
  const endedHere = (location: string): EndedRequest =>
    requestEndedBy(
      [...worlds.open()].flatMap(({ ledger }) => [...ledger.authorizes.values()]),
      location,
    );

  /** Whether authorization requests began or ended elsewhere: what waits to be kept is taken back for nothing less. */
  function isBehind({ name, known }: RunningWorld): Awaitable<boolean> {
    if (known == null) return false;
    // A notice of what happened in the common one may still be on its way.
    if (name !== COMMON_WORLD && store.worlds.stamp(name) === known.stamp) return false;
    return after(
      store.worlds.catchUp(name, { ...known.state, versions: known.versions }),
      ({ isAnew, facts }) => isAnew || facts.some(({ family }) => family === 'authorizes'),
    );
  }

  /** Where no call has reached a world since this gateway began, it is opened. */
  async function elsewhere(location: string): Promise<string | null> {
    const others = (await store.worlds.awaited()).filter(({ world }) => worlds.named(world) === undefined);
    const { exact } = requestEndedBy(
      others.map(({ fact }) => fact),
      location,
    );
    const request = others.find(({ fact }) => exact !== null && fact.awaited === exact);
    return request !== undefined && 'session' in (await sessions.named(request.world, 'link')) ? exact : null;
  }

  return async (location) => {
    let { exact, latest } = endedHere(location);
    if (exact === null && isShared) {
      await worlds.catchUp();
      for (const world of worlds.open())
        if (await isBehind(world)) await recorder.catchUp(world.name, COMMON_PARTITION);
      ({ exact, latest } = endedHere(location));
    }
    if (exact === null && worlds.isolated) exact = await elsewhere(location);
    const id = exact ?? latest;
    return id === null ? null : ((await store.find(id))?.exchange.call ?? null);
  };
}
