/** The pages after the log-in: the PSU selects accounts, and confirms with a second factor. */
import { type Account, type Psu, SECOND_FACTOR, selectable } from '../../../bank/index.js';
import { html } from '../../html.js';
import { type Page, spaced } from '../../page.js';
import { accountName } from './asked.js';
import { FIELDS, head, problemNotice, quietButton, rowOf, stepForm } from './frame.js';
import type { Sca } from './sca.js';

export interface LoggedIn {
  readonly sca: Sca;
  readonly ticket: string;
  readonly psu: Psu;
  /** Resource ids, as they came. */
  readonly accounts: readonly string[];
}

/** All that the PSU can choose. */
export const selectableBy = ({ sca, psu }: LoggedIn): readonly Account[] =>
  selectable(sca.books.population.accountsOf(psu.id));

/** The PSU's own among those that came; null where it has no choice. */
export function selectedOf(loggedIn: LoggedIn): readonly Account[] | null {
  if (!loggedIn.sca.isOpen) return null;
  return selectableBy(loggedIn).filter(({ resourceId }) => loggedIn.accounts.includes(resourceId));
}

export function accountsPage(loggedIn: LoggedIn, problem: string | null): Page {
  const { ticket, psu, accounts: selected } = loggedIn;
  const { frame } = loggedIn.sca;
  const choices = selectableBy(loggedIn).map(
    ({ resourceId, name, iban, currency, status }) =>
      html`<label><input type="checkbox" name="${FIELDS.account}" value="${resourceId}"${
        selected.includes(resourceId) && html` checked`
      }> <span class="line">${name}</span><span class="number">${spaced(iban)} · ${currency}</span>${
        status === 'blocked' &&
        html`<span class="soft">Blocked: it can be read, nothing can be paid from it.</span>`
      }</label>\n`,
  );
  const main = html`${head(frame, 'accounts')}
<p>Logged in as <strong>${psu.name}</strong>.</p>
${problemNotice(problem)}${stepForm(frame, ticket, {
  body: html`<fieldset class="accounts"><legend>Which accounts may be read?</legend>
${choices}</fieldset>`,
  next: 'accounts',
  label: 'Continue',
  more: quietButton('all', 'All accounts'),
})}`;
  return { title: `Choose accounts – ${frame.asked.title}`, main, bank: frame.bank };
}

/** The page shows the code as the message that a phone would get. */
export function confirmPage(loggedIn: LoggedIn, problem: string | null): Page {
  const { ticket, psu } = loggedIn;
  const { frame } = loggedIn.sca;
  const selected = selectedOf(loggedIn);
  const main = html`${head(frame, 'confirm')}
<p>Logged in as <strong>${psu.name}</strong>.</p>
${selected !== null && html`<dl>${rowOf({ term: 'You chose', texts: selected.map(accountName) })}</dl>`}
${problemNotice(problem)}${stepForm(frame, ticket, {
  body: html`${selected?.map(({ resourceId }) => html`<input type="hidden" name="${FIELDS.account}" value="${resourceId}">\n`)}<p class="hint">To your phone, by message: your code is <strong>${SECOND_FACTOR}</strong>.</p>
<p class="field"><label for="code">Code</label>
<input id="code" name="${FIELDS.code}" required maxlength="20" inputmode="numeric" autocomplete="one-time-code"></p>`,
  next: 'confirm',
  label: 'Confirm',
  ...(selected === null ? {} : { more: quietButton('again', 'Choose other accounts') }),
})}`;
  return { title: `Confirm – ${frame.asked.title}`, main, bank: frame.bank };
}
