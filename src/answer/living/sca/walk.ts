/** The steps of an SCA as the PSU takes them: each form leads to the next page, and changes what is known. */
import {
  authorisationChange,
  type BankAuthorisation,
  type BankChange,
  countAttempt,
  moveSca,
  nextOutcome,
  SECOND_FACTOR,
} from '../../../bank/index.js';
import type { Fingerprint } from '../../../exchange/index.js';
import { counted, isScaScenario, type ScaScenario, scaScenarioRow } from '../../../spec/index.js';
import { MOST_ATTEMPTS } from '../../emulator/sca-steps.js';
import type { Page } from '../../page.js';
import { endedPage, informationPage } from './end-pages.js';
import { end, givesCode, redirectOf } from './end-sca.js';
import type { StepForm } from './frame.js';
import { misfitOf, type Sca } from './sca.js';
import { type LastAttempt, startPage } from './start-page.js';
import { accountsPage, confirmPage, type LoggedIn, selectableBy, selectedOf } from './step-pages.js';
import type { Ticket, Tickets } from './tickets.js';

export interface WalkParts {
  readonly tickets: Tickets;
  readonly fingerprint: Fingerprint;
  /** Start of the PSU listener's addresses. */
  readonly origin: () => string;
}

export interface Step {
  readonly page: Page;
  readonly changes: readonly BankChange[];
}

interface Walk extends WalkParts {
  readonly sca: Sca;
  readonly form: StepForm;
  readonly ticket: Ticket;
}

export function takeStep(parts: WalkParts, sca: Sca, form: StepForm): Step {
  const { id } = sca.request.authorisation;
  const ticket = parts.tickets.read(id, form.text('ticket'), sca.now);
  if (sca.outcome !== null) return shows(endedAgain(parts, sca, ticket, form.accounts));
  if (ticket === undefined) return start(parts, sca, { problem: 'That took too long. Please start again.' });
  const walk: Walk = { ...parts, sca, form, ticket };
  switch (form.action) {
    case 'login':
      return logIn(walk);
    case 'accounts':
      return afterLogIn(walk, (loggedIn) =>
        selectedOf(loggedIn)?.length === 0
          ? shows(accountsPage(loggedIn, 'Choose at least one account.'))
          : askForCode(walk, loggedIn),
      );
    case 'all':
      return afterLogIn(walk, (loggedIn) =>
        askForCode(walk, {
          ...loggedIn,
          accounts: selectableBy(loggedIn).map(({ resourceId }) => resourceId),
        }),
      );
    case 'again':
      return afterLogIn(walk, (loggedIn) => shows(accountsPage(loggedIn, null)));
    case 'confirm':
      return afterLogIn(walk, (loggedIn) => confirm(walk, loggedIn));
    case 'cancel':
      return finish(walk, ticket.psu === null ? 'LOGIN_CANCEL' : 'SCA_CANCEL', ticket.psu);
    case 'choice':
      return choose(walk);
    case undefined:
      return start(parts, sca);
  }
}

const shows = (page: Page): Step => ({ page, changes: [] });

function start({ tickets }: WalkParts, sca: Sca, last?: LastAttempt): Step {
  return shows(startPage(sca, tickets.issue(sca.request.authorisation.id, null, sca.now), last));
}

function logIn(walk: Walk): Step {
  const { sca, form, tickets } = walk;
  const { books, request, now } = sca;
  const [login, password] = [form.text('login'), form.text('password')];
  const psu = books.population.psuByLogin(login);
  const again = (problem: string) => start(walk, sca, { problem, filled: { login, password: '' } }).page;
  if (psu === undefined) return fail(walk, 'UNKNOWN_LOGIN', 'The bank does not know this login.', again);
  if (psu.password !== password) {
    const identified = moveSca(request.authorisation, { status: 'psuIdentified', psu: psu.id }, now);
    return fail(walk, 'BAD_PASSWORD_LOGIN', 'The password is wrong.', again, identified);
  }
  const misfit = misfitOf(books, request.authorisation, psu.id);
  if (misfit !== null) return shows(again(`${misfit} Log in as its owner, or cancel.`));
  const ahead = nextOutcome(books.state, { scope: request.scope, psu: psu.id });
  if (ahead !== undefined && scaScenarioRow(ahead.scenario).phase === 'login')
    return finish(walk, null, psu.id);
  const moved = moveSca(request.authorisation, { status: 'psuAuthenticated', psu: psu.id }, now);
  // Logging in once more gives no more attempts.
  const attempts = moved === request.authorisation ? moved.attempts : 0;
  const authorisation = { ...moved, psu: psu.id, attempts };
  const ticket = tickets.issue(authorisation.id, psu.id, now);
  const loggedIn: LoggedIn = { sca, ticket, psu, accounts: [] };
  return sca.isOpen
    ? { page: accountsPage(loggedIn, null), changes: [authorisationChange(authorisation)] }
    : askForCode(walk, loggedIn, authorisation);
}

