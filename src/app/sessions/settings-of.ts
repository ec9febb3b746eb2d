/** The settings that a session notes. All that verdicts depend on is among them, so that it is in the chain. */
import type { GatewayNote } from '../../exchange/index.js';
import { catalogueDigest } from '../../rules/index.js';
import { isInMemory } from '../../store/index.js';
import type { Config } from '../config/config.js';
import { JUDGES } from '../config/options.js';

/** Settings that tell how calls were answered and kept. */
const TOLD = ['source', 'sources', 'bank', 'stance', 'stances', 'scaLink', 'durability'] as const;

const pick = (config: Config, keys: readonly string[]): GatewayNote['settings'] =>
  Object.fromEntries(keys.map((key) => [key, config[key as keyof Config]]));

/** Where nothing is said of it: what the laptop of a developer survives, and what the heap of a process does, in bytes. */
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
