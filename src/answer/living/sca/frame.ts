/** The common frame of an SCA's pages: subject, steps, form with a way out, posted fields. */
import type { Call } from '../../../exchange/index.js';
import { type Html, html } from '../../html.js';
import type { Asked, AskedRow } from './asked.js';

const STEPS = { login: 'Log in', accounts: 'Choose accounts', confirm: 'Confirm' } as const;
export type StepName = keyof typeof STEPS;

export interface ScaFrame {
  /** The bank's name. */
  readonly bank: string;
  /** The target of the forms: the authorization request itself, as it came. */
  readonly action: string;
  /** The TPP, as people and as machines know it. */
  readonly by: { readonly name: string | null; readonly id: string };
  /** The address to which the PSU returns. */
  readonly at: string;
  readonly asked: Asked;
  readonly steps: readonly StepName[];
}

/** The fields of the forms, as they are posted. */
export const FIELDS = {
  /** Which button was pressed. */
  step: 'step',
  /** Who has logged in; see `tickets.ts`. */
  ticket: 'sca_token',
  login: 'login',
  password: 'password',
  account: 'account',
  code: 'otp',
  choice: 'choice',
  psu: 'psu',
} as const;

/** The buttons, by what they do. */
const ACTIONS = ['login', 'accounts', 'all', 'confirm', 'again', 'cancel', 'choice'] as const;
export type StepAction = (typeof ACTIONS)[number];

/** Heading, what is asked for, and where the PSU stands on the way. */
export function head({ asked, by, at, steps }: ScaFrame, current: StepName): Html {
  const asker = by.name === null ? by.id : `${by.name} (${by.id})`;
  const places = steps.map((name) =>
    name === current ? html`<li aria-current="step">${STEPS[name]}</li>` : html`<li>${STEPS[name]}</li>`,
  );
  return html`<h1>${asked.title}</h1>
<ol class="steps">${places}</ol>
<dl>${rowOf({ term: 'Asked by', texts: [asker] })}${rowOf({ term: 'Leads back to', texts: [at] })}${asked.rows.map(rowOf)}</dl>`;
}

export function rowOf({ term, texts, isAmount }: AskedRow): Html {
  const lines = texts.map((text) => html`<span class="line">${text}</span>`);
  return isAmount === true
    ? html`<dt>${term}</dt><dd class="amount">${lines}</dd>\n`
    : html`<dt>${term}</dt><dd>${lines}</dd>\n`;
}

/** The problem with the last step, announced to screen readers too. */
export function problemNotice(problem: string | null): Html | null {
  return problem === null ? null : html`<p class="notice bad" role="alert">${problem}</p>\n`;
}

/** A form that leads on, or out: whoever cancels need fill in nothing. */
export function stepForm(
  { action }: ScaFrame,
  ticket: string,
  parts: { readonly body: Html; readonly next: StepAction; readonly label: string; readonly more?: Html },
): Html {
  const { body, next, label, more } = parts;
  return html`<form method="post" action="${action}">
<input type="hidden" name="${FIELDS.ticket}" value="${ticket}">
${body}
<p class="buttons">${button(next, label)}${more}${quietButton('cancel', 'Cancel')}</p>
</form>`;
}

export function button(step: StepAction, label: string): Html {
  return html`<button type="submit" name="${FIELDS.step}" value="${step}">${label}</button>\n`;
}

export function quietButton(step: StepAction, label: string): Html {
  return html`<button type="submit" class="quiet" name="${FIELDS.step}" value="${step}" formnovalidate>${label}</button>\n`;
}

const MOST_VALUES = 1_000;

/** `text`: the first value of a field, without blanks around it, or nothing; `all`: its values, bounded in number. */
export function readForm({ content }: Call) {
  const fields = content.kind === 'form' ? content.fields : [];
  return {
    text: (field: string): string => fields.find(([name]) => name === field)?.[1].trim() ?? '',
    all: (field: string): readonly string[] =>
      fields
        .filter(([name]) => name === field)
        .slice(0, MOST_VALUES)
        .map(([, value]) => value),
  };
}

export type StepForm = ReturnType<typeof readStepForm>;

/** A form of an SCA; `action` is undefined where no button of these pages was pressed. */
export function readStepForm(call: Call) {
  const { text, all } = readForm(call);
  const step = text(FIELDS.step);
  return {
    action: ACTIONS.find((action) => action === step),
    text: (field: keyof typeof FIELDS) => text(FIELDS[field]),
    accounts: all(FIELDS.account),
  };
}
