/** The end of an SCA: the facts that follow, and the redirect that the TPP gets. */
import {
  accessFor,
  authorisationChange,
  authoriseConsent,
  type BankChange,
  type Books,
  type Ended,
  type Ending,
  endSca,
  type Grantor,
  nextOutcome,
  openConsent,
  scopeOfAuthorisation,
  useOutcome,
} from '../../../bank/index.js';
import type { Fingerprint } from '../../../exchange/index.js';
import { isReturnAddress, SCA_SCENARIOS, type ScaScenario, scaScenarioRow } from '../../../spec/index.js';
import { confirmsBy } from '../../outcome-choices.js';
import { appendQuery } from '../../render.js';
import type { Sca } from './sca.js';
import type { ScaRequest } from './sca-request.js';

export interface ScaEnd {
  /** SCA_REQUEST_REJECTED where the bank cannot let the PSU authorise what was asked for. */
  readonly outcome: ScaScenario;
  /** Why, where it is not the outcome that was asked for. */
  readonly reason: string | null;
  /** The target of the 302. */
  readonly redirect: string;
  /** null: no code is given. */
  readonly code: string | null;
  readonly changes: readonly BankChange[];
}

export interface ScaEnding {
  /** null: the one set ahead for this SCA, or success. */
  readonly outcome: ScaScenario | null;
  readonly psu: string | null;
  readonly accounts?: readonly string[] | undefined;
  /** Given where it succeeds; in clear. */
  readonly code: string;
}

/** The authorisation has not ended yet. */
export function end(sca: Sca, ending: ScaEnding, fingerprint: Fingerprint): ScaEnd {
  const { request, books, now } = sca;
  const ended = endAsSet(books, { ...ending, authorisation: request.authorisation }, now);
  const hasCode = givesCode(request, ended.outcome);
  const code = hasCode ? ending.code : null;
  const given = fingerprint(ending.code);
  return {
    outcome: ended.outcome,
    reason: ended.reason ?? null,
    redirect: redirectOf(request, ended.outcome, code),
    code,
    changes: confirmsBy(request.plain, ended.outcome)
      ? [...ended.changes.filter(({ family }) => family === 'bankOutcomes'), unconfirmed(sca, ending, given)]
      : [...ended.changes, ...(hasCode ? codeChanges(sca, given, ending.psu) : [])],
  };
}

/** Whether the redirect hands over a code, of either kind. */
export const givesCode = ({ plain }: ScaRequest, outcome: ScaScenario): boolean =>
  plain === undefined ? scaScenarioRow(outcome).error === null : confirmsBy(plain, outcome);

/** The PSU has done its part. All else follows when the TPP confirms (reading `sca-confirmation`). */
function unconfirmed({ request, now }: Sca, { psu, accounts }: ScaEnding, confirmation: string): BankChange {
  const own = accounts === undefined ? {} : { accounts };
  const done = { status: 'unconfirmed', statusAt: now, psu, outcome: 'SCA_OK', attempts: 0 } as const;
  return authorisationChange({ ...request.authorisation, ...done, ...own, confirmation });
}

/** `outcome` null: the one set ahead for this SCA, which is used up by it, or success. */
export function endAsSet(
  books: Books,
  { outcome, ...ending }: Omit<Ending, 'outcome'> & { readonly outcome: ScaScenario | null },
  now: number,
): Ended {
  const scope = scopeOfAuthorisation(ending.authorisation);
  const ahead = outcome === null ? nextOutcome(books.state, { scope, psu: ending.psu }) : undefined;
  const ended = endSca(books, { ...ending, outcome: outcome ?? ahead?.scenario ?? 'SCA_OK' }, now);
  return ahead === undefined ? ended : { ...ended, changes: [...ended.changes, useOutcome(ahead)] };
}

/** The code, and the consent of the PSU where the bank has none that TPPs create. */
function codeChanges({ request, books, dialect, now }: Sca, code: string, psu: string | null): BankChange[] {
  const { authorisation, scope } = request;
  if (authorisation.of !== 'token' || psu === null) return [issueCode(request, code, now)];
  if (dialect.hasConsents || !dialect.servicesOf(scope).has('AIS'))
    return [issueCode(request, code, now, { psu })];
  const { id, tpp } = authorisation;
  const body = {
    ...{ access: { allPsd2: 'allAccounts' }, recurringIndicator: true, validUntil: '9999-12-31' },
    frequencyPerDay: dialect.accessesPerDay,
  };
  const own = { id, tpp, body, explicit: false, redirectUri: null, nokRedirectUri: null };
  const consent = openConsent(own, books.population, dialect, now);
  const access = 'code' in consent ? '' : accessFor(books, consent, psu);
  if ('code' in consent || typeof access === 'string') return [issueCode(request, code, now, { psu })];
  return [
    ...authoriseConsent(books.state, consent, { psu, access }, now),
    issueCode(request, code, now, { psu, consent: id }),
  ];
}

function issueCode(request: ScaRequest, code: string, now: number, grantor?: Grantor): BankChange {
  const { authorisation, scope, clientId, redirectUri, challenge, method } = request;
  const { id, tpp } = authorisation;
  const flow = { tpp, authorisation: id, scope, clientId, redirectUri, challenge, method };
  const fact = { code, ...flow, issuedAt: now, usedAt: null, reusedAt: null };
  const own = grantor === undefined ? {} : { grantor };
  return { family: 'bankCodes', key: code, fact: { ...fact, ...own } };
}

/** A failure goes to TPP-Nok-Redirect-URI where there is one (reading `nok-redirect-uri`). */
export function redirectOf(request: ScaRequest, outcome: ScaScenario, code: string | null): string {
  const { redirectUri, state } = request;
  const { error, meaning } = SCA_SCENARIOS[outcome];
  if (request.plain !== undefined && code !== null)
    return appendQuery(redirectUri, { confirmationCode: code });
  if (request.plain !== undefined)
    return error === null ? redirectUri : (nokRedirectUri(request) ?? redirectUri);
  if (error === null) return appendQuery(redirectUri, { code: code ?? undefined, state });
  const error_description = `${outcome}: ${meaning}`;
  return appendQuery(nokRedirectUri(request) ?? redirectUri, { error, error_description, state });
}

/** To the TPP, for who comes after the end. What was authorised then is not told to be denied. */
export function wayBack(request: ScaRequest, outcome: ScaScenario | null): string {
  if (outcome !== null && SCA_SCENARIOS[outcome].error === null) return request.redirectUri;
  if (request.plain !== undefined) return nokRedirectUri(request) ?? request.redirectUri;
  const error_description = 'Nothing was authorised by this request.';
  return appendQuery(nokRedirectUri(request) ?? request.redirectUri, {
    error: 'access_denied',
    error_description,
    state: request.state,
  });
}

/** The request has the redirect URI of the creation, where that had one. */
function nokRedirectUri({ authorisation: { nokRedirectUri: nok } }: ScaRequest): string | undefined {
  return nok !== null && isReturnAddress(nok) ? nok : undefined;
}
