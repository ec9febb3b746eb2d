/** The PSU's own pages at the bank: it logs in, sees what it gave to TPPs, and takes it back. */
import {
  awaitsPsu,
  type BankAuthorisation,
  type BankChange,
  type Books,
  endConsent,
  type Psu,
} from '../../../bank/index.js';
import type { Call } from '../../../exchange/index.js';
import { SCA_SCENARIOS } from '../../../spec/index.js';
import type { Answered } from '../../answerer.js';
import type { LinksParts } from '../../emulator/links.js';
import { homePage } from '../../home-page.js';
import { createLogInAttempts, TOO_MANY_PASSWORDS, tryAgain } from '../../log-in-attempts.js';
import { answerPage, type Page } from '../../page.js';
import type { LivingBank, LivingHandler } from '../living.js';
import { endAsSet } from '../sca/end-sca.js';
import { FIELDS, readForm } from '../sca/frame.js';
import type { Tickets } from '../sca/tickets.js';
import { AUTHORISATION_FIELD, accessPage, CONSENT_FIELD, logInPage, TITLE } from './access-page.js';

/** The purpose of tickets on these pages. */
const PURPOSE = 'the access that a PSU gave';
const MOST_WRONG_PASSWORDS = 5;

export function createPsuPages(
  bank: LivingBank,
  tickets: Tickets,
  accessPath: string,
  urls: LinksParts['urls'],
): { readonly home: LivingHandler; readonly access: LivingHandler } {
  const bankName = bank.data.accounts.bank.name;
  const frame = { bank: bankName, action: accessPath };
  const attempts = createLogInAttempts(MOST_WRONG_PASSWORDS);

  const shown = (call: Call, page: Page, changes: readonly BankChange[] = []): Answered => ({
    answer: answerPage(call, 'emulator', 200, page),
    changes,
  });

  return {
    home: (call) =>
      shown(call, homePage(call, { bank: bankName, urls, access: { path: accessPath, title: TITLE } })),
    access: (call, { books, now }) => {
      const { state, population } = books;
      const logIn = (problem: string | null, login?: string) => logInPage(frame, population, problem, login);
      const overview = (psu: Psu, done: string | null) =>
        accessPage(frame, { books, psu, ticket: tickets.issue(PURPOSE, psu.id, now), done, now });
      if (call.request.method !== 'POST') return shown(call, logIn(null));
      const { text } = readForm(call);
      if (text(FIELDS.step) === 'login') {
        const login = text(FIELDS.login);
        const psu = population.psuByLogin(login);
        if (psu === undefined) return shown(call, logIn('The bank does not know this login.', login));
        const wait = attempts.waits(state, psu.id, now, call.id);
        if (wait > 0) return shown(call, logIn(`${TOO_MANY_PASSWORDS} ${tryAgain(wait)}`, login));
        if (psu.password !== text(FIELDS.password)) {
          attempts.failed(state, psu.id, call.id, now);
          return shown(call, logIn('The password is wrong.', login));
        }
        return shown(call, overview(psu, null));
      }
      const ticket = tickets.read(PURPOSE, text(FIELDS.ticket), now);
      const psu = ticket?.psu == null ? undefined : population.psu(ticket.psu);
      if (psu === undefined) return shown(call, logIn('That took too long. Please log in again.'));
      const step = text(FIELDS.step);
      if (step === 'confirm' || step === 'refuse') {
        const one = state.bankAuthorisations.get(text(AUTHORISATION_FIELD));
        const { done, changes } = answerTpp({ books, psu, now }, one, step);
        return state.seenWith(changes, () => shown(call, overview(psu, done), changes));
      }
      const consent = state.bankConsents.get(text(CONSENT_FIELD));
      const changes = consent?.psu === psu.id ? endConsent(consent, 'revokedByPsu', now) : [];
      if (changes.length === 0) return shown(call, overview(psu, 'This access had already ended.'));
      const done = 'Taken back. The application can no longer read your accounts.';
      return state.seenWith(changes, () => shown(call, overview(psu, done), changes));
    },
  };
}

/** The PSU confirms or refuses what the bank asks it. */
function answerTpp(
  { books, psu, now }: { books: Books; psu: Psu; now: number },
  authorisation: BankAuthorisation | undefined,
  step: 'confirm' | 'refuse',
) {
  if (authorisation?.psu !== psu.id || !awaitsPsu(authorisation, now))
    return { done: 'Nobody waits for this any more.', changes: [] };
  const outcome = step === 'refuse' ? 'SCA_CANCEL' : null;
  const ended = endAsSet(books, { authorisation, psu: psu.id, outcome }, now);
  const { meaning, information } = SCA_SCENARIOS[ended.outcome];
  return { done: `${meaning}. ${ended.reason ?? information}`, changes: ended.changes };
}
