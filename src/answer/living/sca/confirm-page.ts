/** The second factor: the PSU confirms with a code, which the page shows as the message that a phone would get. */
import { type Html, html } from '../../html.js';
import type { Page } from '../../page.js';
import { FIELDS, head, problemNotice, quietButton, rowOf, type ScaFrame, stepForm } from './frame.js';

export interface ConfirmView {
  readonly ticket: string;
  readonly problem: string | null;
  readonly psu: string;
  /** What a phone would have shown. */
  readonly code: string;
  /** The accounts that were selected; null where there was no choice. */
  readonly selected: readonly { readonly id: string; readonly name: string }[] | null;
}

export function confirmPage(frame: ScaFrame, view: ConfirmView): Page {
  const { problem, psu, code, selected, ticket } = view;
  const main = html`${head(frame, 'confirm')}
<p>Logged in as <strong>${psu}</strong>.</p>
${selected !== null && html`<dl>${rowOf({ term: 'You chose', texts: selected.map(({ name }) => name) })}</dl>`}
${problemNotice(problem)}${stepForm(frame, ticket, {
  body: html`${selected?.map(({ id }) => html`<input type="hidden" name="${FIELDS.account}" value="${id}">\n`)}<p class="hint">To your phone, by message: your code is <strong>${code}</strong>.</p>
<p class="field"><label for="code">Code</label>
<input id="code" name="${FIELDS.code}" required maxlength="20" inputmode="numeric" autocomplete="one-time-code"></p>`,
  next: 'confirm',
  label: 'Confirm',
  ...(selected === null ? {} : { more: otherAccounts() }),
})}`;
  return { title: `Confirm – ${frame.asked.title}`, main, bank: frame.bank };
}

function otherAccounts(): Html {
  return quietButton('again', 'Choose other accounts');
}
