import rule from '../../../src/rules/payments/debtor-currency-is-the-accounts.js';
import { DEBTOR, paymentWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

const named = (currency: unknown) => paymentWith({ debtorAccount: { iban: DEBTOR, currency } });
const refused = (body: unknown, status = 400) => ({ status, body });
const message = (path?: string) => ({
  tppMessages: [{ category: 'ERROR', code: 'RESOURCE_UNKNOWN', ...(path === undefined ? {} : { path }) }],
});
const DETAIL = 'debtorAccount.currency: The account is in EUR.';

testRule(rule, {
  complies: { 'the bank took it': { call: named('EUR'), answer: refused({ paymentId: 'P1' }, 201) } },
  violates: {
    'the bank refused it by its path': {
      call: named('USD'),
      answer: refused(message('debtorAccount.currency')),
      finds: [
        {
          place: 'body debtorAccount.currency',
          expected: 'the currency of the account, or no such member',
          actual: 'USD, which the bank refused',
        },
      ],
    },
    'the path is a pointer': { call: named('USD'), answer: refused(message('/debtorAccount/currency')) },
    'a problem says it in its detail': {
      call: named('USD'),
      answer: refused({ type: 'urn:error', code: 'RESOURCE_UNKNOWN', detail: DETAIL }),
    },
    'a problem says it after another fault': {
      call: named('USD'),
      answer: refused({ type: 'urn:error', additionalErrors: [{ detail: DETAIL }] }),
    },
  },
  notApplicable: {
    'none is named': { call: paymentWith({}), answer: refused(message('debtorAccount.currency')) },
    'null, which is for another rule': { call: named(null), answer: refused(message()) },
    'the gateway refused it': { call: named('USD'), answer: { ...refused(message()), source: 'gateway' } },
  },
  notObserved: {
    'refused for another reason': { call: named('USD'), answer: refused(message('creditorAccount')) },
    'refused without a place': { call: named('USD'), answer: refused(message()) },
    'the bank failed': { call: named('USD'), answer: refused(message('debtorAccount.currency'), 500) },
    'a page of HTML': { call: named('USD'), answer: { status: 400 } },
  },
});
