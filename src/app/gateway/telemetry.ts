/** Tells others what happens, as configured: traces to a collector. Behind the way of calls, out of what is kept. */
import { hostname } from 'node:os';
import { createTally, type Feed } from '../../admin/index.js';
import { createOtlp, readHeaders } from '../../telemetry/index.js';
import { dialectIn } from '../config/bank-profile.js';
import type { Config } from '../config/config.js';
import type { SystemParts } from '../system/system-parts.js';
import { createFailureLog } from './failure-logs.js';

interface TelemetryParts {
  readonly system: SystemParts;
  readonly feed: Feed;
  /** The store's: gateways that share it give the calls of one journey the same trace. */
  readonly secret: Uint8Array;
  readonly version: string;
}

type Told = Pick<ReturnType<typeof createOtlp>, 'take' | 'close'> & {
  readonly lost: (exchanges: number) => void;
};

/** @throws SandgateError where a file that the settings name cannot be used */
export function openTelemetry(config: Config, parts: TelemetryParts) {
  const told = createTally();
  const tellers: Told[] = [];
  if (config.otlp !== undefined) tellers.push(openTraces(config.otlp, config, parts, told));
  const { feed } = parts;
  const stop =
    tellers.length === 0
      ? () => {}
      : feed.listen({
          take: ({ records }) => {
            for (const { take } of tellers) take(records);
          },
          lost: (exchanges) => {
            for (const { lost } of tellers) lost(exchanges);
          },
          stirred: () => {},
        });
  return {
    told,
    /** Tells what was kept until now, within some seconds. */
    close: async (): Promise<void> => {
      if (tellers.length > 0) await feed.idle();
      stop();
      await Promise.all(tellers.map(({ close }) => close()));
    },
  };
}

function openTraces(
  url: URL,
  config: Config,
  { system, secret, version }: TelemetryParts,
  told: ReturnType<typeof createTally>,
): Told {
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
  return { ...otlp, lost: (exchanges) => onEnd(exchanges, 'more came than could wait') };
}
