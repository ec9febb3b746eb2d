/** The living bank of a gateway as a test steers it. */
import type { AccountAction, BankView } from '../admin/index.js';
import type {
  TestAccountBooks,
  TestBank,
  TestBooks,
  TestConsent,
  TestPayment,
  TestPsu,
} from './bank-types.js';

const PAGE = 100;

export function testBankOf(bank: BankView): TestBank {
  const consent = (shown: object) => shown as TestConsent;
  const payment = (shown: object) => shown as TestPayment;
  return {
    psus: (from = 0, limit = PAGE) => bank.psus(from, limit) as readonly TestPsu[],
    account: (id) => {
      const { resourceId } = bank.account(id);
      const act = async (action: AccountAction, wanted: object = {}) =>
        (await bank.changeAccount(resourceId, action, wanted)) as TestAccountBooks;
      return {
        books: () => bank.account(resourceId) as TestAccountBooks,
        book: (booking) => act('book', booking),
        close: () => act('close'),
        reopen: () => act('reopen'),
        block: () => act('block'),
        unblock: () => act('unblock'),
        changeIban: (iban) => act('change-iban', iban === undefined ? {} : { iban }),
      };
    },
    books: (of = {}) => bank.books(of) as TestBooks,
    consents: (from = 0, limit = PAGE, where = {}) => bank.consents({ ...where, from, limit }).map(consent),
    consent: (id) => consent(bank.consent(id)),
    revokeConsent: async (id) => consent(await bank.endConsent(id, 'revoke')),
    expireConsent: async (id) => consent(await bank.endConsent(id, 'expire')),
    rejectConsent: async (id) => consent(await bank.endConsent(id, 'reject')),
    payments: (from = 0, limit = PAGE, where = {}) => bank.payments({ ...where, from, limit }).map(payment),
    payment: (id) => payment(bank.payment(id)),
    settlePayment: async (id) => payment(await bank.decidePayment(id, 'settle')),
    rejectPayment: async (id) => payment(await bank.decidePayment(id, 'reject')),
    nextOutcome: async (scenario, aim = {}) => {
      await bank.setNextOutcome({ scenario, ...aim });
    },
    reset: () => bank.reset(),
    snapshot: async (name) => {
      await bank.takeSnapshot(name);
    },
    restore: async (name) => {
      await bank.restoreSnapshot(name);
    },
  };
}