/** One attempt too many ends the SCA. */
function fail(
  walk: Walk,
  as: ScaScenario,
  problem: string,
  show: (problem: string) => Page,
  authorisation: BankAuthorisation = walk.sca.request.authorisation,
): Step {
  const failed = countAttempt(authorisation);
  const left = MOST_ATTEMPTS - failed.attempts;
  if (left <= 0) {
    const request = { ...walk.sca.request, authorisation: failed };
    return finish({ ...walk, sca: { ...walk.sca, request } }, as, failed.psu);
  }
  const page = show(`${problem} ${counted(left, 'attempt is', 'attempts are')} left.`);
  return { page, changes: [authorisationChange(failed)] };
}

function afterLogIn({ sca, ticket, form, ...parts }: Walk, then: (loggedIn: LoggedIn) => Step): Step {
  const psu = ticket.psu === null ? undefined : sca.books.population.psu(ticket.psu);
  return psu === undefined
    ? start(parts, sca, { problem: 'Please log in first.' })
    : then({ sca, ticket: form.text('ticket'), psu, accounts: form.accounts });
}

/** There is one method, so asking selects it; an outcome set ahead may need no second factor. */
function askForCode(
  walk: Walk,
  loggedIn: LoggedIn,
  authorisation: BankAuthorisation = walk.sca.request.authorisation,
): Step {
  const { books, request, now } = walk.sca;
  const psu = loggedIn.psu.id;
  const isExempted = nextOutcome(books.state, { scope: request.scope, psu })?.scenario === 'SCA_EXEMPTED';
  if (isExempted) return finish(walk, null, psu);
  const asked = moveSca(authorisation, { status: 'scaMethodSelected', psu }, now);
  const changes = asked === request.authorisation ? [] : [authorisationChange(asked)];
  return { page: confirmPage(loggedIn, null), changes };
}

function confirm(walk: Walk, loggedIn: LoggedIn): Step {
  if (selectedOf(loggedIn)?.length === 0)
    return shows(accountsPage(loggedIn, 'Choose at least one account.'));
  if (walk.form.text('code').replaceAll(' ', '') === SECOND_FACTOR)
    return finish(walk, null, loggedIn.psu.id);
  const { request, now } = walk.sca;
  const started = moveSca(request.authorisation, { status: 'started', psu: loggedIn.psu.id }, now);
  return fail(walk, 'SCA_NOK', 'The code is wrong.', (problem) => confirmPage(loggedIn, problem), started);
}

function choose(walk: Walk): Step {
  const { sca, form } = walk;
  const [choice, psu] = [form.text('choice'), form.text('psu')];
  if (!isScaScenario(choice))
    return start(walk, sca, { problem: 'Choose one of the outcomes.', psu, isChoosing: true });
  if (sca.books.population.psu(psu) === undefined)
    return start(walk, sca, {
      problem: `The bank knows no user with the id ${psu}.`,
      psu,
      choice,
      isChoosing: true,
    });
  return finish(walk, choice, psu);
}

/** `outcome` null: that set ahead, or success. */
function finish(walk: Walk, outcome: ScaScenario | null, psu: string | null): Step {
  const { sca, form, tickets, ticket } = walk;
  const code = tickets.codeOf(sca.request.authorisation.id, ticket);
  const accounts = sca.isOpen && form.accounts.length > 0 ? form.accounts : undefined;
  const ended = end(sca, { outcome, psu, accounts, code }, walk.fingerprint);
  return {
    page: sca.books.state.seenWith(ended.changes, () =>
      informationPage(sca, walk.origin(), { ...ended, psu, accounts }),
    ),
    changes: ended.changes,
  };
}

/** Shows the same end with the same code again: a form may be sent twice. */
function endedAgain(
  { tickets, fingerprint, origin }: WalkParts,
  sca: Sca,
  ticket: Ticket | undefined,
  accounts: readonly string[],
): Page {
  const { outcome } = sca;
  const { psu, id } = sca.request.authorisation;
  if (ticket === undefined || outcome === null) return endedPage(sca);
  const code = givesCode(sca.request, outcome) ? tickets.codeOf(id, ticket) : null;
  const given = code === null ? null : fingerprint(code);
  const isOpen =
    given === sca.request.authorisation.confirmation ||
    sca.books.state.bankCodes.get(given ?? '')?.usedAt === null;
  if (given !== null && !isOpen) return endedPage(sca);
  return informationPage(sca, origin(), {
    outcome,
    psu,
    code,
    reason: null,
    redirect: redirectOf(sca.request, outcome, code),
    accounts: accounts.length > 0 ? accounts : undefined,
  });
}
