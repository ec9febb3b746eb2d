/** The settings that a session notes. All that verdicts depend on is among them, so that it is in the chain. */
import type { GatewayNote } from '../../exchange/index.js';
import { catalogueDigest } from '../../rules/index.js';
import { isInMemory } from '../../store/index.js';
import type { Config } from '../config/config.js';

/** Those that verdicts depend on, whoever recorded and answered. */
const JUDGED_BY = [
  'profile',
  'rules',
  'waivers',
  'dailyWindow',
  'dailyTimeZone',
  'blockedOrganisations',
  'pseudonymise',
] as const satisfies readonly (keyof Config)[];
const NOTED = [
  'source',
  'sources',
  'bank',
  'stance',
  'stances',
  'notificationAllow',
  'segment',
  'scaLink',
  'durability',
  ...JUDGED_BY,
] as const satisfies readonly (keyof Config)[];

const pick = <K extends keyof Config>(config: Config, keys: readonly K[]): Pick<Config, K> =>
  Object.fromEntries(keys.map((key) => [key, config[key]])) as Pick<Config, K>;

/** Where nothing is said of it: what the laptop of a developer survives, and what the heap of a process does, in bytes. */
const DEFAULT_KEEP_SIZE = 5 * 1_073_741_824;
const DEFAULT_KEEP_SIZE_IN_MEMORY = 1_073_741_824;

export const keepSizeOf = ({ keepSize, store }: Pick<Config, 'keepSize' | 'store'>): number =>
  keepSize ?? (isInMemory(store) ? DEFAULT_KEEP_SIZE_IN_MEMORY : DEFAULT_KEEP_SIZE);

export function settingsOf(config: Config): GatewayNote['settings'] {
  const { upstream, upstreamPsu, lendCertificate } = config;
  return {
    ...pick(config, NOTED),
    retention: { keepDays: config.keepDays, keepSize: keepSizeOf(config) },
    catalogue: catalogueDigest(),
    upstream: upstream?.href,
    upstreamPsu: upstreamPsu?.href,
    lendCertificate: upstream === undefined ? undefined : lendCertificate,
  };
}

/** Those by which a recording of others was judged as it was imported; nothing of ours has recorded or answered it. */
export const judgedBy = (config: Config): GatewayNote['settings'] => ({
  ...pick(config, JUDGED_BY),
  catalogue: catalogueDigest(),
});
