/** Judges the amounts and account numbers of payments and funds confirmations. */
import { type Call, isFingerprint } from '../../exchange/index.js';
import { isIban, isPositiveAmount } from '../../spec/index.js';
import type { Outcome, Violation } from '../rule.js';
import { bodyMember, isPresent } from './request-body.js';
import { describe } from './schema-violations.js';

export const AMOUNT_PLACE = 'body instructedAmount.amount';

const AMOUNT_FORM =
  'a string of up to 14 digits, a dot and up to 3 decimals, greater than zero, without sign';
const IBAN_FORM = "an IBAN of its country's length, with right check digits, in capitals and without spaces";
/** What masking leaves of an account number. */
const MASKED = /[*•…]|X{4}/;

/** Whatever stands in the amount's place is for this to judge, so that an amount sent as a number is one finding. */
export function amountIsThere(call: Call): boolean {
  return isPresent(bodyMember(call, 'instructedAmount', 'amount'));
}

export function judgeAmount(call: Call): Outcome {
  if (!amountIsThere(call)) return 'not-applicable';
  const amount = bodyMember(call, 'instructedAmount', 'amount');
  if (typeof amount !== 'string')
    return {
      place: AMOUNT_PLACE,
      expected: 'a string, such as "123.50"',
      actual: `${describe(amount)}, not a string`,
    };
  return isPositiveAmount(amount) || { place: AMOUNT_PLACE, expected: AMOUNT_FORM, actual: describe(amount) };
}

/** `accounts`: names of the members that hold an account. An account named otherwise than by IBAN is not judged. */
export function judgeIbans(call: Call, accounts: readonly string[]): Outcome {
  return judgeIbanMembers(
    accounts.map((account) => [`body ${account}.iban`, bodyMember(call, account, 'iban')]),
  );
}

/** Violations told of one call. */
const MOST = 20;

/** Places with what stands there; what is no text is for another rule. */
export function judgeIbanMembers(members: Iterable<readonly [place: string, iban: unknown]>): Outcome {
  const violations: Violation[] = [];
  let judged = 0;
  let hidden = 0;
  for (const [place, iban] of members) {
    if (typeof iban !== 'string' || iban === '') continue;
    if (isFingerprint(iban) || MASKED.test(iban)) {
      hidden++;
      continue;
    }
    judged++;
    if (isIban(iban)) continue;
    violations.push({ place, expected: IBAN_FORM, actual: describeIban(iban) });
    if (violations.length === MOST) break;
  }
  if (violations.length > 0) return violations;
  if (hidden > 0) return 'not-observed';
  return judged > 0 ? true : 'not-applicable';
}

/** Never the number itself: a finding is shown where the body is not. */
function describeIban(iban: string): string {
  const start = iban.slice(0, 4);
  if (/\s/.test(iban)) return `${start}…, with spaces`;
  if (/^[a-z]/.test(iban)) return `${start}…, the country in small letters`;
  return `${start}…, ${iban.length} characters`;
}
