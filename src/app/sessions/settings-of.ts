/** The settings that a session notes: what its reader must know of the gateway that recorded it. */
import type { Config } from '../config.js';

export function settingsOf(config: Config): Record<string, unknown> {
  const {
    source,
    sources,
    stance,
    profile,
    rules,
    waivers,
    dailyWindow,
    dailyTimeZone,
    segment,
    scaLink,
    durability,
    pseudonymise,
  } = config;
  return {
    source,
    sources,
    upstream: config.upstream?.href,
    upstreamPsu: config.upstreamPsu?.href,
    lendCertificate: config.upstream === undefined ? undefined : config.lendCertificate,
    stance,
    profile,
    rules,
    waivers,
    dailyWindow,
    dailyTimeZone,
    segment,
    scaLink,
    durability,
    pseudonymise,
  };
}
