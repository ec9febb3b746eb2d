/** Tells others what happens, as configured: traces to a collector, events to a webhook. Behind the way of calls, out of what is kept. */
import { hostname } from 'node:os';
import { createTally, type Feed } from '../../admin/index.js';
import {
  type CalendarEntry,
  type CertificateFacts,
  calendarOf,
  type Trust,
} from '../../certificate/index.js';
import {
  type Exchange,
  gatewayNotes,
  type NoteSettings,
  originsBehind,
  type SessionNote,
} from '../../exchange/index.js';
import type { SessionInfo, Store } from '../../store/index.js';
import {
  createCalendar,
  createEvents,
  createOnce,
  createOtlp,
  createWebhooks,
  driftsOfShadow,
  readHeaders,
  readWebhookKey,
} from '../../telemetry/index.js';
import { newestOf, tppEntry } from '../certificates/calendar.js';
import { dialectIn } from '../config/bank-profile.js';
import type { Config } from '../config/config.js';
import { allSourcesOf } from '../config/values.js';
import type { SystemParts } from '../system/system-parts.js';
import { createFailureLog } from './failure-logs.js';

interface TelemetryParts {
  readonly system: SystemParts;
  readonly feed: Feed;
  /** The store's: gateways that share it give the calls of one journey the same trace. */
  readonly secret: Uint8Array;
  readonly version: string;
  /** Says what keeps the store from recording; null where it records. */
  readonly problem: () => string | null;
}

type Kept = Parameters<Parameters<Feed['listen']>[0]['take']>[0];
type Tally = ReturnType<typeof createTally>;

interface Teller {
  readonly take: (kept: Kept) => void;
  readonly lost: (exchanges: number) => void;
  readonly stirred: () => void;
  /** Takes up what an earlier run has told, and looks after the ends of certificates from now on. */
  readonly begin: (start: TelemetryStart) => void;
  readonly close: () => Promise<void>;
}

export interface TelemetryStart {
  readonly store: Pick<Store, 'sessions' | 'read'>;
  readonly trust: () => Trust;
  /** Certificates that the settings name. */
  readonly configured: () => readonly CalendarEntry[];
  /** Notes in the session of the day what was told. */
  readonly note: (told: NoteSettings<'told'>) => void;
}

/** @throws SandgateError where a file that the settings name cannot be used */
export function openTelemetry(config: Config, parts: TelemetryParts) {
  const told = createTally();
  const tellers: Teller[] = [];
  if (config.otlp !== undefined) tellers.push(openTraces(config.otlp, config, parts, told));
  if (config.webhook !== undefined) tellers.push(openWebhook(config.webhook, config, parts, told));
  const { feed } = parts;
  const all = (tell: (one: Teller) => void) => tellers.forEach(tell);
  const stop =
    tellers.length === 0
      ? () => {}
      : feed.listen({
          take: (kept) => all(({ take }) => take(kept)),
          lost: (exchanges) => all(({ lost }) => lost(exchanges)),
          stirred: () => all(({ stirred }) => stirred()),
        });
  return {
    told,
    begin: (start: TelemetryStart) => all(({ begin }) => begin(start)),
    /** Tells what was kept until now, within some seconds. */
    close: async (): Promise<void> => {
      if (tellers.length > 0) await feed.idle();
      stop();
      await Promise.all(tellers.map(({ close }) => close()));
    },
  };
}

const LOOK_MS = 6 * 3_600_000;
/** So many of each session of the past are read, for the shapes of answers and for TPPs. */
const MOST_PAST = 200;
const MOST_TPPS = 1_000;

