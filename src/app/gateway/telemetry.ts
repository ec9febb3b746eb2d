/** Tells others what happens, as configured: traces to a collector, events to a webhook. Behind the way of calls, out of what is kept. */
import { hostname } from 'node:os';
import { createTally, type Feed, type OwnCertificate } from '../../admin/index.js';
import {
  createCalendar,
  createEvents,
  createOtlp,
  createWebhooks,
  readHeaders,
  readWebhookKey,
} from '../../telemetry/index.js';
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

type Records = Parameters<ReturnType<typeof createOtlp>['take']>[0];
type Tally = ReturnType<typeof createTally>;

interface Teller {
  readonly take: (records: Records) => void;
  readonly lost: (exchanges: number) => void;
  readonly stirred: () => void;
  /** Looks after the ends of certificates from now on. */
  readonly begin: (certificates: () => readonly OwnCertificate[]) => void;
  readonly close: () => Promise<void>;
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
          take: ({ records }) => all(({ take }) => take(records)),
          lost: (exchanges) => all(({ lost }) => lost(exchanges)),
          stirred: () => all(({ stirred }) => stirred()),
        });
  return {
    told,
    begin: (certificates: () => readonly OwnCertificate[]) => all(({ begin }) => begin(certificates)),
    /** Tells what was kept until now, within some seconds. */
    close: async (): Promise<void> => {
      if (tellers.length > 0) await feed.idle();
      stop();
      await Promise.all(tellers.map(({ close }) => close()));
    },
  };
}

const LOOK_MS = 6 * 3_600_000;

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
  const events = createEvents(webhooks.tell, on);
  const hasBank = allSourcesOf(config).has('upstream');
  const calendar = createCalendar(webhooks.tell);
  let cancel = (): void => {};
  return {
    take: (records) => events.take(records, hasBank),
    lost: () => {},
    stirred: () => events.store(problem()),
    begin: (certificates) => {
      const look = (): void => {
        calendar(certificates(), clock());
        cancel = timer.after(LOOK_MS, look);
      };
      look();
    },
    close: async () => {
      cancel();
      await webhooks.close();
    },
  };
}

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
  return { ...otlp, lost, stirred: () => {}, begin: () => {} };
}
