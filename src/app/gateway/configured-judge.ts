/** Judges as configured, by the profile that is in force. */

import type { Notifier } from '../../answer/index.js';
import type { Judge, Profile } from '../../rules/index.js';
import type { Config } from '../config/config.js';
import { judgeBy, judgingOf } from '../report/judging.js';
import type { Recording } from './recording.js';

export function createConfiguredJudge(
  config: Config,
  today: string,
  { fingerprint }: Recording,
  { hostAllowed }: Notifier,
  bankOrigins: ReadonlySet<string>,
): Judge {
  const judging = judgingOf(config, config, { origins: bankOrigins, foreign: false });
  return judgeBy(judging, fingerprint, today, { notificationHostAllowed: hostAllowed, bankOrigins });
}

interface SwitchedJudge extends Judge {
  /** What judges are made of is different now. */
  readonly renew: () => void;
}

/** Judges by the profile that is in force. */
export function createSwitchedJudge(
  create: (profile: Profile) => Judge,
  profile: () => Profile,
): SwitchedJudge {
  const judges = new Map<Profile, Judge>();
  const current = (): Judge => {
    const wanted = profile();
    const known = judges.get(wanted) ?? create(wanted);
    judges.set(wanted, known);
    return known;
  };
  current();
  return {
    renew: () => judges.clear(),
    get options() {
      return current().options;
    },
    get window() {
      return current().window;
    },
    judgeCall: (call, ledger) => current().judgeCall(call, ledger),
    judgeExchange: (exchange, ledger, before) => current().judgeExchange(exchange, ledger, before),
  };
}
