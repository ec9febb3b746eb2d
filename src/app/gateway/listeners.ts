/** The part of the gateway that listens: API, PSU and admin, one pipeline behind the first two. */
import type { Admin } from '../../admin/index.js';
import { bankPageAt } from '../../answer/index.js';
import type { Fault } from '../../exchange/index.js';
import {
  createFailedConnections,
  createPages,
  createPipeline,
  createRecogniseOn,
  createTurnAway,
  type FailedConnections,
  type Listener,
  type ListenerParts,
  openListener,
  type Pages,
  type PagesParts,
  type PipelineParts,
} from '../../gateway/index.js';
import { isLoopbackAddress } from '../../spec/index.js';
import type { Config } from '../config/config.js';
import { stanceOf } from '../config/stances.js';
import { errorFacts } from '../system/log.js';
import { isAdminShown, type Urls, urlOf } from './addresses.js';
import { openAdminListener } from './admin-listener.js';
import type { Answering } from './answering.js';
import { createAwaitedCalls } from './awaited-calls.js';
import type { ListenersParts } from './listeners-parts.js';
import type { Place } from './own-listeners.js';

export interface Listeners {
  readonly urls: Urls;
  readonly bound: readonly Place[];
  /** Running calls may finish for so many ms. */
  readonly close: (grace: number) => Promise<void>;
}

/** All three, or none: where one cannot listen, those before it are closed again. */
export async function openListeners(parts: ListenersParts): Promise<Listeners> {
  const { config } = parts;
  const open: { close: (grace: number) => Promise<void> }[] = [];
  let areListening = false;
  const close = async (grace: number): Promise<void> => {
    areListening = false;
    parts.metrics.close();
    await Promise.all(open.map((listener) => listener.close(grace)));
  };
  try {
    const shared = sharedParts(parts);
    const api = await openListener({
      ...shared,
      listener: 'api',
      flag: '--listen',
      pages: null,
      url: () => parts.urls().api,
      ...config.listen,
    });
    open.push(api);
    const psu = await openListener({
      ...shared,
      listener: 'psu',
      flag: '--psu-listen',
      url: () => parts.urls().psu,
      ...config.psuListen,
      tls: config.psuHttp ? null : shared.tls,
    });
    open.push(psu);
    const own = ownUrls(config, { api, psu });
    const admin = parts.hasAdmin ? await openAdminListener(parts, own, () => areListening) : null;
    if (admin !== null) open.push(admin);
    areListening = true;
    const bound = admin === null ? [api, psu] : [api, psu, admin];
    return { urls: urlsOf(config, { api, psu, admin }), bound, close };
  } catch (error) {
    await close(0);
    throw error;
  }
}

type SharedParts = Omit<ListenerParts, 'listener' | 'host' | 'port' | 'flag' | 'url'>;

function sharedParts(parts: ListenersParts): SharedParts {
  const { config, system, recording, answering, trust, certificates } = parts;
  const { stopwatch, log } = system;
  const { recorder, nextId, sessions, clock } = recording;
  const { time } = clock;
  const session = sessions.current;
  const onError = (error: unknown) =>
    log.error(errorFacts(error), 'An error occurred while a call was handled.');
  const hasBank = answering.upstream !== null;
  const failures = createFailedConnections({ session, time, nextId, recorder });
  const pipeline = pipelineParts(parts, failures);
  const shown = {
    showHeaders: config.headers,
    pageOf: (id: string, caller: string) => {
      const urls = parts.urls();
      const isShown = isNear(config, caller) && isAdminShown(config.adminListen, urls);
      return isShown ? `${urls.admin}/exchanges/${id}` : null;
    },
  };
  return {
    tls: { cert: certificates.serverPem, key: certificates.serverKeyPem },
    limits: { ...config.limits, body: hasBank ? config.recordCap : config.limits.body },
    ...shown,
    peers: { trust: trust.trust, clock: clock.now, forwarded: forwardedOf(config) },
    proxyFrom: config.proxyProtocolFrom?.isOne,
    time,
    stopwatch,
    onError,
    failures,
    pipeline: createPipeline(pipeline),
    turnAway: createTurnAway(pipeline),
    pages: openPages(answering, { ...pipeline, ...shown, time, endedBy: createAwaitedCalls(recording) }),
  };
}

/** Behind a load balancer on this machine callers are anywhere. */
const isNear = ({ clientCertFrom, proxyProtocolFrom }: Config, caller: string): boolean =>
  isLoopbackAddress(caller) &&
  clientCertFrom?.isOne(caller) !== true &&
  proxyProtocolFrom?.isOne(caller) !== true;

/** What is kept of them is kept as of failed connections: so many a second, the rest counted. */
const FLOOD: Fault = {
  kind: 'overload',
  message:
    'A call without a trusted certificate was refused and is not recorded in full: there were too many from this address, or in all.',
};

function pipelineParts(parts: ListenersParts, failures: FailedConnections): PipelineParts {
  const { config, system, recording, answering } = parts;
  const { sessions, worlds, fingerprint, recorder, nextId } = recording;
  const { judge, answerer, switches, firstFor, shadow } = answering;
  return {
    session: sessions.current,
    ...(config.sessionHeader ? { sessionNamed: sessions.named } : {}),
    stance: (call) => stanceOf(switches.current(), call),
    recognise: createRecogniseOn({ segment: config.segment, urls: parts.urls }),
    isPage: (method, path, kind) => {
      if (kind === 'path-unknown' && firstFor(null) === 'upstream') return true;
      const page = bankPageAt(config.segment, method, path);
      if (page === 'home' && firstFor('oauth.authorize') === 'emulator') return true;
      return page !== null && switches.current().bank === 'living';
    },
    judge,
    answerer,
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
          onJudgedAnew: parts.metrics.judgedAnew,
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

/** The bank's own pages, where they are to appear on the PSU listener. */
function openPages(
  { upstream, firstFor }: Answering,
  parts: PipelineParts & Pick<PagesParts, 'showHeaders' | 'pageOf' | 'time' | 'endedBy'>,
): Pages | null {
  const openProxy = upstream?.openPages ?? null;
  if (openProxy === null) return null;
  return createPages({
    ...parts,
    openProxy,
    areShown: () => firstFor('oauth.authorize') === 'upstream',
  });
}

/** Where the listeners themselves are. */
function ownUrls(config: Config, open: { api: Listener; psu: Listener }) {
  return {
    api: urlOf('https', config.listen, open.api.port),
    psu: urlOf(config.psuHttp ? 'http' : 'https', config.psuListen, open.psu.port),
  };
}

function urlsOf(config: Config, open: { api: Listener; psu: Listener; admin: Admin | null }): Urls {
  const own = ownUrls(config, open);
  return {
    api: config.apiUrl ?? own.api,
    psu: config.psuUrl ?? own.psu,
    admin: urlOf('http', config.adminListen, open.admin?.port ?? config.adminListen.port),
  };
}