function openWebhook(url: URL, config: Config, { system, problem }: TelemetryParts, told: Tally): Teller {
  const { clock, timer, chance } = system;
  const { webhookAllow = [], webhookSecretFile } = config;
  const warn = createFailureLog(system, 'An event did not reach --webhook.');
  const onEnd = (events: number, why: string | null): void => {
    told.addMany(events, 'events', why === null ? 'sent' : 'dropped');
    if (why !== null) warn({ cause: why });
  };
  const on = new Set(config.webhookOn);
  const webhooks = createWebhooks({
    ...{ url, allow: webhookAllow, on, clock, timer, uuid: chance.uuid, onEnd },
    key: webhookSecretFile === undefined ? null : readWebhookKey(webhookSecretFile),
  });
  let begun = (_: TelemetryStart): void => {};
  /** An event is told once it is known what earlier runs have told. */
  const ready = new Promise<TelemetryStart>((resolve) => {
    begun = resolve;
  });
  const once = createOnce(webhooks.tell, (one) => void ready.then(({ note }) => note(one)));
  const events = createEvents(webhooks.tell, on, (...event) => void ready.then(() => once.tell(...event)));
  const past: Past = { once, events, tpps: new Map(), hasBank: allSourcesOf(config).has('upstream') };
  const { isBoundToCertificate } = dialectIn(config);
  const calendar = on.has('certificate.ending') ? createCalendar(once.tell, isBoundToCertificate) : null;
  let recalling: Promise<boolean> = Promise.resolve(false);
  const closing = new AbortController();
  let cancel = (): void => {};
  return {
    take: ({ records, notes }) => {
      events.take(records, past.hasBank);
      if (calendar !== null) for (const { exchange } of records) see(past, exchange);
      if (!on.has('bank.drift')) return;
      for (const { note } of notes)
        if (note.kind === 'shadow') void ready.then(async () => tellShadow(past, note, await recalling));
    },
    lost: () => {},
    stirred: () => events.store(problem()),
    begin: (start) => {
      const look = (): void => {
        const now = clock();
        const entries = [...past.tpps.values()].map((facts) => tppEntry(facts, start.trust(), now));
        calendar?.(calendarOf([...start.configured(), ...entries], now, isBoundToCertificate), now);
        cancel = timer.after(LOOK_MS, look);
      };
      recalling = recall(past, start.store, config, closing.signal).catch((error) => {
        warn({ cause: String(error) });
        return false;
      });
      void recalling.then(() => {
        if (closing.signal.aborted) return;
        begun(start);
        look();
      });
    },
    close: async () => {
      closing.abort();
      cancel();
      await recalling;
      await webhooks.close();
    },
  };
}

/** Goes on from run to run. */
interface Past {
  readonly once: ReturnType<typeof createOnce>;
  readonly events: ReturnType<typeof createEvents>;
  readonly hasBank: boolean;
  /** By fingerprint. */
  readonly tpps: Map<string, CertificateFacts>;
}

function see({ tpps }: Past, { call: { certificate } }: Exchange): void {
  if (typeof certificate === 'string' || tpps.size >= MOST_TPPS) return;
  // A stranger has as many as he likes.
  if (certificate.chain.trusted && !tpps.has(certificate.fingerprint256))
    tpps.set(certificate.fingerprint256, certificate);
}

/** Takes up what earlier runs have told, the shapes of the bank's answers, and TPPs. Gives whether the bank has had a shadow. */
async function recall(
  past: Past,
  store: TelemetryStart['store'],
  config: Config,
  signal: AbortSignal,
): Promise<boolean> {
  const { once, events, hasBank } = past;
  const sessions = await store.sessions();
  for (const { notes } of sessions)
    for (const note of notes) if (note.kind === 'told') once.remember(note.settings);
  const sameBank = hasBank ? sessions.filter(isOfBank(config)) : sessions;
  const shadows = sameBank.flatMap(({ notes }) => notes.filter(({ kind }) => kind === 'shadow'));
  for (const { about } of shadows.flatMap(driftsOfShadow)) once.remember({ event: 'bank.drift', about });
  for await (const exchange of newestOf(store, sameBank, MOST_PAST)) {
    if (signal.aborted) break;
    see(past, exchange);
    if (hasBank) events.learn(exchange);
  }
  return shadows.length > 0;
}

/** In the first run that has a shadow, all that differs is what the bank is like. */
function tellShadow({ once }: Past, note: SessionNote, hasShadowed: boolean): void {
  for (const { about, data } of driftsOfShadow(note)) if (hasShadowed) once.tell('bank.drift', about, data);
}

const isOfBank =
  ({ upstream }: Config) =>
  ({ notes }: SessionInfo): boolean =>
    gatewayNotes(notes).some(({ settings }) => originsBehind(settings).includes(upstream?.origin ?? ''));

function openTraces(
  url: URL,
  config: Config,
  { system, secret, version }: TelemetryParts,
  told: Tally,
): Teller {
  const { timer, chance } = system;
  const warn = createFailureLog(system, 'Traces of calls did not reach --otlp.');
  const onEnd = (exchanges: number, why: string | null): void => {
    told.addMany(exchanges, 'traces', why === null ? 'sent' : 'dropped');
    if (why !== null) warn({ calls: exchanges, cause: why });
  };
  const { upstream, upstreams } = config;
  const otlp = createOtlp({
    ...{ url, version, timer, secret, onEnd },
    headers: config.otlpHeadersFile === undefined ? {} : readHeaders(config.otlpHeadersFile),
    instance: `${hostname()}:${process.pid}`,
    bytes: chance.bytes,
    routes: dialectIn(config).templates,
    bank: upstreams === undefined ? (upstream?.hostname ?? null) : null,
  });
  const lost = (exchanges: number) => onEnd(exchanges, 'more came than could wait');
  return { ...otlp, take: ({ records }) => otlp.take(records), lost, stirred: () => {}, begin: () => {} };
}
