/** The settings that a session notes. All that verdicts depend on is among them, so that it is in the chain. */
import { type GatewayNote, gatewayNotes, type ListenerOrigins, originsBehind } from '../../exchange/index.js';
import { catalogueDigest } from '../../rules/index.js';
import { COMMON_WORLD, isInMemory, type SessionInfo } from '../../store/index.js';
import { noteClock } from '../clock/clock-notes.js';
import type { Config } from '../config/config.js';
import { JUDGES } from '../config/options.js';
import type { RunningWorld } from '../gateway/worlds.js';

/** Settings that tell how calls were answered and kept. */
const TOLD = ['source', 'sources', 'bank', 'stance', 'stances', 'scaLink', 'durability'] as const;

const pick = (config: Config, keys: readonly string[]): GatewayNote['settings'] =>
  Object.fromEntries(keys.map((key) => [key, config[key as keyof Config]]));

/** Defaults in bytes: what the laptop of a developer survives, and what the heap of a process does. */
const DEFAULT_KEEP_SIZE = 5 * 1_073_741_824;
const DEFAULT_KEEP_SIZE_IN_MEMORY = 1_073_741_824;

export const keepSizeOf = ({ keepSize, store }: Pick<Config, 'keepSize' | 'store'>): number =>
  keepSize ?? (isInMemory(store) ? DEFAULT_KEEP_SIZE_IN_MEMORY : DEFAULT_KEEP_SIZE);

export function settingsOf(config: Config): GatewayNote['settings'] {
  const { upstream, upstreamPsu, lendCertificate } = config;
  return {
    ...pick(config, TOLD),
    ...judgedBy(config),
    retention: { keepDays: config.keepDays, keepSize: keepSizeOf(config) },
    upstream: upstream?.href,
    upstreamPsu: upstreamPsu?.href,
    lendCertificate: upstream === undefined ? undefined : lendCertificate,
  };
}

/** Settings by which calls are judged; all that a recording of others notes, which nothing of ours answered. */
export const judgedBy = (config: Config): GatewayNote['settings'] => ({
  ...pick(config, [...JUDGES, 'pseudonymise']),
  catalogue: catalogueDigest(),
});

interface RecordedAt {
  readonly listeners: ListenerOrigins;
  /** undefined where no note says it. */
  readonly segment: string | undefined;
  /** The program of others that recorded it; undefined where a gateway of ours did. */
  readonly recordedBy: string | undefined;
}

/** A session that was recorded in several runs has all their addresses, each once. */
export function recordedAt({ notes }: Pick<SessionInfo, 'notes'>): RecordedAt {
  const api = new Set<string>();
  const psu = new Set<string>();
  const bank = new Set<string>();
  let segment: string | undefined;
  let recordedBy: string | undefined;
  for (const { settings } of gatewayNotes(notes)) {
    segment ??= settings.segment;
    recordedBy ??= settings.recordedBy;
    for (const url of [settings.urls?.api ?? []].flat()) api.add(url);
    for (const url of [settings.urls?.psu ?? []].flat()) psu.add(url);
    for (const origin of originsBehind(settings)) bank.add(origin);
  }
  const behind = bank.size === 0 ? {} : { bank: [...bank] };
  const listeners = { api: [...api], psu: [...psu], ...behind };
  return { listeners, segment, recordedBy };
}

/** What a session notes of the world that its calls meet. */
export function settingsIn({ name, clock }: RunningWorld): GatewayNote['settings'] {
  return { clock: noteClock(clock.state()), ...(name === COMMON_WORLD ? {} : { world: name }) };
}

/** Only whole sessions are removed for their size: where nothing is said of rotation, ten of them fill the store. */
export function rotateSizeOf({
  sessionRotateSize,
  sessionRotateEvery,
  keepSize,
}: Config): number | undefined {
  if (sessionRotateSize !== undefined || sessionRotateEvery !== undefined || keepSize === undefined)
    return sessionRotateSize;
  return Math.ceil(keepSize / 10);
}
