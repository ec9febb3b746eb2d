/** The pages of an SCA as it stands. */
import {
  type Account,
  nextOutcome,
  type Psu,
  SECOND_FACTOR,
  scaEndsAt,
  selectable,
} from '../../../bank/index.js';
import { type Page, spaced } from '../../page.js';
import { accountsPage } from './accounts-page.js';
import { accountName } from './asked.js';
import { confirmPage } from './confirm-page.js';
import { endedPage, informationPage } from './end-pages.js';
import { type ScaEnd, wayBack } from './end-sca.js';
import { firstFitting, type Sca } from './sca.js';
import { addressOf } from './sca-request.js';
import { type StartView, startPage } from './start-page.js';
import { whatBecomes } from './what-becomes.js';

const SHOWN_PSUS = 8;

export function startPageOf(sca: Sca, ticket: string, given: Partial<StartView> = {}): Page {
  const { books, request, frame } = sca;
  const { population, state } = books;
  const fitting = firstFitting(books, request.authorisation);
  const ahead = nextOutcome(state, { scope: request.scope, psu: fitting?.id ?? null });
  return startPage(frame, {
    ticket,
    problem: null,
    filled: { login: fitting?.login ?? '', password: fitting?.password ?? '' },
    known: withFirst(fitting, population.psus(0, SHOWN_PSUS)),
    count: population.count,
    psu: fitting?.id ?? '',
    choice: 'SCA_OK',
    ahead: ahead?.scenario ?? null,
    isChoosing: false,
    ...given,
  });
}

function withFirst(first: Psu | undefined, known: readonly Psu[]): readonly Psu[] {
  if (first === undefined || known.some(({ id }) => id === first.id)) return known;
  return [first, ...known.slice(0, -1)];
}

/** What the pages after the log-in are made with. */
export interface LoggedIn {
  readonly sca: Sca;
  readonly ticket: string;
  readonly psu: Psu;
  /** Resource ids, as they came. */
  readonly accounts: readonly string[];
}

/** The PSU's own among those that came; null where it has no choice. */
export function selectedOf({ sca, psu, accounts }: LoggedIn): readonly Account[] | null {
  if (!sca.isOpen) return null;
  return selectable(sca.books.population.accountsOf(psu.id)).filter(({ resourceId }) =>
    accounts.includes(resourceId),
  );
}

/** All that the PSU can choose. */
export const allOf = ({ sca, psu }: LoggedIn): readonly string[] =>
  selectable(sca.books.population.accountsOf(psu.id)).map(({ resourceId }) => resourceId);

export function accountsPageOf(
  { sca, ticket, psu, accounts: selected }: LoggedIn,
  problem: string | null,
): Page {
  const accounts = selectable(sca.books.population.accountsOf(psu.id)).map((account) => ({
    id: account.resourceId,
    name: account.name,
    number: `${spaced(account.iban)} · ${account.currency}`,
    remark: account.status === 'blocked' ? 'Blocked: it can be read, nothing can be paid from it.' : null,
  }));
  return accountsPage(sca.frame, { ticket, problem, psu: psu.name, accounts, selected });
}

export function confirmPageOf(loggedIn: LoggedIn, problem: string | null): Page {
  const { sca, ticket, psu } = loggedIn;
  const selected = selectedOf(loggedIn);
  return confirmPage(sca.frame, {
    ticket,
    problem,
    psu: psu.name,
    code: SECOND_FACTOR,
    selected: selected?.map((account) => ({ id: account.resourceId, name: accountName(account) })) ?? null,
  });
}

export interface EndShown extends Omit<ScaEnd, 'changes'> {
  readonly psu: string | null;
  readonly accounts: readonly string[] | undefined;
}

/** `origin`: start of the PSU listener's addresses. */
export function informationPageOf(
  { call, frame, books, request, now }: Sca,
  origin: string,
  shown: EndShown,
): Page {
  const { outcome, reason, redirect, code, psu, accounts } = shown;
  const link = { scenario: outcome, psu: psu ?? undefined, accounts: accounts?.join(',') };
  return informationPage({
    bank: frame.bank,
    outcome,
    reason,
    becomes: whatBecomes(books, request.authorisation, now),
    at: frame.at,
    redirect,
    next: addressOf(call, { scenario: outcome, authorisation_code: code ?? undefined }),
    link: `${origin}${addressOf(call, link)}`,
  });
}

export function endedPageOf({ books, frame, request, outcome, now }: Sca): Page {
  const at = scaEndsAt(request.authorisation);
  return endedPage({
    bank: frame.bank,
    outcome,
    becomes: whatBecomes(books, request.authorisation, now),
    endedAt: `on ${new Date(at).toISOString().slice(0, 16).replace('T', ' at ')} UTC`,
    at: frame.at,
    back: wayBack(request, outcome),
  });
}
