/** Excuses a TPP for what the bank itself put into a link. */
import type { Call, Place } from '../../exchange/index.js';
import { type LinkFact, linkFollowed } from '../../ledger/index.js';
import type { CallContext, Violation } from '../rule.js';

/** The violations without those of the bank; not applicable where all are. */
export function unlessGiven(
  { call, ledger }: CallContext,
  violations: readonly Violation[],
): readonly Violation[] | 'not-applicable' {
  const link = violations.length === 0 ? undefined : linkFollowed(ledger, call);
  if (link === undefined) return violations;
  const own = violations.filter(({ place }) => !isGiven(place, link, call));
  return own.length === 0 ? 'not-applicable' : own;
}

/** The bank does not ask for what its link leaves out. A link without query may be an address to complete. */
function isGiven(place: Place, { query }: LinkFact, call: Call): boolean {
  const name = /^query (.*)$/s.exec(place)?.[1];
  if (name === undefined || query.some(([given]) => given === name)) return true;
  const isAsGiven = query.length > 0 || call.request.query.length === 0;
  return isAsGiven && !call.request.query.some(([sent]) => sent === name);
}
