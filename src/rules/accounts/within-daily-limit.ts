import {
  accessesAllowed,
  accessesUsed,
  accessKey,
  budgetOf,
  continuesQuery,
  isPartial,
  ownerOf,
} from '../../ledger/index.js';
import { dayInWords } from '../../spec/index.js';
import { consentIdOf } from '../checks/account-calls.js';
import { type CallContext, defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'accounts/within-daily-limit',
  statement:
    'At most frequencyPerDay (never above 4) accesses a day without PSU-IP-Address, for one TPP, consent, operation and account',
  clauses: ['limits.1', 'accounts.psu-ip-address', 'consent-request.frequencyPerDay'],
  sources: ['RTS 36(5)'],
  appliesTo: ({ group }) => group === 'accounts',
  isAsked: ({ dialect }) => dialect.accesses.count !== 'none',
  refusal: { code: 'ACCESS_EXCEEDED' },
  why: 'Without the PSU an account may be read four times a day at most; the bank refuses more.',
  fix: 'Read less often and keep the results. Send PSU-IP-Address if, and only if, the PSU is present.',
  examples: {
    complies: 'the fourth read of a day without PSU-IP-Address',
    violates: 'the fifth read of a day without PSU-IP-Address',
  },
  check: (context) => {
    const { call, ledger, window } = context;
    if (accessKey(call) === null || continuesQuery(ledger, call)) return 'not-applicable';
    if (isPartial(ledger)) return 'not-observed';
    const used = accessesUsed(ledger, call, window);
    const allowed = accessesAllowed(ledger, ownerOf(call), consentIdOf(call) ?? '', window);
    return (
      used < allowed ||
      violation(
        'header PSU-IP-Address',
        `at most ${NUMBERS[allowed] ?? allowed} ${allowed === 1 ? 'read' : 'reads'} a day without it, the next at ${budgetOf(ledger, call, window)?.freesUp ?? window.timeAt(call.at)}`,
        readOf(used + 1, context),
      )
    );
  },
});

const NUMBERS = ['none', 'one', 'two', 'three', 'four'];
const ORDINALS = ['', 'first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth'];
const LONGEST_ID = 60;

/** `the fifth read of GET /accounts under consent C1 on 15 June` */
function readOf(count: number, { call, window }: CallContext): string {
  const { setting, by } = window;
  const { method, path } = call.request;
  const when = setting.kind === 'rolling' ? 'within 24 hours' : `on ${dayInWords(window.dateAt(call.at))}`;
  const read = ORDINALS[count] === undefined ? `read ${count}` : `the ${ORDINALS[count]} read`;
  const consent = (consentIdOf(call) ?? '').slice(0, LONGEST_ID);
  const what = by === 'consent' ? '' : ` of ${method} ${path.slice(path.indexOf('/accounts'))}`;
  return `${read}${what} under consent ${consent} ${when}`;
}
