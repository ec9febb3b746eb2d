import {
  accessesAllowed,
  accessesUsed,
  accessKey,
  budgetOf,
  continuesQuery,
  ownerOf,
} from '../../ledger/index.js';
import { consentIdOf } from '../checks/account-calls.js';
import { type CallContext, defineRule } from '../rule.js';

export default defineRule({
  id: 'accounts/within-daily-limit',
  statement:
    'At most frequencyPerDay (never above 4) accesses a day without PSU-IP-Address, for one TPP, consent, operation and account',
  clauses: ['limits.1', 'accounts.psu-ip-address', 'consent-request.frequencyPerDay'],
  sources: ['RTS 36(5)'],
  appliesTo: ({ group }) => group === 'accounts',
  refusal: { code: 'ACCESS_EXCEEDED' },
  why: 'Without the PSU an account may be read four times a day at most; the bank refuses more.',
  fix: 'Read less often and keep what you read; send PSU-IP-Address when, and only when, the PSU is asking.',
  examples: {
    complies: 'the fourth read of a day without PSU-IP-Address',
    violates: 'the fifth read of a day without PSU-IP-Address',
  },
  check: (context) => {
    const { call, ledger, window } = context;
    if (accessKey(call) === null || continuesQuery(ledger, call)) return 'not-applicable';
    if (ledger.isPartial === true) return 'not-observed';
    const used = accessesUsed(ledger, call, window.spanAt);
    const allowed = accessesAllowed(ledger, ownerOf(call), consentIdOf(call) ?? '');
    return (
      used < allowed || {
        place: 'header PSU-IP-Address',
        expected: `at most ${allowed} a day without it${nextOf(context)}`,
        actual: readOf(used + 1, context),
      }
    );
  },
});

function nextOf({ call, ledger, window }: CallContext): string {
  const budget = budgetOf(ledger, call, window.spanAt);
  return budget === undefined ? '' : `; the next is free at ${new Date(budget.freesUpAt).toISOString()}`;
}

function readOf(count: number, { call, options: { dailyWindow }, window }: CallContext): string {
  const when =
    dailyWindow.kind === 'rolling'
      ? 'within 24 hours'
      : `on ${window.dateAt(call.at)} (${dailyWindow.timeZone})`;
  return `read ${count} of ${call.request.method} ${call.request.path} under this consent ${when}`;
}
