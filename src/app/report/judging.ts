/** Makes the judge of a report out of settings. */

import type { Fingerprint } from '../../exchange/index.js';
import { createAllowList } from '../../outgoing/index.js';
import type { Judging } from '../../report/index.js';
import {
  createJudge,
  isOwnRule,
  type Judge,
  type JudgeOptions,
  RULES,
  type Rule,
} from '../../rules/index.js';
import { type Dialect, dialectOf } from '../../spec/index.js';
import type { Config } from '../config/config.js';

export interface JudgingParts {
  /** Origins of the bank, as far as the gateway or the recording tells them. */
  readonly origins: Iterable<string>;
  /** Traffic of others: what a gateway of ours would allow says nothing of it. */
  readonly foreign: boolean;
}

export function judgingOf(settings: Config, { origins, foreign }: JudgingParts): Judging {
  const { profile, segment, bankProfile, rules, waivers, dailyWindow, dailyTimeZone } = settings;
  const { blockedOrganisations, notificationAllow } = settings;
  const ownRules = (settings.ownRules ?? []).flatMap(({ name, digest }) =>
    digest === undefined ? [] : [{ name, digest }],
  );
  return {
    profile,
    dailyWindow:
      dailyWindow === 'rolling' ? { kind: 'rolling' } : { kind: 'calendar-day', timeZone: dailyTimeZone },
    blockedOrganisations: [...(blockedOrganisations ?? [])].sort(),
    notificationAllow: foreign ? null : [...notificationAllow],
    bankOrigins: [...new Set(origins)].sort(),
    segment,
    ...(bankProfile === undefined ? {} : { bankProfile }),
    overrides: Object.fromEntries(Object.entries(rules ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))),
    waivers: (waivers ?? []).map(({ rule, match, reason, until }) => ({
      rule,
      ...(match === undefined ? {} : { match: matchOf(match) }),
      reason,
      until,
    })),
    ...(ownRules.length === 0 ? {} : { ownRules }),
  };
}

type OwnRules = Config['loadedRules'];

/** The loaded ones among the own rules that judge: a recipe names files, and loads none. */
export function ownRulesOf(judgings: readonly Judging[], loaded: OwnRules): Rule[] {
  const named = new Set(judgings.flatMap(({ ownRules = [] }) => ownRules.map(({ digest }) => digest)));
  return (loaded?.rules ?? []).filter(({ own }) => own !== undefined && named.has(own.file.digest));
}

function matchOf({ operation, tpp, path }: Match): Match {
  return {
    ...(operation === undefined ? {} : { operation }),
    ...(tpp === undefined ? {} : { tpp }),
    ...(path === undefined ? {} : { path }),
  };
}

type Match = NonNullable<Judging['waivers'][number]['match']>;

/**
 * `today` is YYYY-MM-DD: a waiver that ended before is an error. Without it none is. `live`: what a gateway knows only
 * once it runs.
 */
export function judgeBy(
  judging: Judging,
  fingerprint: Fingerprint,
  today = '',
  live: Partial<Pick<JudgeOptions, 'notificationHostAllowed' | 'bankOrigins'>> = {},
  loaded?: OwnRules,
): Judge {
  const { notificationAllow, profile, dailyWindow, segment, bankProfile } = judging;
  const rules = [...RULES, ...ownRulesOf([judging], loaded)];
  const { overrides, waivers } = withoutMissing(judging, rules);
  const isAllowed = notificationAllow === null ? () => true : createAllowList(notificationAllow).hostAllowed;
  return createJudge({
    rules,
    fingerprint,
    overrides,
    waivers,
    today,
    options: {
      profile,
      dailyWindow,
      dialect: dialectOf(bankProfile, segment),
      blockedOrganisations: new Set(judging.blockedOrganisations),
      notificationHostAllowed: isAllowed,
      bankOrigins: new Set(judging.bankOrigins),
      ...live,
    },
  });
}

/** Severities and waivers of own rules that a recording notes count for nothing if their files are not loaded. */
function withoutMissing({ overrides, waivers, ownRules = [] }: Judging, rules: readonly Rule[]) {
  const digests = new Set(rules.map(({ own }) => own?.file.digest));
  if (ownRules.every(({ digest }) => digests.has(digest))) return { overrides, waivers };
  const ids = new Set(rules.map(({ id }) => id));
  const isThere = (id: string): boolean => ids.has(id) || !isOwnRule(id);
  return {
    overrides: Object.fromEntries(Object.entries(overrides).filter(([id]) => isThere(id))),
    waivers: waivers.filter(({ rule }) => isThere(rule)),
  };
}

/** A judge with the settings of the user, for a recording that may come from elsewhere. */
export function createOfflineJudge(
  config: Config,
  {
    fingerprint,
    today,
    dialect: { segment, profile: bankProfile },
    ...parts
  }: JudgingParts & { readonly fingerprint: Fingerprint; readonly today: string; readonly dialect: Dialect },
): Judge {
  return judgeBy(
    judgingOf({ ...config, segment, bankProfile }, parts),
    fingerprint,
    today,
    {},
    config.loadedRules,
  );
}
