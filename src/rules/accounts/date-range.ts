import { queryValue } from '../../exchange/index.js';
import { datesMeantBy, isDate } from '../../spec/index.js';
import { unlessGiven } from '../checks/given-link.js';
import { contradiction } from '../checks/parameters.js';
import { A_DATE, describeDate } from '../checks/schema-violations.js';
import { defineRule, type Violation, violation } from '../rule.js';

/** Whatever a date of another form means. */
function isReversed(from: string, to: string): boolean {
  const [earliest = to] = isDate(from) ? [from] : datesMeantBy(from);
  return earliest > to;
}

function noDate(name: string, text: string): Violation {
  return violation(`query ${name}`, A_DATE, describeDate(text));
}

export default defineRule({
  id: 'accounts/date-range',
  statement: 'dateFrom and dateTo are real dates, and not reversed',
  clauses: ['endpoint.accounts.transactions'],
  sources: ['BG'],
  appliesTo: ['accounts.transactions'],
  refusal: { code: 'FORMAT_ERROR' },
  why: 'The bank cannot tell which days are asked for.',
  fix: 'Send real dates as YYYY-MM-DD, the earlier one as dateFrom.',
  examples: { complies: '?dateFrom=2026-05-01&dateTo=2026-05-31', violates: '?dateFrom=2026-06-31' },
  check: (context) => {
    const { call } = context;
    const from = queryValue(call, 'dateFrom');
    const to = queryValue(call, 'dateTo');
    if (from === undefined && to === undefined) return 'not-applicable';
    const violations = ['dateFrom', 'dateTo'].flatMap((name) => contradiction(call, name) ?? []);
    if (violations.length > 0) return unlessGiven(context, violations);
    if (from !== undefined && !isDate(from)) violations.push(noDate('dateFrom', from));
    if (to !== undefined && !isDate(to)) violations.push(noDate('dateTo', to));
    else if (from !== undefined && to !== undefined && isReversed(from, to))
      violations.push({
        place: 'query dateTo',
        expected: `${isDate(from) ? `${from} (dateFrom)` : 'dateFrom'} or later`,
        actual: to,
        refusal: { code: 'PERIOD_INVALID' },
      });
    return unlessGiven(context, violations);
  },
});
