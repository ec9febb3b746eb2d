/** The replay source as it is configured. */
import { createReplay, type Miss, type Replay } from '../answer/index.js';
import { type Call, createPseudonyms } from '../exchange/index.js';
import type { Urls } from './addresses.js';
import type { Config } from './config.js';
import type { Recording } from './recording.js';
import { loadRecording } from './replay-recording.js';
import type { SystemParts } from './system-parts.js';

export interface ConfiguredReplayParts {
  readonly config: Config;
  readonly system: SystemParts;
  readonly recording: Recording;
  readonly urls: () => Urls;
  /** Whether another source follows in the chain of a call. */
  readonly hasNext: (call: Call) => boolean;
}

/** The recording is read whole before the gateway listens. */
export function createConfiguredReplay({
  config,
  system,
  recording,
  urls,
  hasNext,
}: ConfiguredReplayParts): Replay {
  const { match, matching, dates, latency, afterLast, segment } = config;
  const { store, fingerprint } = recording;
  const name = config.replay ?? '';
  const loaded = loadRecording(name, { store, storeName: config.store, fingerprint, segment });
  return createReplay({
    records: loaded.exchanges.map((exchange) => ({ exchange })),
    name,
    options: { match, overrides: matching, dates, latency, afterLast },
    urls,
    clock: system.clock,
    timer: system.timer,
    segment,
    recordedSegment: loaded.segment,
    fingerprint: loaded.fingerprint,
    pseudonyms: createPseudonyms(store.fingerprintKey),
    hasNext,
    onMiss: (miss) => logMiss(miss, system),
  });
}

function logMiss({ text, kind, exchange, closest, needs, handedOn }: Miss, { log }: SystemParts): void {
  log.warn({ exchange, miss: kind, closest, needs, handedOn }, text);
}
