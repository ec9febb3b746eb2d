/** The settings that a session notes: what its reader must know of the gateway that recorded it, or judged it. */
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

/** Those by which a recording of others was judged as it was imported; nothing of ours has recorded or answered it. */
export function judgedBy(config: Config): Record<string, unknown> {
  const { profile, rules, waivers, dailyWindow, dailyTimeZone, pseudonymise } = config;
  return { profile, rules, waivers, dailyWindow, dailyTimeZone, pseudonymise };
}
