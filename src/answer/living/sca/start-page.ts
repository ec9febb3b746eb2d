/** The first page of an SCA: the PSU logs in, or an outcome is taken by its name. */
import type { Psu } from '../../../bank/index.js';
import { counted, SCA_SCENARIO_IDS, type ScaScenario } from '../../../spec/index.js';
import { type Html, html } from '../../html.js';
import { outcomeChoices } from '../../outcome-choices.js';
import type { Page } from '../../page.js';
import { button, FIELDS, head, problemNotice, type ScaFrame, stepForm } from './frame.js';

export interface StartView {
  readonly ticket: string;
  /** Of the last attempt; null at the first. */
  readonly problem: string | null;
  /** What stands in the fields: the last attempt, or somebody who can authorise this. */
  readonly filled: { readonly login: string; readonly password: string };
  /** Some who can log in: it is a sandbox. */
  readonly known: readonly Psu[];
  /** How many there are in all. */
  readonly count: number;
  /** In whose name an outcome is taken. */
  readonly psu: string;
  readonly choice: ScaScenario;
  /** An outcome that was set ahead and waits for this SCA. */
  readonly ahead: ScaScenario | null;
  /** The outcomes stand open: one was being chosen. */
  readonly isChoosing: boolean;
}

export function startPage(frame: ScaFrame, view: StartView): Page {
  const main = html`${head(frame, 'login')}
${problemNotice(view.problem)}${stepForm(frame, view.ticket, {
  body: html`<h2>Log in to ${frame.bank}</h2>
${loginFields(view.filled)}`,
  next: 'login',
  label: 'Log in',
})}
${whoCanLogIn(view)}
<details${view.isChoosing && html` open`}><summary>Or choose how it ends: ${counted(SCA_SCENARIO_IDS.length, 'outcome')}</summary>
<p class="hint">Without logging in. Each outcome shows what the application gets.${
    view.ahead !== null && html` <strong>${view.ahead}</strong> was set ahead: a log-in will end so.`
  }</p>
${outcomeForm(frame, view)}
</details>`;
  return { title: frame.asked.title, main, bank: frame.bank };
}

/** Both fields of a log-in, on whichever page. */
export function loginFields({ login, password }: StartView['filled']): Html {
  return html`<p class="field"><label for="login">Login</label>
<input id="login" name="${FIELDS.login}" value="${login}" required maxlength="100" autocomplete="off" autocapitalize="none" spellcheck="false"></p>
<p class="field"><label for="password">Password</label>
<input id="password" name="${FIELDS.password}" type="password" value="${password}" required maxlength="100" autocomplete="off"></p>`;
}

export function whoCanLogIn({ known, count }: Pick<StartView, 'known' | 'count'>): Html {
  const rows = known.map(
    ({ id, name, login, password }) =>
      html`<tr><th scope="row">${name}</th><td>${id}</td><td>${login}</td><td>${password}</td></tr>\n`,
  );
  const rest = count - known.length;
  return html`<details><summary>Who can log in: this is a sandbox</summary>
<div class="wide" role="region" tabindex="0" aria-label="Who can log in"><table><thead><tr><th scope="col">Name</th><th scope="col">Id</th><th scope="col">Login</th><th scope="col">Password</th></tr></thead>
<tbody>${rows}</tbody></table></div>
${rest > 0 && html`<p class="soft">And ${rest} more: <code>sandgate bank psus</code> lists them.</p>`}
</details>`;
}

function outcomeForm({ action }: ScaFrame, { ticket, psu, choice, known }: StartView): Html {
  return html`<form method="post" action="${action}">
<input type="hidden" name="${FIELDS.ticket}" value="${ticket}">
<p class="field"><label for="psu">In the name of</label>
<input id="psu" name="${FIELDS.psu}" value="${psu}" list="psus" required maxlength="100" autocomplete="off" autocapitalize="none" spellcheck="false"></p>
<datalist id="psus">${known.map(({ id, name }) => html`<option value="${id}">${name}</option>`)}</datalist>
${outcomeChoices(choice)}
<p class="buttons">${button('choice', 'Continue')}</p>
</form>`;
}
