import { oldestAsked } from '../../ledger/index.js';
import { bankDateAt, daysBetween, LIMITS, SANDBOX } from '../../spec/index.js';
import { acceptedSandboxConsent, consentIdOf } from '../checks/account-calls.js';
import { type CallContext, defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'accounts/history-within-90-days',
  statement:
    'The TPP asks for transactions older than 90 days (by dateFrom, or dateTo alone) only within 20 minutes (a reading) of the SCA of this consent, or of an answer that contained such transactions',
  clauses: ['limits.3', 'errors.5'],
  sources: ['RTS 10'],
  severity: { sandbox: 'should', production: 'should' },
  appliesTo: ['accounts.transactions'],
  why: 'Transactions older than 90 days need a fresh authorisation by the PSU; the bank refuses them otherwise.',
  fix: 'Ask for 90 days at most, counted in days and not in months; read older ones right after the SCA.',
  examples: {
    complies: 'dateFrom 90 days ago; dateFrom a year ago, five minutes after the SCA',
    violates: 'dateFrom three months ago, which are 92 days, a day after the SCA',
  },
  check: (context) => {
    const asked = oldestAsked(context.call);
    if (asked === undefined) return 'not-applicable';
    const today = bankDateAt(context.call.at);
    const days = daysBetween(asked.date, today);
    if (Number.isNaN(days)) return 'not-applicable';
    const { historyDays } = context.options.dialect;
    if (days <= historyDays) return true;
    const right = accessRight(context);
    if (right === 'lasts') return true;
    if (right === 'unknown') return 'not-observed';
    return violation(
      `query ${asked.parameter}`,
      `at most ${historyDays} days before today, ${today}`,
      `${asked.date}, which is ${days} days before today`,
    );
  },
});

/** A consent made just now has a recent SCA, seen or not. */
function accessRight({ call, consent, options }: CallContext): 'lasts' | 'over' | 'unknown' {
  const id = consentIdOf(call) ?? '';
  if (id === SANDBOX.consent90dExpired && acceptedSandboxConsent(id, options) !== undefined) return 'over';
  if (consent === undefined) return 'unknown';
  const { createdAt, scaAt, historyAt } = consent;
  const newest = Math.max(createdAt, scaAt ?? 0, historyAt ?? 0);
  if (call.at - newest <= LIMITS.historyAfterScaMs) return 'lasts';
  return scaAt === undefined && historyAt === undefined ? 'unknown' : 'over';
}
