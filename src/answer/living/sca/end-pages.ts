/** The end of an SCA: what came of it, and what the TPP gets; and a page for whoever comes after it. */
import { SCA_SCENARIOS, type ScaScenario } from '../../../spec/index.js';
import { type Html, html } from '../../html.js';
import type { Page } from '../../page.js';
import { rowOf } from './frame.js';

export interface InformationView {
  readonly bank: string;
  readonly outcome: ScaScenario;
  /** Why the bank ended it otherwise than was asked for; null where it did not. */
  readonly reason: string | null;
  /** What the consent or the payment is from now on. */
  readonly becomes: string;
  /** The host of the TPP, or its app. */
  readonly at: string;
  /** The address that the 302 leads to, whole. */
  readonly redirect: string;
  /** Leads to that 302. */
  readonly next: string;
  /** The whole address that ends in the same way without any page. */
  readonly link: string;
}

/** Every scenario ends on an information page, and then in the 302 (§SCA outcomes). */
export function informationPage(view: InformationView): Page {
  const { bank, outcome, reason, becomes, at, redirect, next, link } = view;
  const { meaning, information, error, scaStatus } = SCA_SCENARIOS[outcome];
  const main = html`<h1>${meaning}</h1>
<p class="notice ${error === null ? 'good' : 'bad'}" role="status">${reason} ${information}</p>
<p>${becomes}</p>
<p>You will return to the application that sent you here, at <strong>${at}</strong>.</p>
<p><a class="button" href="${next}">Continue</a></p>
<section aria-labelledby="gets">
<h2 id="gets">What the application gets</h2>
<dl>${rowOf({ term: 'Outcome', texts: [outcome] })}${rowOf({ term: 'scaStatus', texts: [scaStatus] })}${parameters(redirect)}</dl>
${copyable('redirect', 'The redirect', redirect, 4)}
${copyable('link', 'For tests: the request that ends so, without these pages', link, 6)}
</section>`;
  return { title: meaning, main, bank };
}

function parameters(redirect: string): Html[] {
  const query = redirect.split('#', 1)[0]?.split('?')[1] ?? '';
  return [...new URLSearchParams(query)]
    .filter(([name]) => ['code', 'error', 'error_description', 'state'].includes(name))
    .map(([term, text]) => rowOf({ term, texts: [text] }));
}

/** Without script: it is focused, selected whole and copied. */
function copyable(id: string, label: string, text: string, rows: number): Html {
  return html`<p class="field"><label for="${id}">${label}</label>
<textarea id="${id}" class="copy" rows="${rows}" readonly spellcheck="false">${text}</textarea></p>`;
}

export interface EndedView {
  readonly bank: string;
  /** null: it ended because what it was for is over. */
  readonly outcome: ScaScenario | null;
  readonly becomes: string;
  /** In UTC, for people. */
  readonly endedAt: string;
  /** The host of the TPP, or its app; and the address there. */
  readonly at: string;
  readonly back: string;
}

/** No second code: what has ended is not done again. */
export function endedPage({ bank, outcome, becomes, endedAt, at, back }: EndedView): Page {
  const main = html`<h1>This authorisation has ended</h1>
<p class="notice" role="status">${outcome === null ? null : html`${SCA_SCENARIOS[outcome].meaning} (<code>${outcome}</code>), `}${endedAt}.</p>
<p>${becomes} Nothing more can be authorised here; the application can start a new authorisation.</p>
<p><a class="button" href="${back}">Back to ${at}</a></p>`;
  return { title: 'This authorisation has ended', main, bank };
}
