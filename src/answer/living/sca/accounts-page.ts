/** The PSU selects the accounts that a consent gives access to. */
import { html } from '../../html.js';
import type { Page } from '../../page.js';
import { FIELDS, head, problemNotice, quietButton, type ScaFrame, stepForm } from './frame.js';

export interface SelectableAccount {
  readonly id: string;
  readonly name: string;
  /** As people read it. */
  readonly number: string;
  /** What is to be known before choosing it: `blocked`, a foreign currency; null where nothing is. */
  readonly remark: string | null;
}

export interface AccountsView {
  readonly ticket: string;
  readonly problem: string | null;
  readonly psu: string;
  readonly accounts: readonly SelectableAccount[];
  readonly selected: readonly string[];
}

export function accountsPage(frame: ScaFrame, view: AccountsView): Page {
  const { problem, psu, accounts, selected, ticket } = view;
  const choices = accounts.map(
    ({ id, name, number, remark }) =>
      html`<label><input type="checkbox" name="${FIELDS.account}" value="${id}"${
        selected.includes(id) && html` checked`
      }> <span class="line">${name}</span><span class="number">${number}</span>${
        remark !== null && html`<span class="soft">${remark}</span>`
      }</label>\n`,
  );
  const main = html`${head(frame, 'accounts')}
<p>Logged in as <strong>${psu}</strong>.</p>
${problemNotice(problem)}${stepForm(frame, ticket, {
  body: html`<fieldset class="accounts"><legend>Which accounts may be read?</legend>
${choices}</fieldset>`,
  next: 'accounts',
  label: 'Continue',
  more: quietButton('all', 'All accounts'),
})}`;
  return { title: `Choose accounts – ${frame.asked.title}`, main, bank: frame.bank };
}
