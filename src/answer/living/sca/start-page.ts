/** The first page of an SCA: the PSU logs in, or an outcome is taken by its name. */
import { nextOutcome, type Population, type Psu } from '../../../bank/index.js';
import { counted, SCA_SCENARIO_IDS, type ScaScenario } from '../../../spec/index.js';
import { type Html, html } from '../../html.js';
import { outcomeChoices } from '../../outcome-choices.js';
import type { Page } from '../../page.js';
import { button, FIELDS, head, problemNotice, stepForm } from './frame.js';
import { firstFitting, type Sca } from './sca.js';

/** The result of the last log-in attempt; absent before the first one. */
export interface LastAttempt {
  readonly problem?: string;
  /** The contents of the log-in fields. */
  readonly filled?: { readonly login: string; readonly password: string };
  /** In whose name an outcome is taken. */
  readonly psu?: string;
  readonly choice?: ScaScenario;
  /** The outcomes stand open: one was being chosen. */
  readonly isChoosing?: true;
}

const SHOWN_PSUS = 8;

export function startPage({ books, request, frame }: Sca, ticket: string, last: LastAttempt = {}): Page {
  const { population, state } = books;
  const fitting = firstFitting(books, request.authorisation);
  const shown = withFirst(fitting, shownPsus(population));
  const ahead = nextOutcome(state, { scope: request.scope, psu: fitting?.id ?? null });
  const main = html`${head(frame, 'login')}
${problemNotice(last.problem ?? null)}${stepForm(frame, ticket, {
  body: html`<h2>Log in to ${frame.bank}</h2>
${loginFields(last.filled ?? fitting)}`,
  next: 'login',
  label: 'Log in',
})}
${whoCanLogIn(shown, population.count)}
<details${last.isChoosing && html` open`}><summary>Or choose how it ends: ${counted(SCA_SCENARIO_IDS.length, 'outcome')}</summary>
<p class="hint">Without logging in. Each outcome shows what the application gets.${
    ahead && html` <strong>${ahead.scenario}</strong> was set ahead: a log-in will end so.`
  }</p>
<form method="post" action="${frame.action}">
<input type="hidden" name="${FIELDS.ticket}" value="${ticket}">
<p class="field"><label for="psu">In the name of</label>
<input id="psu" name="${FIELDS.psu}" value="${last.psu ?? fitting?.id}" list="psus" required maxlength="100" autocomplete="off" autocapitalize="none" spellcheck="false"></p>
<datalist id="psus">${shown.map(({ id, name }) => html`<option value="${id}">${name}</option>`)}</datalist>
${outcomeChoices(last.choice, request.plain)}
<p class="buttons">${button('choice', 'Continue')}</p>
</form>
</details>`;
  return { title: frame.asked.title, main, bank: frame.bank };
}

/** A sandbox shows some who can log in. */
export const shownPsus = (population: Population): readonly Psu[] => population.psus(0, SHOWN_PSUS);

function withFirst(first: Psu | undefined, shown: readonly Psu[]): readonly Psu[] {
  if (first === undefined || shown.some(({ id }) => id === first.id)) return shown;
  return [first, ...shown.slice(0, -1)];
}

/** Both fields of a log-in, on whichever page. */
export function loginFields(filled: LastAttempt['filled']): Html {
  return html`<p class="field"><label for="login">Login</label>
<input id="login" name="${FIELDS.login}" value="${filled?.login}" required maxlength="100" autocomplete="off" autocapitalize="none" spellcheck="false"></p>
<p class="field"><label for="password">Password</label>
<input id="password" name="${FIELDS.password}" type="password" value="${filled?.password}" required maxlength="100" autocomplete="off"></p>`;
}

/** `count`: how many there are in all. */
export function whoCanLogIn(shown: readonly Psu[], count: number): Html {
  const rows = shown.map(
    ({ id, name, login, password }) =>
      html`<tr><th scope="row">${name}</th><td>${id}</td><td>${login}</td><td>${password}</td></tr>\n`,
  );
  const rest = count - shown.length;
  return html`<details><summary>Who can log in: this is a sandbox</summary>
<div class="wide" role="region" tabindex="0" aria-label="Who can log in"><table><thead><tr><th scope="col">Name</th><th scope="col">Id</th><th scope="col">Login</th><th scope="col">Password</th></tr></thead>
<tbody>${rows}</tbody></table></div>
${rest > 0 && html`<p class="soft">And ${rest} more: <code>sandgate bank psus</code> lists them.</p>`}
</details>`;
}
