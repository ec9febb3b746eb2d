/** The end of an SCA: what came of it, and what the TPP gets; and a page for whoever comes after it. */
import {
  type BankAuthorisation,
  type BankConsent,
  type BankPayment,
  type Books,
  consentStatusAt,
  paymentStatusAt,
  scaEndsAt,
} from '../../../bank/index.js';
import { CONSENT_STATUSES, PAYMENT_STATUSES, SCA_SCENARIOS } from '../../../spec/index.js';
import { type Html, html } from '../../html.js';
import type { Page } from '../../page.js';
import { type ScaEnd, wayBack } from './end-sca.js';
import { rowOf } from './frame.js';
import type { Sca } from './sca.js';
import { addressOf } from './sca-request.js';

export interface EndShown extends Omit<ScaEnd, 'changes'> {
  readonly psu: string | null;
  readonly accounts: readonly string[] | undefined;
}

/** Every scenario ends on an information page, and then in the 302 (§SCA outcomes). `origin`: start of the PSU listener's addresses. */
export function informationPage(
  { call, frame, books, request, now }: Sca,
  origin: string,
  { outcome, reason, redirect, code, psu, accounts }: EndShown,
): Page {
  const { meaning, information, error } = SCA_SCENARIOS[outcome];
  const { status: scaStatus } =
    books.state.bankAuthorisations.get(request.authorisation.id) ?? request.authorisation;
  const next = addressOf(call, { scenario: outcome, authorisation_code: code ?? undefined });
  const withoutPages = { scenario: outcome, psu: psu ?? undefined, accounts: accounts?.join(',') };
  const main = html`<h1>${meaning}</h1>
<p class="notice ${error === null ? 'good' : 'bad'}" role="status">${reason} ${information}</p>
<p>${whatBecomes(books, request.authorisation, now)}</p>
<p>You will return to the application that sent you here, at <strong>${frame.at}</strong>.</p>
<p><a class="button" href="${next}">Continue</a></p>
<section aria-labelledby="gets">
<h2 id="gets">What the application gets</h2>
<dl>${rowOf({ term: 'Outcome', texts: [outcome] })}${rowOf({ term: 'scaStatus', texts: [scaStatus] })}${parameters(redirect)}</dl>
${copyable('redirect', 'The redirect', redirect, 4)}
${copyable('link', 'For tests: the request that ends so, without these pages', `${origin}${addressOf(call, withoutPages)}`, 6)}
</section>`;
  return { title: meaning, main, bank: frame.bank };
}

function parameters(redirect: string): Html[] {
  const query = redirect.split('#', 1)[0]?.split('?')[1] ?? '';
  return [...new URLSearchParams(query)]
    .filter(([name]) => ['code', 'confirmationCode', 'error', 'error_description', 'state'].includes(name))
    .map(([term, text]) => rowOf({ term, texts: [text] }));
}

/** Without script: it is focused, selected whole and copied. */
function copyable(id: string, label: string, text: string, rows: number): Html {
  return html`<p class="field"><label for="${id}">${label}</label>
<textarea id="${id}" class="copy" rows="${rows}" readonly spellcheck="false">${text}</textarea></p>`;
}

/** No second code: what has ended is not done again. */
export function endedPage({ books, frame, request, outcome, now }: Sca): Page {
  const endedAt = new Date(scaEndsAt(request.authorisation)).toISOString().slice(0, 16).replace('T', ' at ');
  const main = html`<h1>This authorisation has ended</h1>
<p class="notice" role="status">${outcome === null ? null : html`${SCA_SCENARIOS[outcome].meaning} (<code>${outcome}</code>), `}on ${endedAt} UTC.</p>
<p>${whatBecomes(books, request.authorisation, now)} Nothing more can be authorised here${isFinal(books, request.authorisation, now) ? '.' : '; the application can start a new authorisation.'}</p>
<p><a class="button" href="${wayBack(request, outcome)}">Back to ${frame.at}</a></p>`;
  return { title: 'This authorisation has ended', main, bank: frame.bank };
}

/** Nothing can be authorised any more; a PSU who wants it all the same has to begin at the application. */
function isFinal({ state }: Books, { of, resource }: BankAuthorisation, now: number): boolean {
  const consent = of === 'consent' ? state.bankConsents.get(resource) : undefined;
  if (consent !== undefined) return CONSENT_STATUSES[consentStatusAt(consent, now)].final;
  const payment = state.bankPayments.get(resource);
  return payment !== undefined && PAYMENT_STATUSES[paymentStatusAt(payment, now)].final;
}

/** The consent or the payment from now on, in a sentence to the PSU. */
function whatBecomes({ state }: Books, { id, of, resource }: BankAuthorisation, now: number): string {
  if (state.bankAuthorisations.get(id)?.status === 'unconfirmed')
    return 'It counts once the application has confirmed it, by the code that it gets.';
  const consent = of === 'consent' ? state.bankConsents.get(resource) : undefined;
  if (consent !== undefined) return ofConsent(consent, now);
  const payment = state.bankPayments.get(resource);
  return payment === undefined ? '' : ofPayment(payment, of === 'payment', now);
}

function ofConsent(consent: BankConsent, now: number): string {
  const status = consentStatusAt(consent, now);
  switch (status) {
    case 'valid':
      return `The consent is valid until ${consent.validUntil}. You can take it back here at any time.`;
    case 'received':
      return 'The consent is not given: it still waits for an authorisation.';
    default:
      return `The consent is ${status}, so nothing can be read with it. ${CONSENT_STATUSES[status].meaning}.`;
  }
}

function ofPayment(payment: BankPayment, isAuthorisation: boolean, now: number): string {
  const status = paymentStatusAt(payment, now);
  const stands = `${PAYMENT_STATUSES[status].meaning} (${status})`;
  if (status === 'RJCT' || status === 'CANC') return `The payment will not be executed: ${stands}.`;
  if (status === 'RCVD' || status === 'PATC')
    return `The payment still waits for its authorisation: ${stands}.`;
  return `The payment ${isAuthorisation ? 'goes on' : 'is not cancelled'}: ${stands}.`;
}
