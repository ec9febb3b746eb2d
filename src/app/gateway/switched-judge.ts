/** Judges by the profile that is in force. */
import type { Judge, Profile } from '../../rules/index.js';

interface SwitchedJudge extends Judge {
  /** What judges are made of is different now. */
  readonly renew: () => void;
}

/** `create` is asked for each profile once, until what judges are made of is another. */
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
