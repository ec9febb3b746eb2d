/** The pages of the application. */
import type { Transaction } from '../account-information.js';
import { type Html, html } from './html.js';
import type { AccountView, PaymentView } from './linked-bank.js';
import type { Session } from './users.js';

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { max-width: 44rem; margin: 2rem auto; padding: 0 1rem; }
form.line { display: inline; }
label { display: block; margin: .5rem 0; }
input { font: inherit; padding: .3rem; width: 100%; max-width: 24rem; box-sizing: border-box; }
button { font: inherit; padding: .4rem 1rem; margin: .5rem 0; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .35rem .5rem .35rem 0; border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
td.amount, th.amount { text-align: right; font-variant-numeric: tabular-nums; }
.notice { border-left: .25rem solid; padding-left: 1rem; }
.wide { overflow-x: auto; }
`;

export function page(title: string, main: Html, session?: Session): string {
  const signOut =
    session &&
    html`<div>Signed in as <strong>${session.user.name}</strong> ${form(session, '/sign-out', 'Sign out', 'line')}</div>`;
  const whole = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title} – Purse</title><link rel="stylesheet" href="/style.css"></head>
<body><header><p><a href="/">Purse</a></p>${signOut}</header>
<main><h1>${title}</h1>${main}</main></body></html>`;
  return whole.html;
}

export const style = (): string => STYLE;

export function signInPage(problem?: string): string {
  return page(
    'Sign in',
    html`${notice(problem)}<form method="post" action="/sign-in">
<label>Name <input name="name" autocomplete="username" required></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<button>Sign in</button></form>
<p>This is an example: ada has the password <code>ada</code>, grace <code>grace</code>.</p>`,
  );
}

export interface Home {
  /** null: no bank is linked. */
  readonly accounts: readonly AccountView[] | null;
  readonly payments: readonly PaymentView[];
  readonly problem?: string | undefined;
}

export function homePage(session: Session, { accounts, payments, problem }: Home): string {
  return page(
    'Your money',
    html`${notice(problem)}
<h2>Accounts</h2>
${
  accounts === null
    ? html`<p>No bank is linked.</p>${form(session, '/link', 'Link your bank')}`
    : html`${accountTable(accounts)}${form(session, '/revoke', 'Unlink the bank')}`
}
<h2>Pay</h2>
${paymentForm(session, accounts?.[0]?.iban)}
${payments.length > 0 && html`<h2>Payments</h2>${paymentTable(payments)}`}`,
    session,
  );
}

export function accountPage(session: Session, account: string, transactions: readonly Transaction[]): string {
  const rows = transactions.map(
    (one) =>
      html`<tr><td>${one.bookingDate}</td><td>${one.creditorName ?? one.debtorName}</td><td>${
        one.remittanceInformationUnstructured
      }</td><td class="amount">${one.transactionAmount.amount} ${one.transactionAmount.currency}</td></tr>`,
  );
  return page(
    'Transactions',
    html`<p>Account ${account}</p><div class="wide"><table><thead><tr><th>Day</th><th>With</th><th>For</th><th class="amount">Amount</th></tr></thead>
<tbody>${rows}</tbody></table></div>`,
    session,
  );
}

export function problemPage(title: string, problem: string, session?: Session): string {
  return page(title, html`${notice(problem)}<p><a href="/">Back</a></p>`, session);
}

function accountTable(accounts: readonly AccountView[]): Html {
  const rows = accounts.map(
    ({ resourceId, iban, name, balances }) =>
      html`<tr><td><a href="/accounts/${encodeURIComponent(resourceId)}">${name ?? resourceId}</a></td><td>${iban}</td><td class="amount">${
        balances[0] && `${balances[0].balanceAmount.amount} ${balances[0].balanceAmount.currency}`
      }</td></tr>`,
  );
  return html`<div class="wide"><table><thead><tr><th>Account</th><th>IBAN</th><th class="amount">Balance</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

function paymentForm({ formToken }: Session, iban: string | undefined): Html {
  return html`<form method="post" action="/pay">${token(formToken)}
<label>From (IBAN) <input name="debtorIban" value="${iban ?? ''}" required></label>
<label>To (IBAN) <input name="creditorIban" required></label>
<label>Name <input name="creditorName" required maxlength="70"></label>
<label>Amount in EUR <input name="amount" inputmode="decimal" pattern="[0-9]+(\\.[0-9]{1,2})?" required></label>
<button>Pay</button></form>`;
}

function paymentTable(payments: readonly PaymentView[]): Html {
  const rows = payments.map(
    ({ order, status }) =>
      html`<tr><td>${order.creditorName}</td><td class="amount">${order.amount} EUR</td><td>${status}</td></tr>`,
  );
  return html`<table><thead><tr><th>To</th><th class="amount">Amount</th><th>Status</th></tr></thead><tbody>${rows}</tbody></table>`;
}

function form({ formToken }: Session, action: string, label: string, kind = ''): Html {
  return html`<form method="post" action="${action}" class="${kind}">${token(formToken)}<button>${label}</button></form>`;
}

const token = (formToken: string): Html => html`<input type="hidden" name="formToken" value="${formToken}">`;

const notice = (problem: string | undefined): Html | undefined =>
  problem === undefined ? undefined : html`<p class="notice" role="alert">${problem}</p>`;
