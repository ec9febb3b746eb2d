/** The pages of the application. */
import type { Amount } from '../account-information.js';
import { type Html, html } from './html.js';
import type { AccountView } from './linked-bank.js';
import type { Order } from './orders.js';
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
  /** When they were read, epoch ms; null: never. */
  readonly readAt: number | null;
  readonly payments: readonly Order[];
  readonly problems: readonly (string | undefined)[];
}

export function homePage(session: Session, { accounts, readAt, payments, problems }: Home): string {
  return page(
    'Your money',
    html`${problems.flatMap((problem) => notice(problem) ?? [])}
<h2>Accounts</h2>
${
  accounts === null
    ? html`<p>No bank is linked.</p>${form(session, '/link', 'Link your bank')}`
    : html`${accountTable(accounts)}${age(readAt)}${form(session, '/link', 'Link again')} ${form(session, '/revoke', 'Unlink the bank')}`
}
<h2>Pay</h2>
${paymentForm(session, accounts?.[0]?.iban)}
${payments.length > 0 && html`<h2>Payments</h2>${paymentTable(payments)}`}`,
    session,
  );
}

const age = (readAt: number | null): Html =>
  readAt === null
    ? html`<p>Not read yet.</p>`
    : html`<p>As of ${new Date(readAt).toISOString().slice(0, 16).replace('T', ' ')} UTC.</p>`;

export function accountPage(session: Session, { resourceId, name, iban, transactions }: AccountView): string {
  const rows = transactions.map(
    (one) =>
      html`<tr><td>${one.bookingDate}</td><td>${one.creditorName ?? one.debtorName}</td><td>${
        one.remittanceInformationUnstructured
      }</td><td class="amount">${one.transactionAmount.amount} ${one.transactionAmount.currency}</td></tr>`,
  );
  return page(
    'Transactions',
    html`<p>${name ?? resourceId} ${iban}</p><div class="wide"><table><thead><tr><th>Day</th><th>With</th><th>For</th><th class="amount">Amount</th></tr></thead>
<tbody>${rows}</tbody></table></div>`,
    session,
  );
}

/** What a status means to who has paid; a code that is not here is shown as it is. */
const MEANINGS: Readonly<Record<string, string>> = {
  unknown: 'We do not know whether your bank has this payment.',
  RCVD: 'Your bank has no yes of yours for this payment. Nothing was paid.',
  PDNG: 'Your bank is looking at this payment.',
  PATC: 'Another signatory has to say yes to this payment.',
  RJCT: 'Your bank has rejected this payment. Nothing was paid.',
  CANC: 'This payment was cancelled. Nothing was paid.',
  ACSC: 'Your bank has taken this payment, and paid it.',
};
const TAKEN = new Set(['ACTC', 'ACCP', 'ACWC', 'ACWP', 'ACSP']);

export function orderPage(
  session: Session,
  { creditorName, amount, status }: Order,
  problem?: string,
): string {
  const meaning = TAKEN.has(status) ? 'Your bank has taken this payment.' : MEANINGS[status];
  return page(
    'Payment',
    html`${notice(problem)}<p>${amount} EUR to ${creditorName}: ${status}</p>
<p>${problem === undefined ? (meaning ?? 'Your bank says no more of this payment.') : 'We do not know yet what became of it.'}</p>
<p><a href="/">Back</a></p>`,
    session,
  );
}

export function problemPage(title: string, problem: string, session?: Session): string {
  return page(title, html`${notice(problem)}<p><a href="/">Back</a></p>`, session);
}

/** What is booked by now; the first of them where the bank does not say it. */
export const bookedOf = (balances: AccountView['balances']): Amount | undefined =>
  (balances.find(({ balanceType }) => balanceType === 'interimBooked') ?? balances[0])?.balanceAmount;
const text = (amount: Amount | undefined) => amount && `${amount.amount} ${amount.currency}`;

function accountTable(accounts: readonly AccountView[]): Html {
  const rows = accounts.map(
    ({ resourceId, iban, name, balances }) =>
      html`<tr><td><a href="/accounts/${encodeURIComponent(resourceId)}">${name ?? resourceId}</a></td><td>${iban}</td><td class="amount">${text(
        bookedOf(balances),
      )}</td></tr>`,
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

function paymentTable(payments: readonly Order[]): Html {
  const rows = payments.map(
    ({ reference, creditorName, amount, status }) =>
      html`<tr><td><a href="/payments/${reference}">${creditorName}</a></td><td class="amount">${amount} EUR</td><td>${status}</td></tr>`,
  );
  return html`<table><thead><tr><th>To</th><th class="amount">Amount</th><th>Status</th></tr></thead><tbody>${rows}</tbody></table>`;
}

function form({ formToken }: Session, action: string, label: string, kind = ''): Html {
  return html`<form method="post" action="${action}" class="${kind}">${token(formToken)}<button>${label}</button></form>`;
}

const token = (formToken: string): Html => html`<input type="hidden" name="formToken" value="${formToken}">`;

const notice = (problem: string | undefined): Html | undefined =>
  problem === undefined ? undefined : html`<p class="notice" role="alert">${problem}</p>`;
