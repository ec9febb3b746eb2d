/** Settings that change while calls are judged: what operators switch, waivers, and rules that are read again. */
import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Judge, JudgeOptions, Profile, Waiver } from '../../rules/index.js';
import { dateAt, type SandgateError } from '../../spec/index.js';
import type { Config } from '../config/config.js';
import { withOwnRules } from '../own-rules/index.js';
import { judgeBy, judgingOf } from '../report/judging.js';
import type { SystemParts } from '../system/system-parts.js';
import type { Recording } from './recording.js';
import type { Prepare } from './reload.js';
import { createSwitchedJudge, createSwitches, createWaivers, type Positions } from './switches.js';

/** Switches of operators while the gateway runs, and the judge that follows it. `live`: what a gateway knows once it runs. */
export function createSwitching(
  config: Config,
  { log }: SystemParts,
  recording: Recording,
  live: Pick<JudgeOptions, 'notificationHostAllowed' | 'bankOrigins'>,
  problemOf: (wanted: Positions) => SandgateError | null,
) {
  const { sessions, clock } = recording;
  const switches = createSwitches({
    start: config,
    problemOf,
    share: recording.headers.share,
    onChange: (changed) => {
      sessions.changed(changed);
      log.info(changed, 'Switched.');
    },
  });
  recording.headers.add('settings', {
    under: digestOf(switches.current()),
    read: switches.current,
    adopt: (settings) => {
      switches.adopt(settings as Positions);
      sessions.knows(settings as Positions);
    },
  });
  // Waivers that have ended are a mistake when they are read, and none afterwards.
  let inForce: Judged = { config, today: dateAt(clock.now()) };
  const profile = () => switches.current().profile;
  const waivers = createWaivers({
    start: config.waivers ?? [],
    today: () => dateAt(clock.now()),
    own: () => inForce.config.loadedRules?.rules ?? [],
    share: recording.headers.share,
    renew: () => judge.renew(),
    onAdded: (all) => {
      sessions.changed({ waivers: all });
      log.info({ waivers: all.length }, 'A finding was waived.');
    },
  });
  const judgeOf = (by: Judged, wanted: Profile, all: readonly Waiver[]): Judge => {
    const { rules, ownRules, loadedRules } = by.config;
    const settings = { ...config, rules, ownRules, profile: wanted, waivers: [...all] };
    const judging = judgingOf(settings, { origins: live.bankOrigins, foreign: false });
    return judgeBy(judging, recording.fingerprint, by.today, live, loadedRules);
  };
  const judge = createSwitchedJudge((wanted) => judgeOf(inForce, wanted, waivers.current()), profile);
  recording.headers.add('waivers', {
    // A gateway without the own rules of this one could not follow a waiver of theirs.
    get under() {
      const { waivers: configured, ownRules } = inForce.config;
      return digestOf(ownRules === undefined ? configured : [configured, ownRules]);
    },
    read: waivers.current,
    adopt: (all) => {
      waivers.adopt(all as readonly Waiver[]);
      sessions.knows({ waivers: all as readonly Waiver[] });
    },
  });
  const prepare: Prepare = async (given) => {
    const before = inForce.config;
    const next = await withOwnRules(given, { isLive: true, onOff: (line) => log.warn({}, line), before });
    const changed = JUDGING.filter((name) => !isDeepStrictEqual(before[name], next[name]));
    const { waivers: configured = [], rules = {}, ownRules = [] } = next;
    const isNew = changed.includes('waivers');
    const following = { config: next, today: isNew ? dateAt(clock.now()) : inForce.today };
    // It refuses what cannot be meant.
    orClose(next, before, () => judgeOf(following, profile(), waivers.under(configured)));
    const commit = (): void => {
      inForce = following;
      if (isNew) waivers.configure(configured);
      judge.renew();
      const named = ownRules.map(({ name, digest = '' }) => ({ name, digest }));
      sessions.changed({ rules, ownRules: named, waivers: waivers.current() });
      if (before.loadedRules !== next.loadedRules) before.loadedRules?.close();
    };
    return {
      changes: changed.map((name) => ({ part: 'rules', says: `other ${WORDS[name]}` })),
      commit: changed.length === 0 ? () => {} : commit,
    };
  };
  const loaded = (): Config['loadedRules'] => inForce.config.loadedRules;
  return { switches, waivers, judge, rules: { prepare, loaded } };
}

/** Settings by which calls are judged, and the day on which they were read. */
interface Judged {
  readonly config: Config;
  readonly today: string;
}

/** Rules that were loaded for nothing do not stay in their thread. */
function orClose(next: Config, before: Config, attempt: () => unknown): void {
  try {
    attempt();
  } catch (error) {
    if (next.loadedRules !== before.loadedRules) next.loadedRules?.close();
    throw error;
  }
}

const WORDS = { rules: 'severities', waivers: 'waivers', ownRules: 'rules of your own' } as const;
const JUDGING = ['rules', 'waivers', 'ownRules'] as const;

const digestOf = (settings: unknown): string => hash('sha256', JSON.stringify(settings) ?? '', 'base64url');
