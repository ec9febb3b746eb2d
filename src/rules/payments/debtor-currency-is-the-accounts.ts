import { memberOf } from '../../exchange/index.js';
import { bodyMember } from '../checks/request-body.js';
import { defineRule, violation } from '../rule.js';

const NAMED = /debtorAccount[./]currency/;
const MOST_ERRORS = 50;

export default defineRule({
  id: 'payments/debtor-currency-is-the-accounts',
  statement: 'debtorAccount.currency, if sent, is the currency of that account, if the bank knows it',
  sources: ['BG'],
  scope: 'exchange',
  judges: 'tpp',
  appliesTo: ({ creates }) => creates === 'payment',
  needs: ['json', 'bank-answer'],
  why: 'IBAN and currency name the account together; with another currency the bank finds none, and refuses the payment.',
  fix: 'Send the currency that the list of accounts shows for the account, or leave it out; the currency of the payment belongs in instructedAmount.',
  examples: {
    complies: '"debtorAccount":{"iban":"BE14983120441783","currency":"EUR"}, an account in EUR',
    violates: '"debtorAccount":{"iban":"BE14983120441783","currency":"USD"}, which the bank refuses',
  },
  check: ({ call, answer }) => {
    const currency = bodyMember(call, 'debtorAccount', 'currency');
    if (typeof currency !== 'string') return 'not-applicable';
    if (answer.status < 300) return true;
    // If the bank refuses for another reason, it need not have checked the account.
    if (answer.status >= 500 || answer.content.kind !== 'json' || !isNamedIn(answer.content.value))
      return 'not-observed';
    return violation(
      'body debtorAccount.currency',
      'the currency of the account, or no such member',
      `${currency}, which the bank refused`,
    );
  },
});

/** Whether an error is about that member: by its path in tppMessages, or in the detail of a problem, which has none. */
function isNamedIn(body: unknown): boolean {
  const listed = ['tppMessages', 'additionalErrors'].flatMap((name) => {
    const errors = memberOf(body, name);
    return Array.isArray(errors) ? errors.slice(0, MOST_ERRORS) : [];
  });
  return [body, ...listed].some((error) =>
    ['path', 'detail'].some((name) => NAMED.test(String(memberOf(error, name) ?? ''))),
  );
}
