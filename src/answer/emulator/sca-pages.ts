/** The two pages of the mocked SCA, without script: the choice of an outcome, and the information page. */
import type { Answer, Call } from '../../exchange/index.js';
import {
  bankDayAt,
  type ConsentScope,
  SANDBOX,
  SANDBOX_PAYMENTS,
  SCA_SCENARIOS,
  type ScaScenario,
  sandboxConsent,
} from '../../spec/index.js';
import { type Html, html } from '../html.js';
import { givenBy, outcomeChoices } from '../outcome-choices.js';
import { answerPage, placeOf, spaced } from '../page.js';
import { appendQuery } from '../render.js';
import type { AuthorizeRequest } from './authorize-request.js';
import type { Bank } from './bank.js';
import { consentTerms } from './consent-terms.js';

/** Parameters of the pages themselves; all others are the TPP's and are carried along. */
const OWN_PARAMETERS = new Set(['choice', 'scenario']);

const TITLES = {
  AIS: 'Give access to your account information',
  PIS: 'Authorise a payment',
  PIIS: 'Allow confirmation of funds',
} as const;

const ACCESS: Record<ConsentScope, string> = {
  preselected: 'Details, balances and transactions of one account',
  allPsd2: 'Details, balances and transactions of all accounts',
  availableAccounts: 'The list of all accounts',
  availableAccountsWithBalances: 'The list of all accounts with their balances',
};

export function answerScaPage(bank: Bank, call: Call, request: AuthorizeRequest, now: number): Answer {
  const title = TITLES[request.resource?.service ?? 'AIS'];
  const main = html`<h1>${title}</h1>
<dl>${askedFor(bank, request, bankDayAt(now))}</dl>
<form method="get" action="${pagePath(bank, request)}">
${carried(call).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`)}
<h2 id="outcome">How should this end?</h2>
<p class="hint">At a real bank you would log in and confirm with a second factor. Here you choose the outcome.</p>
${outcomeChoices('SCA_OK', request.plain)}
<p class="in-sight"><button type="submit">Continue</button></p>
</form>`;
  return answerPage(call, 'emulator', 200, { title, main, bank: bank.data.accounts.bank.name });
}

export function answerInformationPage(
  bank: Bank,
  call: Call,
  request: AuthorizeRequest,
  choice: ScaScenario,
): Answer {
  const { meaning, information, error } = SCA_SCENARIOS[choice];
  const past = appendQuery(requestAgain(bank, call, request), { scenario: choice });
  const main = html`<h1>${meaning}</h1>
<p class="notice ${error === null ? 'good' : 'bad'}" role="status">${information}</p>
<p>You will return to the application that sent you here, at <strong>${placeOf(request.redirectUri)}</strong>.</p>
<p><a class="button" href="${past}">Continue</a></p>
<dl class="soft">${row('Simulated outcome', choice)}${row('The TPP gets', givenBy(choice, request.plain))}${row('At', request.redirectUri)}</dl>
<p class="soft">Without these pages the same comes of this address: <code>${past}</code></p>`;
  return answerPage(call, 'emulator', 200, { title: meaning, main, bank: bank.data.accounts.bank.name });
}

function carried(call: Call): readonly (readonly [string, string])[] {
  return call.request.query.filter(([name]) => !OWN_PARAMETERS.has(name));
}

/** The request as the TPP made it, without what was chosen on its pages. */
export function requestAgain(bank: Bank, call: Call, request: AuthorizeRequest): string {
  const query = new URLSearchParams(carried(call).map(([name, value]) => [name, value]));
  return `${pagePath(bank, request)}?${query}`;
}

function pagePath({ links: { dialect } }: Bank, { authorisationId, plain }: AuthorizeRequest): string {
  return dialect.pathOf(plain !== undefined ? 'sca.redirect' : 'oauth.authorize', { authorisationId });
}

function askedFor(bank: Bank, request: AuthorizeRequest, day: number): Html[] {
  const { clientId, flow, resource, redirectUri } = request;
  const asker = flow !== undefined && flow.tpp !== clientId ? `${clientId} (${flow.tpp})` : clientId;
  return [
    row('Asked by', asker || 'An application that does not name itself'),
    row('At', placeOf(redirectUri)),
    ...(resource?.service === 'PIS' ? paymentRows(bank, resource.id) : consentRows(bank, resource, day)),
    row('Scope', request.scope),
  ];
}

function paymentRows({ data }: Bank, id: string): Html[] {
  const product = SANDBOX_PAYMENTS.get(id)?.product;
  if (product === undefined) return [];
  const { instructedAmount, creditorName, creditorAccount, debtorAccount } = data.payments[product];
  const to = 'iban' in creditorAccount ? spaced(creditorAccount.iban) : creditorAccount.bban;
  return [
    html`<dt>Amount</dt><dd class="amount">${instructedAmount.amount} ${instructedAmount.currency}</dd>\n`,
    row('To', `${creditorName}, ${to}`),
    row('From', spaced(debtorAccount.iban)),
  ];
}

function consentRows(bank: Bank, resource: AuthorizeRequest['resource'], day: number): Html[] {
  const consent = sandboxConsent(resource?.id ?? '');
  if (resource === null || consent === undefined) return [];
  if (resource.service === 'PIIS') return [row('Access', 'Whether an amount is available, yes or no')];
  const { scope } = consent;
  const { validUntil, frequencyPerDay } = consentTerms(bank, consent, day);
  const account = bank.data.accounts.accounts.find(({ resourceId }) => resourceId === SANDBOX.accountId);
  return [
    row('Access', ACCESS[scope]),
    ...(scope === 'preselected' && account
      ? [row('Account', `${account.name}, ${spaced(account.iban)}`)]
      : []),
    row('Until', validUntil),
    row('Without you', `at most ${frequencyPerDay} times a day`),
  ];
}

function row(term: string, description: string): Html {
  return html`<dt>${term}</dt><dd>${description}</dd>\n`;
}
