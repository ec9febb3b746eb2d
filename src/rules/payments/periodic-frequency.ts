import { FREQUENCIES } from '../../spec/index.js';
import { isPeriodic } from '../checks/payment-calls.js';
import { bodyMember } from '../checks/request-body.js';
import { describe } from '../checks/schema-violations.js';
import { defineRule, type Violation, violation } from '../rule.js';

const RULES = ['following', 'preceding'];
/** Members that hold one of a few texts. */
const VALUES: readonly (readonly [name: string, fits: (text: string) => boolean, expected: string])[] = [
  ['frequency', (text) => FREQUENCIES.some((one) => one === text), FREQUENCIES.join(', ')],
  ['executionRule', (text) => RULES.includes(text), RULES.join(' or ')],
  [
    'dayOfExecution',
    (text) => /^(?:0?[1-9]|[12]\d|3[01])$/.test(text),
    'a day of the month, from "1" to "31"',
  ],
];

export default defineRule({
  id: 'payments/periodic-frequency',
  statement:
    'frequency, executionRule and dayOfExecution of a periodic payment have values of the standard; MonthlyVariable names its months',
  sources: ['BG'],
  appliesTo: ({ creates }) => creates === 'payment',
  isAsked: ({ dialect }) => dialect.productsOf('periodic-payments').length > 0,
  needs: ['json'],
  refusal: { code: 'FORMAT_ERROR' },
  why: 'The bank cannot tell how often to pay, and refuses the order.',
  fix: 'Send the codes of the standard in their spelling: Monthly, following, "31" for the last day of a month.',
  examples: {
    complies: '"frequency":"Monthly","executionRule":"following","dayOfExecution":"31"',
    violates:
      '"frequency":"MONTHLY"; "dayOfExecution":"32"; "frequency":"MonthlyVariable" without monthsOfExecution',
  },
  check: ({ call, options }) => {
    if (!isPeriodic(call)) return 'not-applicable';
    const { values } = options.dialect.bodyMembers(call.operation);
    const violations: Violation[] = [];
    let judged = false;
    for (const [name, fits, expected] of VALUES) {
      const value = bodyMember(call, name);
      // A missing frequency, or another type, is for payments/body-well-formed.
      if (typeof value !== 'string' || value === '') continue;
      judged = true;
      const own = values[name] ?? [];
      if (fits(value) || own.includes(value)) continue;
      violations.push(violation(`body ${name}`, [expected, ...own].join(', '), describe(value)));
    }
    const months = bodyMember(call, 'monthsOfExecution');
    if (bodyMember(call, 'frequency') === 'MonthlyVariable' && months === undefined)
      violations.push(
        violation(
          'body monthsOfExecution',
          'months from "1" to "12", as frequency is MonthlyVariable',
          'absent',
        ),
      );
    return judged ? violations : 'not-applicable';
  },
});
