/** A PSU's own page at its bank, apart from any SCA: its consents for TPPs, and its authorised payments. */
import {
  awaitsPsu,
  type BankAuthorisation,
  type BankConsent,
  type BankPayment,
  type BankView,
  type Books,
  bankNameOf,
  consentStatusAt,
  type Population,
  type Psu,
  paymentStatusAt,
} from '../../../bank/index.js';
import { bankDateAt, type ConsentStatus, PAYMENT_STATUSES } from '../../../spec/index.js';
import { type Html, html } from '../../html.js';
import type { Page } from '../../page.js';
import { askedByConsent, askedByPayment } from '../sca/asked.js';
import { FIELDS, problemNotice, rowOf } from '../sca/frame.js';
import { askedFor } from '../sca/sca.js';
import { loginFields, shownPsus, whoCanLogIn } from '../sca/start-page.js';

export const TITLE = 'Access that you gave';
/** The field of the form that revokes, beside those of an SCA. */
export const CONSENT_FIELD = 'consent';
/** The field of the forms that confirm and refuse. */
export const AUTHORISATION_FIELD = 'authorisation';
const MOST_SHOWN = 50;

/** The parts of every page: the bank's name and the targets of its forms. */
interface Frame {
  readonly bank: string;
  readonly action: string;
}

/** `login`: what the last attempt gave; at the first, somebody's login is filled in. */
export function logInPage(
  { bank, action }: Frame,
  population: Population,
  problem: string | null,
  login?: string,
): Page {
  const shown = shownPsus(population);
  const main = html`<h1>${TITLE}</h1>
<p>Log in to see which applications may read your accounts, to take that back, and to see the payments that you authorised through them.</p>
${problemNotice(problem)}<form method="post" action="${action}">
${loginFields(login === undefined ? shown[0] : { login, password: '' })}
<p class="buttons"><button type="submit" name="${FIELDS.step}" value="login">Log in</button></p>
</form>
${whoCanLogIn(shown, population.count)}`;
  return { title: TITLE, main, bank };
}

/** `done`: what was just done; null where nothing was. Access and payments stand newest first. */
export function accessPage(
  { bank, action }: Frame,
  {
    books,
    psu,
    ticket,
    done,
    now,
  }: { books: Books; psu: Psu; ticket: string; done: string | null; now: number },
): Page {
  const { bankConsents, bankPayments, bankAuthorisations } = books.state;
  const newest = <Fact>(facts: Iterable<Fact>): Fact[] => [...facts].reverse().slice(0, MOST_SHOWN);
  const consents = newest(bankConsents.all(bankNameOf.psu(psu.id)));
  const payments = newest(bankPayments.all(bankNameOf.psu(psu.id)));
  const open = newest(bankAuthorisations.all(bankNameOf.psu(psu.id))).filter((one) => awaitsPsu(one, now));
  const valid = consents.filter((consent) => consentStatusAt(consent, now) === 'valid');
  const ended = consents.filter((consent) => !valid.includes(consent));
  const main = html`<h1>${TITLE}</h1>
<p>Logged in as <strong>${psu.name}</strong>.</p>
${done !== null && html`<p class="notice good" role="status">${done}</p>`}
${open.map((one) => confirmation(books, one, action, ticket))}
${valid.length === 0 && html`<p>No application may read your accounts.</p>`}
${valid.map((consent) => validAccess(books, consent, action, ticket))}
${ended.length > 0 && html`<section aria-labelledby="ended"><h2 id="ended">Ended</h2>${ended.map((consent) => endedAccess(books, consent, now))}</section>`}
<section aria-labelledby="payments"><h2 id="payments">Payments</h2>
${payments.length === 0 ? html`<p>You authorised no payment.</p>` : html`<ul>${payments.map((payment) => authorisedPayment(books, payment, now))}</ul>`}</section>`;
  return { title: TITLE, main, bank };
}

/** Something that a TPP asks for by the decoupled approach. */
function confirmation(books: Books, authorisation: BankAuthorisation, action: string, ticket: string): Html {
  const { id, tpp, tppName } = authorisation;
  const { title, rows } = askedFor(books, authorisation);
  const asker = tppName === null ? tpp : `${tppName} (${tpp})`;
  return html`<section class="given" aria-labelledby="a-${id}"><h2 id="a-${id}">${title}</h2>
<dl>${rowOf({ term: 'Asked by', texts: [asker] })}${rows.map(rowOf)}</dl>
<form method="post" action="${action}">
<input type="hidden" name="${FIELDS.ticket}" value="${ticket}">
<input type="hidden" name="${AUTHORISATION_FIELD}" value="${id}">
<p class="buttons"><button type="submit" name="${FIELDS.step}" value="confirm" aria-describedby="a-${id}">Confirm</button>
<button type="submit" class="quiet" name="${FIELDS.step}" value="refuse" aria-describedby="a-${id}">Refuse</button></p>
</form></section>`;
}

function validAccess(books: Books, consent: BankConsent, action: string, ticket: string): Html {
  const { id } = consent;
  return html`<section class="given" aria-labelledby="c-${id}"><h2 id="c-${id}">${tppOf(books.state, consent)}</h2>
${accessRows(books, consent)}
<form method="post" action="${action}">
<input type="hidden" name="${FIELDS.ticket}" value="${ticket}">
<input type="hidden" name="${CONSENT_FIELD}" value="${id}">
<p class="buttons"><button type="submit" class="quiet" name="${FIELDS.step}" value="revoke" aria-describedby="c-${id}">Take back</button></p>
</form></section>`;
}

const STATUS_WORDS = {
  received: 'not agreed to yet',
  partiallyAuthorised: 'not agreed to by all yet',
  valid: 'in force',
  rejected: 'not agreed to',
  revokedByPsu: 'taken back by you',
  expired: 'over, or replaced by a newer one',
  terminatedByTpp: 'ended by the application',
} as const satisfies Record<ConsentStatus, string>;

function endedAccess(books: Books, consent: BankConsent, now: number): Html {
  const status = STATUS_WORDS[consentStatusAt(consent, now)];
  return html`<details><summary>${tppOf(books.state, consent)}: ${status}</summary>${accessRows(books, consent)}</details>`;
}

function accessRows({ population }: Books, consent: BankConsent): Html {
  const { scaAt } = consent;
  return html`<dl>${askedByConsent(consent, population).rows.map(rowOf)}${
    scaAt !== null && rowOf({ term: 'Given on', texts: [bankDateAt(scaAt)] })
  }</dl>`;
}

function authorisedPayment({ state, population }: Books, payment: BankPayment, now: number): Html {
  const { rows } = askedByPayment(payment, population);
  const said = (term: string) => rows.find((row) => row.term === term)?.texts[0];
  const code = paymentStatusAt(payment, now);
  const { authorisedAt } = payment;
  return html`<li><span class="line"><strong>${said('Amount')}</strong> to ${said('To')}</span>
<span class="soft line">${authorisedAt !== null && bankDateAt(authorisedAt)}, through ${tppOf(state, payment)}: <code>${code}</code> ${PAYMENT_STATUSES[code].meaning}</span></li>\n`;
}

/** The name of its certificate, where that gave one. */
function tppOf({ bankAuthorisations }: BankView, { tpp, authorisations }: BankConsent | BankPayment): string {
  const name = bankAuthorisations.get(authorisations.at(-1) ?? '')?.tppName;
  return name == null ? tpp : `${name} (${tpp})`;
}
