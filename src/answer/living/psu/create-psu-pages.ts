/** The PSU's own pages at the bank: it logs in, sees what it gave to TPPs, and takes it back. */
import {
  type BankChange,
  type BankConsent,
  type BankPayment,
  type BankView,
  type Books,
  bankNameOf,
  consentStatusAt,
  endConsent,
  type Psu,
  paymentStatusAt,
} from '../../../bank/index.js';
import type { Call } from '../../../exchange/index.js';
import { bankDateAt, type ConsentStatus, counted, PAYMENT_STATUSES } from '../../../spec/index.js';
import type { Answered } from '../../answerer.js';
import type { LinksParts } from '../../emulator/links.js';
import { homePage } from '../../home-page.js';
import { answerPage, type Page } from '../../page.js';
import type { LivingBank, LivingHandler } from '../living.js';
import { askedByConsent, askedByPayment } from '../sca/asked.js';
import { FIELDS } from '../sca/frame.js';
import { readForm } from '../sca/step-form.js';
import type { Tickets } from '../sca/tickets.js';
import {
  accessLogInPage,
  accessPage,
  CONSENT_FIELD,
  type GivenAccess,
  type GivenPayment,
  TITLE,
} from './access-page.js';
import { createLogInAttempts } from './log-in-attempts.js';

export interface PsuPages {
  readonly home: LivingHandler;
  readonly access: LivingHandler;
}

/** What tickets of these pages are for. */
const PURPOSE = 'the access that a PSU gave';
const MOST_SHOWN = 50;
const SHOWN_PSUS = 8;
const MINUTE_MS = 60_000;

export function createPsuPages(
  bank: LivingBank,
  tickets: Tickets,
  accessPath: string,
  urls: LinksParts['urls'],
): PsuPages {
  const bankName = bank.data.accounts.bank.name;
  const frame = { bank: bankName, action: accessPath };
  const attempts = createLogInAttempts();

  function logInPage(problem: string | null, login?: string): Page {
    const { population } = bank;
    const known = population.psus(0, SHOWN_PSUS);
    const filled =
      login === undefined
        ? { login: known[0]?.login ?? '', password: known[0]?.password ?? '' }
        : { login, password: '' };
    return accessLogInPage({ ...frame, problem, filled, known, count: population.count });
  }

  function overview(books: Books, psu: Psu, now: number, done: string | null): Page {
    const consents = [...books.state.bankConsents.all(bankNameOf.psu(psu.id))].reverse();
    const payments = [...books.state.bankPayments.all(bankNameOf.psu(psu.id))].reverse();
    return accessPage({
      ...frame,
      ticket: tickets.issue(PURPOSE, psu.id, now),
      psu: psu.name,
      done,
      access: consents.slice(0, MOST_SHOWN).map((consent) => accessOf(books, consent, now)),
      payments: payments.slice(0, MOST_SHOWN).map((payment) => paymentOf(books, payment, now)),
    });
  }

  const shown = (call: Call, page: Page, changes: readonly BankChange[] = []): Answered => ({
    answer: answerPage(call, 'emulator', 200, page),
    changes,
  });

  return {
    home: (call) =>
      shown(call, homePage(call, { bank: bankName, urls, access: { path: accessPath, title: TITLE } })),
    access: (call, { bank: state, now }) => {
      const books = { state, population: bank.population };
      if (call.request.method !== 'POST') return shown(call, logInPage(null));
      const { text } = readForm(call);
      if (text(FIELDS.step) === 'login') {
        const login = text(FIELDS.login);
        const psu = bank.population.psuByLogin(login);
        if (psu === undefined) return shown(call, logInPage('The bank does not know this login.', login));
        const wait = attempts.waits(state, psu.id, now);
        if (wait > 0)
          return shown(call, logInPage(`There were too many wrong passwords. ${tryAgain(wait)}`, login));
        if (psu.password !== text(FIELDS.password)) {
          attempts.failed(state, psu.id, call.id, now);
          return shown(call, logInPage('The password is wrong.', login));
        }
        return shown(call, overview(books, psu, now, null));
      }
      const ticket = tickets.read(PURPOSE, text(FIELDS.ticket), now);
      const psu = ticket?.psu == null ? undefined : bank.population.psu(ticket.psu);
      if (psu === undefined) return shown(call, logInPage('That took too long. Please log in again.'));
      const consent = state.bankConsents.get(text(CONSENT_FIELD));
      const changes = consent?.psu === psu.id ? endConsent(consent, 'revokedByPsu', now) : [];
      if (changes.length === 0)
        return shown(call, overview(books, psu, now, 'This access had already ended.'));
      const done = 'Taken back. The application can no longer read your accounts.';
      return state.seenWith(changes, () => shown(call, overview(books, psu, now, done), changes));
    },
  };
}

const tryAgain = (ms: number): string => `Try again in ${counted(Math.ceil(ms / MINUTE_MS), 'minute')}.`;

const STATUS_WORDS = {
  received: 'not agreed to yet',
  partiallyAuthorised: 'not agreed to by all yet',
  valid: 'in force',
  rejected: 'not agreed to',
  revokedByPsu: 'taken back by you',
  expired: 'over, or replaced by a newer one',
  terminatedByTpp: 'ended by the application',
} as const satisfies Record<ConsentStatus, string>;

function accessOf({ state, population }: Books, consent: BankConsent, now: number): GivenAccess {
  const status = consentStatusAt(consent, now);
  const since = consent.scaAt === null ? [] : [{ term: 'Given on', texts: [bankDateAt(consent.scaAt)] }];
  return {
    id: consent.id,
    to: tppOf(state, consent),
    rows: [...askedByConsent(consent, population).rows, ...since],
    isValid: status === 'valid',
    status: STATUS_WORDS[status],
  };
}

function paymentOf({ state, population }: Books, payment: BankPayment, now: number): GivenPayment {
  const { rows } = askedByPayment(payment, population);
  const said = (term: string) => rows.find((row) => row.term === term)?.texts[0] ?? '';
  const code = paymentStatusAt(payment, now);
  return {
    through: tppOf(state, payment),
    amount: said('Amount'),
    to: said('To'),
    at: payment.authorisedAt === null ? '' : bankDateAt(payment.authorisedAt),
    status: { code, meaning: PAYMENT_STATUSES[code].meaning },
  };
}

/** The name of its certificate, where that gave one. */
function tppOf({ bankAuthorisations }: BankView, { tpp, authorisations }: BankConsent | BankPayment): string {
  const name = bankAuthorisations.get(authorisations.at(-1) ?? '')?.tppName;
  return name == null ? tpp : `${name} (${tpp})`;
}
