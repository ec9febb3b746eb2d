/** The payments that a creation asks for: one, or those of a bulk payment. */
import { type Call, isFingerprint, memberOf } from '../../exchange/index.js';
import type { Outcome, Violation } from '../rule.js';

export interface AskedPayment {
  readonly payment: unknown;
  /** How places in it begin: empty, or `payments[3].`. */
  readonly at: string;
}

const MOST_PAYMENTS = 1_000;
const MOST_VIOLATIONS = 20;

export function paymentsIn({ content, params }: Call): readonly AskedPayment[] {
  if (content.kind !== 'json') return [];
  const { value } = content;
  if (params.paymentService !== 'bulk-payments') return [{ payment: value, at: '' }];
  const payments = memberOf(value, 'payments');
  if (!Array.isArray(payments)) return [];
  return payments.slice(0, MOST_PAYMENTS).map((payment: unknown, i) => ({ payment, at: `payments[${i}].` }));
}

/** Judges each payment; it is complied with where one complies and none violates. */
export function judgeEach(call: Call, judge: (asked: AskedPayment) => Outcome): Outcome {
  const violations: Violation[] = [];
  const others = new Set<Outcome>();
  for (const asked of paymentsIn(call)) {
    const outcome = judge(asked);
    const found = typeof outcome !== 'object' ? [] : 'place' in outcome ? [outcome] : outcome;
    violations.push(...found);
    if (found.length === 0) others.add(typeof outcome === 'object' ? true : outcome);
    if (violations.length >= MOST_VIOLATIONS) break;
  }
  if (violations.length > 0) return violations.slice(0, MOST_VIOLATIONS);
  if (others.has('not-observed')) return 'not-observed';
  return others.has(true) || 'not-applicable';
}

/** The text of a member, where it is one and stands there in clear. */
export function clearTextIn(payment: unknown, name: string): string | undefined {
  const text = memberOf(payment, name);
  return typeof text === 'string' && text !== '' && !isFingerprint(text) ? text : undefined;
}
