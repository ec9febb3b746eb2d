/** The authorization request and the pages of its SCA, as the living bank answers them. */
import { nextOutcome } from '../../../bank/index.js';
import { type Answer, type Call, isSameAddress, queryValue } from '../../../exchange/index.js';
import {
  isScaScenario,
  LIMITS,
  SCA_SCENARIO_IDS,
  type ScaScenario,
  scaScenarioRow,
} from '../../../spec/index.js';
import type { Answered } from '../../answerer.js';
import { answerErrorPage, answerPage, type ErrorPage } from '../../page.js';
import { answerRedirect } from '../../render.js';
import type { LivingBank, LivingHandler } from '../living.js';
import { endedPage } from './end-pages.js';
import { end, givesCode, redirectOf, wayBack } from './end-sca.js';
import { readStepForm } from './frame.js';
import { firstFitting, openSca, type Sca } from './sca.js';
import { addressOf, readScaRequest } from './sca-request.js';
import { startPage } from './start-page.js';
import type { Tickets } from './tickets.js';
import { takeStep } from './walk.js';

export interface ScaHandlers {
  /** The authorization request itself: the first page, or without any page the redirect. */
  readonly authorize: LivingHandler;
  /** A form of its pages. */
  readonly step: LivingHandler;
}

export function createSca(bank: LivingBank, tickets: Tickets, origin: () => string): ScaHandlers {
  const onSca =
    (handle: (sca: Sca, call: Call) => Answered): LivingHandler =>
    (call, moment) => {
      const request = readScaRequest(call, { bankView: moment.bank, now: moment.now }, bank);
      if (request === null) return null;
      return 'authorisation' in request
        ? handle(openSca(bank, call, request, moment), call)
        : { answer: request };
    };
  return {
    authorize: onSca((sca, call) => {
      if (sca.outcome !== null) return { answer: afterEnd(bank, sca, call) };
      const [scenario, psu] = [queryValue(call, 'scenario'), queryValue(call, 'psu')];
      if (scenario !== undefined || psu !== undefined) return endAtOnce(bank, sca, call);
      const choice = queryValue(call, 'choice') ?? '';
      const ticket = tickets.issue(sca.request.authorisation.id, null, sca.now);
      const page = startPage(sca, ticket, isScaScenario(choice) ? { choice } : {});
      return { answer: answerPage(call, 'emulator', 200, page) };
    }),
    step: onSca((sca, call) => {
      const parts = { tickets, fingerprint: bank.fingerprint, origin };
      const { page, changes } = takeStep(parts, sca, readStepForm(call));
      return { answer: answerPage(call, 'emulator', 200, page), changes };
    }),
  };
}

/** The 302 without any page: `scenario`, `psu` and `accounts` say what a PSU would have done. */
function endAtOnce(bank: LivingBank, sca: Sca, call: Call): Answered {
  const { books, request } = sca;
  const scenario = queryValue(call, 'scenario');
  if (scenario !== undefined && !isScaScenario(scenario))
    return { answer: refused(sca, unknownScenario(scenario)) };
  // An empty name asks for no page, and names nobody.
  const named = queryValue(call, 'psu') || undefined;
  const psu =
    named ?? (isBeforeLogIn(sca, scenario) ? null : (firstFitting(books, request.authorisation)?.id ?? null));
  if (named !== undefined && books.population.psu(named) === undefined)
    return {
      answer: refused(
        sca,
        unknownPsu(named, books.population.psus(0, 1)[0]?.id ?? '', books.population.count),
      ),
    };
  const accounts = queryValue(call, 'accounts')
    ?.split(',')
    .filter((id) => id !== '');
  if (accounts !== undefined && accounts.length > 0 && !sca.isOpen)
    return { answer: refused(sca, NO_ACCOUNTS_TO_CHOOSE) };
  const own = new Set(
    psu === null ? [] : books.population.accountsOf(psu).map(({ resourceId }) => resourceId),
  );
  const strange = accounts?.find((id) => !own.has(id));
  if (strange !== undefined) return { answer: refused(sca, unknownAccount(strange, psu, [...own])) };
  const ended = end(
    sca,
    { outcome: scenario ?? null, psu, accounts, code: bank.ids.token() },
    bank.fingerprint,
  );
  return { answer: answerRedirect(call, 'emulator', ended.redirect), changes: ended.changes };
}

/** Nobody is there yet where the outcome is one of the log-in. */
function isBeforeLogIn({ books, request }: Sca, scenario: ScaScenario | undefined): boolean {
  const outcome = scenario ?? nextOutcome(books.state, { scope: request.scope, psu: null })?.scenario;
  return outcome !== undefined && scaScenarioRow(outcome).phase === 'login';
}

/** Its information page leads here; whoever else comes is told that it is over. */
function afterEnd(bank: LivingBank, sca: Sca, call: Call): Answer {
  const { request, books, now, outcome } = sca;
  const { id } = request.authorisation;
  const code = queryValue(call, 'authorisation_code');
  const issued = code === undefined ? undefined : books.state.bankCodes.get(bank.fingerprint(code));
  const isOpen =
    issued?.usedAt === null &&
    issued.authorisation === id &&
    isSameAddress(issued.redirectUri, request.redirectUri, bank.fingerprint) &&
    now - issued.issuedAt <= LIMITS.authorisationCodeMs;
  const isAsEnded = outcome !== null && queryValue(call, 'scenario') === outcome;
  const isToConfirm = code !== undefined && bank.fingerprint(code) === request.authorisation.confirmation;
  if (outcome !== null && (givesCode(request, outcome) ? isOpen || isToConfirm : isAsEnded))
    return answerRedirect(call, 'emulator', redirectOf(request, outcome, code ?? null));
  return answerPage(call, 'emulator', 400, endedPage(sca));
}

type Problem = Pick<ErrorPage, 'title' | 'texts'>;

/** The redirect URI is that of the creation by now, or the creation had none. */
function refused({ call, request, frame: { bank } }: Sca, problem: Problem): Answer {
  const ways = { back: wayBack(request, null), again: addressOf(call) };
  return answerErrorPage(call, 'emulator', { status: 400, ...problem, ways, bank });
}

const unknownScenario = (scenario: string): Problem => ({
  title: 'Unknown scenario',
  texts: [
    `The bank simulates no outcome ${scenario.slice(0, 100)}.`,
    `It simulates ${SCA_SCENARIO_IDS.join(', ')}.`,
  ],
});

const unknownPsu = (psu: string, first: string, count: number): Problem => ({
  title: 'Unknown PSU',
  texts: [
    `The bank knows no PSU ${psu.slice(0, 100)}.`,
    `It has ${count}; the first is ${first}. The command sandgate bank psus lists them.`,
  ],
});

const NO_ACCOUNTS_TO_CHOOSE: Problem = {
  title: 'Accounts given',
  texts: [
    'The request leaves no accounts to choose: it says itself which are meant.',
    'Leave out accounts, or ask for a consent with empty lists.',
  ],
};

const unknownAccount = (account: string, psu: string | null, own: readonly string[]): Problem => ({
  title: 'Unknown account',
  texts: [
    `The PSU ${psu ?? 'that is not named'} has no account ${account.slice(0, 100)}.`,
    `Its accounts are ${own.join(', ') || 'none'}.`,
  ],
});
