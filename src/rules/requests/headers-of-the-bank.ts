import type { OperationRow } from '../../spec/index.js';
import { operationRow } from '../../spec/index.js';
import { takesDigests, takesSignatures } from '../checks/asks-for.js';
import { isCreation, isKnown } from '../checks/known-calls.js';
import { defineRule, type JudgeOptions, type Violation, violation } from '../rule.js';

export default defineRule({
  id: 'requests/headers-of-the-bank',
  statement: "A call carries the headers that the bank's profile requires of it, and none that it forbids",
  sources: ['BG'],
  appliesTo: isKnown,
  isAsked: ({ dialect }) => dialect.profile !== undefined,
  refusal: { code: 'FORMAT_ERROR' },
  why: 'Banks differ in the headers that they need; without one of them this bank refuses the call.',
  fix: 'Send the header that the finding names, or leave it out where the bank does not take it.',
  examples: {
    complies: 'PSU-ID: anton, where the bank requires it of POST /consents',
    violates: 'no PSU-ID; PSU-ID where the bank forbids it',
  },
  check: ({ call, options }) => {
    if (call.operation === null) return 'not-applicable';
    const row = operationRow(call.operation);
    const { headersOf, headerIs, isTokenFirst } = options.dialect;
    const demands = headersOf(call.operation).filter(
      ([name, is]) => is !== 'optional' && !isJudgedElsewhere(name.toLowerCase(), row, options),
    );
    const isAfterToken = isTokenFirst && (row.group === 'consents' || row.group === 'payments');
    if (isAfterToken && headerIs('authorization', call.operation) === undefined)
      demands.push(['Authorization', 'required']);
    if (demands.length === 0) return 'not-applicable';
    const violations: Violation[] = [];
    for (const [name, is] of demands) {
      const value = call.header[name.toLowerCase()];
      if (is === 'required' && !value)
        violations.push(violation(`header ${name}`, 'a value', value === '' ? 'empty' : 'absent'));
      if (is === 'forbidden' && value !== undefined)
        violations.push(violation(`header ${name}`, 'no such header: this bank does not take it', name));
    }
    return violations;
  },
});

/** Whether a rule of its own asks for the header, so that one fault is one finding. */
function isJudgedElsewhere(name: string, row: OperationRow, options: JudgeOptions): boolean {
  switch (name) {
    case 'x-request-id':
      return row.requestId;
    case 'psu-ip-address':
    case 'tpp-redirect-uri':
      return isCreation(row);
    case 'authorization':
      return row.group === 'accounts' && options.dialect.bearer === 'required';
    case 'consent-id':
      return row.group === 'accounts' && options.dialect.hasConsents;
    case 'digest':
      return row.requestId && takesDigests(options);
    case 'signature':
    case 'tpp-signature-certificate':
      return row.requestId && takesSignatures(options);
    default:
      return false;
  }
}
