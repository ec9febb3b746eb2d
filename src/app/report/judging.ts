/** Settings by which a report judges a recording: those it was recorded under, unless the user gives others. */
import { createAllowList } from '../../answer/index.js';
import type { Fingerprint } from '../../exchange/index.js';
import type { Judging } from '../../report/index.js';
import { createJudge, type Judge, type JudgeOptions, RULES } from '../../rules/index.js';
import type { Config } from '../config/config.js';
import type { LoadedConfig } from '../config/load.js';
import { JUDGES } from '../config/options.js';
import type { Settings } from './periods.js';

type Values = Readonly<Record<string, unknown>>;

export interface ChosenSettings {
  /** One for each of those that were in force, in their order; at least one. */
  readonly settings: readonly Config[];
  /** The verdicts that were stored are by other settings, or nobody knows by which. */
  readonly differs: boolean;
}

/**
 * What the user sets, in whatever way, comes before what was in force when a call came, and that before defaults.
 * `inForce`: see `Periods`.
 */
export function chooseSettings(
  { config, effective }: LoadedConfig,
  inForce: readonly Settings[],
): ChosenSettings {
  const isSet = (key: string) =>
    effective.some(({ option, from }) => option.key === key && from !== 'default');
  const set = JUDGES.filter(isSet);
  const left = JUDGES.filter((key) => !isSet(key));
  const recorded: readonly Values[] = inForce.length === 0 ? [{}] : inForce;
  const settings = recorded.map((noted): Config => {
    const known = left.filter((key) => noted[key] !== undefined).map((key) => [key, noted[key]]);
    return { ...config, ...Object.fromEntries(known) };
  });
  const differs = recorded.some((noted) =>
    set.some((key) => isOther(key, noted[key], (config as Values)[key])),
  );
  return { settings, differs: differs || inForce.length === 0 };
}

/** Rules and waivers that are not noted were none; of anything else that is not noted nothing is known. */
function isOther(key: string, recorded: unknown, chosen: unknown): boolean {
  if (recorded === undefined && key !== 'rules' && key !== 'waivers') return false;
  return textOf(recorded) !== textOf(chosen);
}

/** An empty list of waivers says the same as none. */
const textOf = (value: unknown): string => {
  const text = JSON.stringify(value) ?? '';
  return text === '[]' || text === '{}' ? '' : text;
};

export interface JudgingParts {
  /** Origins of the bank, as far as the gateway or the recording tells them. */
  readonly origins: Iterable<string>;
  /** Traffic of others: what a gateway of ours would allow says nothing of it. */
  readonly foreign: boolean;
}

export function judgingOf(settings: Config, { origins, foreign }: JudgingParts): Judging {
  const { profile, segment, rules, waivers, dailyWindow, dailyTimeZone } = settings;
  const { blockedOrganisations, notificationAllow } = settings;
  return {
    profile,
    dailyWindow:
      dailyWindow === 'rolling' ? { kind: 'rolling' } : { kind: 'calendar-day', timeZone: dailyTimeZone },
    blockedOrganisations: [...(blockedOrganisations ?? [])].sort(),
    notificationAllow: foreign ? null : [...notificationAllow],
    bankOrigins: [...new Set(origins)].sort(),
    segment,
    overrides: Object.fromEntries(Object.entries(rules ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))),
    waivers: (waivers ?? []).map(({ rule, match, reason, until }) => ({
      rule,
      ...(match === undefined ? {} : { match: matchOf(match) }),
      reason,
      until,
    })),
  };
}

/** In one order, whatever that of the configuration is. */
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
  const { notificationAllow, overrides, waivers, profile, dailyWindow, segment } = judging;
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
      segment,
      blockedOrganisations: new Set(judging.blockedOrganisations),
      notificationHostAllowed: isAllowed,
      bankOrigins: new Set(judging.bankOrigins),
      ...live,
    },
  });
}

export interface OfflineJudgeParts extends JudgingParts {
  readonly fingerprint: Fingerprint;
  /** YYYY-MM-DD: which waivers have ended. */
  readonly today: string;
  /** The fixed path segment of the recording. */
  readonly segment: string;
}

/** A judge with the settings of the user, for a recording that may come from elsewhere. */
export function createOfflineJudge(config: Config, parts: OfflineJudgeParts): Judge {
  const judging = judgingOf({ ...config, segment: parts.segment }, parts);
  return judgeBy(judging, parts.fingerprint, parts.today);
}
