/** The settings that a session notes. All that verdicts depend on is among them, so that it is in the chain. */
import type { Config } from '../config/config.js';

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
    blockedOrganisations,
    notificationAllow,
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
    blockedOrganisations,
    notificationAllow,
    segment,
    scaLink,
    durability,
    pseudonymise,
  };
}

/** Those by which a recording of others was judged as it was imported; nothing of ours has recorded or answered it. */
export function judgedBy(config: Config): Record<string, unknown> {
  const { profile, rules, waivers, dailyWindow, dailyTimeZone, blockedOrganisations, pseudonymise } = config;
  return { profile, rules, waivers, dailyWindow, dailyTimeZone, blockedOrganisations, pseudonymise };
}
