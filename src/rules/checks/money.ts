/** Judges the amounts and account numbers of payments and funds confirmations. */
import { isFingerprint, memberOf, type Place } from '../../exchange/index.js';
import { counted, type Dialect, ibanForm, isIban, isPositiveAmount } from '../../spec/index.js';
import { type Outcome, type Violation, violation } from '../rule.js';
import type { AskedPayment } from './each-payment.js';
import { isPresent } from './request-body.js';
import { describe } from './schema-violations.js';

const AMOUNT_FORM =
  'a string of up to 14 digits, a dot and up to 3 decimals, greater than zero, without sign';
/** The remains of a masked account number. */
const MASKED = /[*•…]|X{4}/;

const amountIn = (payment: unknown): unknown => memberOf(memberOf(payment, 'instructedAmount'), 'amount');

/** Whatever stands in the amount's place is for amount-well-formed to judge, so that an amount sent as a number is one finding. */
export function amountPlaces(payments: readonly AskedPayment[]): Place[] {
  return payments
    .filter(({ payment }) => isPresent(amountIn(payment)))
    .map(({ at }): Place => `body ${at}instructedAmount.amount`);
}

export function judgeAmount({ payment, at }: AskedPayment): Outcome {
  const amount = amountIn(payment);
  if (!isPresent(amount)) return 'not-applicable';
  const place: Place = `body ${at}instructedAmount.amount`;
  if (typeof amount !== 'string') return violation(place, 'a string, such as "123.50"', describe(amount));
  return isPositiveAmount(amount) || violation(place, AMOUNT_FORM, describe(amount));
}

const MOST = 20;

/** Places with what stands there; what is no text is for another rule. An account named otherwise than by IBAN is not judged. */
export function judgeIbanMembers(
  members: Iterable<readonly [place: Place, iban: unknown]>,
  { isTestIban }: Dialect,
): Outcome {
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
    if (isIban(iban) || isTestIban(iban)) continue;
    violations.push(ibanViolation(place, iban));
    if (violations.length === MOST) break;
  }
  if (violations.length > 0) return violations;
  if (hidden > 0) return 'not-observed';
  return judged > 0 ? true : 'not-applicable';
}

/** Never the number itself: a finding is shown where the body is not. Every defect is said, and only what is one. */
function ibanViolation(place: Place, iban: string): Violation {
  const bare = iban.replaceAll(/\s/g, '').toUpperCase();
  const { country, length, fits } = ibanForm(bare);
  const defects: string[] = [];
  if (/\s/.test(iban)) defects.push('with spaces');
  if (/[a-z]/.test(iban)) defects.push('with small letters');
  if (/[^A-Z0-9]/.test(bare)) defects.push('with signs that are neither letters nor digits');
  if (country !== null) {
    if (bare.length !== length) defects.push(counted(bare.length, 'character'));
    if (!fits) defects.push('with check digits that do not fit');
  }
  const start = bare.slice(0, 4);
  if (country === null)
    return violation(
      place,
      'an IBAN, which begins with the code of a country that has them',
      [`${start}…`, ...defects].join(', '),
    );
  return violation(
    place,
    `an IBAN of ${nameOf(country)}: ${counted(length, 'character')}, in capitals without spaces, with check digits that fit`,
    `${start}…, ${listed(defects)}`,
  );
}

/** Names of places are loaded with the first, which takes 20 ms: a start does not wait for them. */
const nameOf = (country: string) => new Intl.DisplayNames('en', { type: 'region' }).of(country) ?? country;

function listed(defects: readonly string[]): string {
  if (defects.length < 2) return defects.join('');
  return `${defects.slice(0, -1).join(', ')} and ${defects.at(-1)}`;
}
