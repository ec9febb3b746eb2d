/** Readings on the living bank: each names the test that shows it. */
import type { ReadingId } from '../../../src/spec/index.js';
import type { Shown } from './shown.js';

const consents = (test: string) => ({ file: 'test/bank/consents.test.ts', test });

const bank = (file: string, test: string) => ({ file: `test/bank/${file}.test.ts`, test });
const answers = (file: string, test: string) => ({ file: `test/answer/living/${file}.test.ts`, test });

const whole = (file: string, test: string) => ({ file: `test/e2e/living-${file}.test.ts`, test });

const walk = (test: string) => answers('sca/walk', test);

const habits = (test: string) => ({ file: 'test/e2e/living/habits.test.ts', test });

const orders = (test: string) => answers('orders', test);

const approaches = (test: string) => ({ file: 'test/answer/approaches.test.ts', test });

export const LIVING = {
  'standing-order-days': bank('standing-orders', 'are those of %s'),
  'standing-order-life': bank(
    'standing-orders',
    'goes on where a payment is not covered, and ends with its last one',
  ),
  'standing-orders-listed': orders(
    'is listed as a standing order as long as it runs, and stops once it is cancelled',
  ),
  'bulk-payment-body': orders('is refused with %s at %s'),
  'bulk-payment-life': bank('standing-orders', 'becomes %s by what becomes of its payments'),
  'pain-001': answers('payments-in-xml', 'is taken, executed, and read as it was sent'),
  'pain-002': answers(
    'payments-in-xml',
    'of several payments is a bulk payment, with the status of each in pain.002',
  ),
  'sca-approach': approaches('begins by %s'),
  'sca-start': approaches('begins by %s'),
  'sca-redirect-page': approaches(
    'sends the PSU back without parameters after a redirect, and to TPP-Nok-Redirect-URI if it failed',
  ),
  'sca-steps': approaches('walks an embedded SCA by its links, with a choice of methods'),
  'sca-credentials': approaches('ends the SCA with the third wrong code'),
  'sca-decoupled': approaches('tells the TPP to wait; at the sandbox bank the PSU confirms after 20 seconds'),
  'cancellation-started': approaches('asks for an authorisation of the cancellation of what was authorised'),
  'single-transaction': approaches(
    'reads accounts by certificate and consent alone, and one transaction by its id',
  ),
  'sandbox-orders': {
    file: 'test/answer/emulator/orders.test.ts',
    test: 'is read as the one payment of the sandbox, as %s',
  },
  'habits-payment-life': answers('habits', 'that is %s goes %j, and blames nobody'),
  'habits-rejected-at-once': answers('habits', 'ends in the answer to its creation, which links no SCA'),
  'habits-two-signatories': habits('is partiallyAuthorised until a second owner agrees'),
  'habits-sca-again': habits('is 401 CONSENT_INVALID, with a text that says what to do'),
  'habits-half-year': habits('may last 180 days, which its creation and its reads tell'),
  'habits-entries': bank('habits/habitual-population', 'is paged as the first page saw it'),
  'habits-accounts': habits('that changes its IBAN is found by the old one for a while'),
  'sca-page-form': {
    file: 'test/e2e/living/sca-pages.test.ts',
    test: 'holds no password, no code of a second factor and no ticket, and our own rules find nothing',
  },
  'sca-confirmation': approaches('waits for the code that came with the PSU, and counts then'),
  'token-first': {
    file: 'test/e2e/token-first.test.ts',
    test: 'a client of n26 gets its token, creates, and waits for the PSU, at the %s bank',
  },
  'sca-attempts': walk('counts failed log-ins with %o, and fails with the third'),
  'sca-first-psu': answers(
    'sca/create-sca',
    'takes the first owner where no PSU is named, and selects what is named',
  ),
  'sca-once': walk('says so, and gives no second code'),
  'psu-access-page': answers(
    'psu/create-psu-pages',
    'show what was given, to whom, and let it be taken back',
  ),
  'psu-access-attempts': answers(
    'psu/create-psu-pages',
    'take five wrong passwords of a PSU in ten minutes, and then not even the right one',
  ),
  'psu-home-page': {
    file: 'test/e2e/psu-home.test.ts',
    test: 'says what it is at the %s bank, and on the machine itself where the other listeners are',
  },
  'sca-rejects': {
    file: 'test/bank/authorisations.test.ts',
    test: 'makes of a consent what the outcome says',
  },
  'consent-replaced': consents(
    'comes to an older recurring one of the same PSU and TPP when a newer becomes valid',
  ),
  'one-off-consent': consents('valid 20 minutes from the first read, if for once'),
  'consent-living': whole('consents', 'that its TPP deletes is terminated, and stays so'),
  'sca-link-lifetime': bank(
    'authorisations',
    'comes by itself 20 minutes from its beginning, or when it was set to; then nothing can be authorised',
  ),
  'unauthorised-resource': bank(
    'payments',
    'is RJCT a day after its creation, where nobody authorised it (explicit: %s)',
  ),
  'clock-set-back': bank(
    'clock-back',
    'what a PSU, a TPP or the bank did stays done, and what time alone did follows the clock',
  ),
  'consent-read-living': whole('consents', 'that names accounts gives these and no more, and shows them'),
  'consent-account-unknown': whole(
    'consents',
    'that names an account which the bank has not, is refused at its creation',
  ),
  'consent-coverage': bank('coverage', 'gives of %s what it asks for, and no more'),
  'frequency-granted': whole(
    'consents',
    'is shortened to 90 days and four times a day, and a one-off one to once',
  ),
  'second-authorisation-living': whole(
    'consents',
    'of an explicit creation takes authorisations until one succeeds, another none',
  ),
  'account-not-covered': whole('consents', 'that names accounts gives these and no more, and shows them'),
  'account-record-living': whole('consents', 'come in pages that hold each of them once, newest first'),
  'transactions-pages-living': whole(
    'payments',
    'go on from what the first page saw, while payments are booked',
  ),
  'authorize-living': whole('oauth', 'with %s gets no code'),
  'code-living': whole('oauth', 'is exchanged once; a second time ends what it gave'),
  'token-living': whole('consents', 'that its TPP deletes is terminated, and stays so'),
  'payment-life': answers('payments', 'goes through ACTC and ACSP to ACSC, at its time'),
  'settlement-times': bank(
    'payments',
    'is at once within the bank, or the beginning of the day that was asked for',
  ),
  'payment-execution': bank(
    'execution',
    'leaves the money of those that were authorised before it, though they are due later',
  ),
  'payment-cover': answers(
    'funds',
    'asks for what a payment without cover leaves: all of it, as that is rejected at its authorisation',
  ),
  'payment-pending': bank(
    'statement',
    'is each payment from its authorisation until it is booked, one for a later date from that day on',
  ),
  'balance-types': bank(
    'statement',
    'tell what is booked, what will be, and what can be spent with the overdraft',
  ),
  'payment-debtor': answers('payments', 'is refused with %s where the bank cannot take it'),
  'payment-forms': answers('payments', 'is refused with %s where the bank cannot take it'),
  'payment-currency': answers(
    'payments',
    'is taken in any currency that the bank exchanges, across borders, under either spelling of the product',
  ),
  'living-bounds': answers(
    'payments',
    'of one TPP are refused once they fill its room, with words that say so, and those of others go on',
  ),
  'cancellation-authorised': answers(
    'payments',
    'waits for an authorisation of the cancellation where the PSU has authorised it',
  ),
  'notify-all': answers('payments', 'are promised as they will be sent, and no more'),
  'funds-living': answers(
    'funds',
    'is false in another currency, and refused for an account that has no consent for it',
  ),
} as const satisfies Partial<Record<ReadingId, Shown>>;
