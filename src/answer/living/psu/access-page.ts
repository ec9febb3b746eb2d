/** What a PSU sees at its bank, apart from any SCA: the access it gave to TPPs, and the payments it authorised. */
import { type Html, html } from '../../html.js';
import type { Page } from '../../page.js';
import type { AskedRow } from '../sca/asked.js';
import { FIELDS, problemNotice, rowOf } from '../sca/frame.js';
import { loginFields, type StartView, whoCanLogIn } from '../sca/start-page.js';

export const TITLE = 'Access that you gave';
/** Of the form that revokes, beside those of an SCA. */
export const CONSENT_FIELD = 'consent';
/** The buttons, by what they do. */
export type AccessAction = 'login' | 'revoke';

export interface AccessLogIn extends Pick<StartView, 'problem' | 'filled' | 'known' | 'count'> {
  readonly bank: string;
  readonly action: string;
}

export function accessLogInPage(view: AccessLogIn): Page {
  const { bank, action, problem, filled } = view;
  const main = html`<h1>${TITLE}</h1>
<p>Log in to see which applications may read your accounts, to take that back, and to see the payments that you authorised through them.</p>
${problemNotice(problem)}<form method="post" action="${action}">
${loginFields(filled)}
<p class="buttons">${actionButton('login', 'Log in')}</p>
</form>
${whoCanLogIn(view)}`;
  return { title: TITLE, main, bank };
}

export interface GivenAccess {
  readonly id: string;
  readonly to: string;
  readonly rows: readonly AskedRow[];
  readonly isValid: boolean;
  /** In words for the PSU. */
  readonly status: string;
}

export interface GivenPayment {
  readonly through: string;
  readonly amount: string;
  readonly to: string;
  readonly at: string;
  /** As the standard calls it, and what that means. */
  readonly status: { readonly code: string; readonly meaning: string };
}

export interface AccessOverview {
  readonly bank: string;
  readonly action: string;
  readonly ticket: string;
  readonly psu: string;
  /** What was just done; null where nothing was. */
  readonly done: string | null;
  /** Newest first. */
  readonly access: readonly GivenAccess[];
  readonly payments: readonly GivenPayment[];
}

export function accessPage(view: AccessOverview): Page {
  const { bank, psu, done, access, payments } = view;
  const valid = access.filter(({ isValid }) => isValid);
  const ended = access.filter(({ isValid }) => !isValid);
  const main = html`<h1>${TITLE}</h1>
<p>Logged in as <strong>${psu}</strong>.</p>
${done !== null && html`<p class="notice good" role="status">${done}</p>`}
${valid.length === 0 && html`<p>No application may read your accounts.</p>`}
${valid.map((one) => accessSection(view, one))}
${ended.length > 0 && html`<section aria-labelledby="ended"><h2 id="ended">Ended</h2>${ended.map(endedAccess)}</section>`}
<section aria-labelledby="payments"><h2 id="payments">Payments</h2>
${payments.length === 0 ? html`<p>You authorised no payment.</p>` : html`<ul>${payments.map(givenPayment)}</ul>`}</section>`;
  return { title: TITLE, main, bank };
}

function accessSection({ action, ticket }: AccessOverview, { id, to, rows }: GivenAccess): Html {
  return html`<section class="given" aria-labelledby="c-${id}"><h2 id="c-${id}">${to}</h2>
<dl>${rows.map(rowOf)}</dl>
<form method="post" action="${action}">
<input type="hidden" name="${FIELDS.ticket}" value="${ticket}">
<input type="hidden" name="${CONSENT_FIELD}" value="${id}">
<p class="buttons"><button type="submit" class="quiet" name="${FIELDS.step}" value="revoke" aria-describedby="c-${id}">Take back</button></p>
</form></section>`;
}

function endedAccess({ to, rows, status }: GivenAccess): Html {
  return html`<details><summary>${to}: ${status}</summary><dl>${rows.map(rowOf)}</dl></details>`;
}

function givenPayment({ amount, to, at, through, status }: GivenPayment): Html {
  return html`<li><span class="line"><strong>${amount}</strong> to ${to}</span>
<span class="soft line">${at}, through ${through}: <code>${status.code}</code> ${status.meaning}</span></li>\n`;
}

function actionButton(action: AccessAction, label: string): Html {
  return html`<button type="submit" name="${FIELDS.step}" value="${action}">${label}</button>`;
}
