/** Makes the judge of a report out of settings. */
import { createAllowList } from '../../answer/index.js';
import type { Fingerprint } from '../../exchange/index.js';
import type { Judging } from '../../report/index.js';
import { createJudge, type Judge, type JudgeOptions, RULES } from '../../rules/index.js';
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
  };
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
): Judge {
  const { notificationAllow, overrides, waivers, profile, dailyWindow, segment, bankProfile } = judging;
  const isAllowed = notificationAllow === null ? () => true : createAllowList(notificationAllow).hostAllowed;
  return createJudge({
    rules: RULES,
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
  return judgeBy(judgingOf({ ...config, segment, bankProfile }, parts), fingerprint, today);
}
