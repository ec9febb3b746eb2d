/** Tells whether a value of an authorization request was used in another flow before. */
import { keyOf } from '../../ledger/index.js';
import { type CallContext, type Outcome, violation } from '../rule.js';
import { authorisationIdOf, creationOf, isSharedAuthorisation } from './authorize-flow.js';

/**
 * The PSU's browser may call the same address again, and each step of the bank's page does: that is one use. With the
 * sandbox's shared authorisation ids a flow is a new one where its consent or payment was created after the last use.
 */
export function judgeFreshness(
  kind: 'state' | 'challenge',
  parameter: string,
  value: string,
  context: CallContext,
): Outcome {
  const used = context.ledger.usedOnce.get(keyOf.usedOnce(kind, value));
  if (used === undefined) return true;
  const id = authorisationIdOf(context.call);
  const createdAt = isSharedAuthorisation(id) ? (creationOf(context)?.createdAt ?? 0) : 0;
  const sameFlow = used.purpose === id && createdAt <= used.at;
  return (
    sameFlow ||
    violation(
      `query ${parameter}`,
      'a value newly made for each authorization request',
      `a value that was used before, at ${new Date(used.at).toISOString()}`,
    )
  );
}
