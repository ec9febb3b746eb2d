/** Opens the replay source as configured. */
import { createReplay, type HowToRecord, type Miss, type Replay } from '../../answer/replay/index.js';
import { type Call, createPseudonyms } from '../../exchange/index.js';
import { storeName } from '../../store/index.js';
import type { Config } from '../config/config.js';
import type { SystemParts } from '../system/system-parts.js';
import type { Urls } from './addresses.js';
import type { Recording } from './recording.js';
import { loadRecording } from './replay-recording.js';

export interface ConfiguredReplayParts {
  readonly config: Config;
  readonly system: SystemParts;
  readonly recording: Recording;
  readonly urls: () => Urls;
  /** As the caller records; else as the commands do. */
  readonly howToRecord?: HowToRecord | undefined;
}

/** Opens a replay; told whether another source follows in the chain of a call. */
export type OpenReplay = (hasNext: (call: Call) => boolean) => Replay;

/** The recording is read whole before the gateway listens. */
export async function loadReplay(parts: ConfiguredReplayParts): Promise<OpenReplay> {
  const { config, system, recording, urls, howToRecord } = parts;
  const { match, matching, dates, latency, afterLast, segment } = config;
  const { store, fingerprint } = recording;
  const name = config.replay ?? '';
  const loaded = await loadRecording(name, {
    store,
    storeName: storeName(config.store),
    fingerprint,
    segment,
  });
  const records = loaded.exchanges.map((exchange) => ({ exchange }));
  return (hasNext) =>
    createReplay({
      records,
      name,
      options: { match, overrides: matching, dates, latency, afterLast },
      urls,
      clock: recording.clock.now,
      timer: system.timer,
      segment,
      recordedSegment: loaded.segment,
      lines: loaded.lines,
      howToRecord: howToRecord ?? (() => recordByCommands(config)),
      fingerprint: loaded.fingerprint,
      pseudonyms: createPseudonyms(store.fingerprintKey),
      hasNext,
      onMiss: (miss) => logMiss(miss, system),
    });
}

/** What is missing is asked of the next source, and the whole session becomes the recording. */
function recordByCommands({ replay = '', upstream }: Config): string {
  const source = `replay,${upstream === undefined ? 'emulator' : 'upstream'}`;
  return `To record it: sandgate serve --source ${source} --replay ${replay} --after-last next --session again, make the calls, then sandgate sessions export again --out again.json.`;
}

function logMiss(
  { text, kind, exchange, breaks, closest, needs, handedOn }: Miss,
  { log }: SystemParts,
): void {
  log.warn({ exchange, miss: kind, breaks, closest, needs, handedOn }, text);
}
