/** Authorisations: opened, moved on as the PSU goes on, and ended, with what follows for the consent or the payment. */
import {
  consentScope,
  LIMITS,
  paymentScope,
  SCA_STATUSES,
  type ScaScenario,
  type ScaStatus,
  scaScenarioRow,
} from '../spec/index.js';
import type { Books } from './books.js';
import {
  accessFor,
  authoriseConsent,
  consentChange,
  consentStatusAt,
  endConsent,
  needsScaAgain,
  renewConsent,
  secondSignatories,
  signConsent,
} from './consents.js';
import type { BankAuthorisation, BankChange, BankConsent, BankPayment } from './facts.js';
import {
  authorisePayment,
  awaitsAuthorisation,
  cancelPayment,
  isPaymentOf,
  needsSecond,
  paymentChange,
  rejectPayment,
} from './payments.js';
import { MOST_STANDING_ORDERS } from './standing-orders.js';
import type { BankView } from './state.js';
import { isCovered, standingOrdersOf } from './statement.js';

export type Opening = Pick<
  BankAuthorisation,
  'id' | 'tpp' | 'tppName' | 'of' | 'resource' | 'redirectUri' | 'nokRedirectUri' | 'lastsMs' | 'approach'
> &
  Partial<Pick<BankAuthorisation, 'status' | 'psu'>>;

/** A new authorisation; its consent or payment is to hold its id as well. */
export function openAuthorisation(opening: Opening, now: number): BankAuthorisation {
  return {
    ...opening,
    createdAt: now,
    status: opening.status ?? 'received',
    statusAt: now,
    psu: opening.psu ?? null,
    outcome: null,
    attempts: 0,
  };
}

export function startAuthorisation(state: BankView, opening: Opening, now: number): BankChange[] {
  const started = authorisationChange(openAuthorisation(opening, now));
  const { of, resource, id } = opening;
  if (of === 'consent') {
    const consent = state.bankConsents.get(resource);
    if (consent === undefined) return [];
    const authorisations = [...consent.authorisations, id];
    return [started, consentChange({ ...consent, authorisations, lastActionAt: now })];
  }
  const payment = state.bankPayments.get(resource);
  if (payment === undefined) return [];
  const list = of === 'payment' ? 'authorisations' : 'cancellationAuthorisations';
  return [started, paymentChange({ ...payment, [list]: [...payment[list], id] })];
}

/** The scope of a token or of an authorization request: `AIS:<consent id>`, `PIS:<payment id>`. */
export function scopeOfAuthorisation({ of, resource }: BankAuthorisation): string {
  if (of === 'token') return resource;
  return of === 'consent' ? consentScope(resource) : paymentScope(resource);
}

/** When it ended, or ends if nobody walks it to its end (reading `sca-link-lifetime`); epoch ms. */
export function scaEndsAt({ status, statusAt, createdAt, lastsMs }: BankAuthorisation): number {
  return SCA_STATUSES[status].final ? statusAt : createdAt + (lastsMs ?? LIMITS.scaLinkMs);
}

const hasRunOut = (authorisation: BankAuthorisation, now: number): boolean =>
  !SCA_STATUSES[authorisation.status].final && scaEndsAt(authorisation) <= now;

export function scaStatusAt(authorisation: BankAuthorisation, now: number): ScaStatus {
  return hasRunOut(authorisation, now) ? 'failed' : authorisation.status;
}

export function outcomeAt(authorisation: BankAuthorisation, now: number): ScaScenario | null {
  if (!hasRunOut(authorisation, now)) return authorisation.outcome;
  const hasLoggedIn = SCA_STATUSES[authorisation.status].rank >= SCA_STATUSES.psuAuthenticated.rank;
  return hasLoggedIn ? 'SCA_TIMEOUT' : 'LOGIN_TIMEOUT';
}

/** The PSU goes a step on; the same where the authorisation is there already, or beyond, or has ended. */
export function moveSca(
  authorisation: BankAuthorisation,
  { status, psu = authorisation.psu }: { readonly status: ScaStatus; readonly psu?: string | null },
  now: number,
): BankAuthorisation {
  if (SCA_STATUSES[status].rank <= SCA_STATUSES[scaStatusAt(authorisation, now)].rank) return authorisation;
  return { ...authorisation, status, statusAt: now, psu, outcome: null };
}

/** Whether the bank has asked the PSU itself, who has not answered yet. */
export const awaitsPsu = (authorisation: BankAuthorisation, now: number): boolean =>
  authorisation.approach === 'decoupled' && scaStatusAt(authorisation, now) === 'started';

/** A wrong login or code; who counts decides how many are borne. */
export function countAttempt(authorisation: BankAuthorisation): BankAuthorisation {
  return { ...authorisation, attempts: authorisation.attempts + 1 };
}

export interface Ending {
  readonly authorisation: BankAuthorisation;
  /** null: nobody has logged in; an SCA cannot succeed so. */
  readonly psu: string | null;
  readonly outcome: ScaScenario;
  /** Resource ids that the PSU selected, where the consent leaves the choice to it; absent: all. */
  readonly accounts?: readonly string[] | undefined;
}

export interface Ended {
  /** The one that was asked for; SCA_REQUEST_REJECTED where the bank cannot let the PSU authorise this. */
  readonly outcome: ScaScenario;
  /** In the bank's own words, where it is not the outcome that was asked for. */
  readonly reason?: string;
  readonly changes: readonly BankChange[];
}

/**
 * The SCA ends, with what follows for the consent or the payment. An authorisation that has ended stays as it did: its
 * outcome again, and no changes.
 */
export function endSca(books: Books, ending: Ending, now: number): Ended {
  const { authorisation, psu, outcome } = ending;
  const before = outcomeAt(authorisation, now);
  if (before !== null) return { outcome: before, changes: [] };
  const end = (as: ScaScenario, changes: readonly BankChange[]): Ended => {
    const status = scaScenarioRow(as).scaStatus;
    const fact = { ...authorisation, status, statusAt: now, psu, outcome: as };
    return { outcome: as, changes: [authorisationChange(fact), ...changes] };
  };
  if (scaScenarioRow(outcome).error !== null) return end(outcome, afterFailure(books, ending, now));
  const follows = afterSuccess(books, ending, now);
  if (typeof follows !== 'string') return end(outcome, follows);
  const rejected = 'SCA_REQUEST_REJECTED';
  const changes = afterFailure(books, { ...ending, outcome: rejected }, now);
  return { ...end(rejected, changes), reason: follows };
}

/** The changes; or why it cannot be authorised. */
function afterSuccess(books: Books, { authorisation, psu, accounts }: Ending, now: number) {
  const { of, resource } = authorisation;
  if (psu === null || books.population.psu(psu) === undefined) return 'The bank does not know this user.';
  if (of === 'token') return [];
  if (of === 'consent') {
    const consent = books.state.bankConsents.get(resource);
    return consent === undefined ? NO_LONGER : agreed(books, consent, psu, accounts, now);
  }
  const payment = books.state.bankPayments.get(resource);
  if (payment === undefined) return 'The bank does not know the payment.';
  if (!isPaymentOf(books, payment, psu)) return 'The payment is of an account that is not of this user.';
  if (of === 'cancellation') return cancelPayment(payment, now);
  if (hasTooManyOrders(books, payment))
    return `The account has ${MOST_STANDING_ORDERS} standing orders already.`;
  const authorised = authorisePayment(payment, psu, now);
  if (typeof authorised !== 'string' && needsSecond(books, payment))
    return [paymentChange({ ...payment, psu, signedBy: psu })];
  // Reading `payment-cover`.
  if (typeof authorised === 'string' || isCovered(books, payment, now)) return authorised;
  return rejectPayment({ ...payment, psu, authorisedAt: now }, 'AM04', now);
}

const hasTooManyOrders = (books: Books, { standing, debtor }: BankPayment): boolean =>
  standing !== undefined && debtor !== null && standingOrdersOf(books, debtor).length >= MOST_STANDING_ORDERS;

const NO_LONGER = 'The consent does not wait for an authorisation any more.';

/** Facts that follow where the PSU agrees to a consent; or why it cannot. */
function agreed(
  books: Books,
  consent: BankConsent,
  psu: string,
  accounts: readonly string[] | undefined,
  now: number,
): BankChange[] | string {
  if (needsScaAgain(consent, now))
    return consent.psu === psu ? renewConsent(consent, now) : 'The consent was given by another user.';
  const { draws } = books.population;
  const { isSigned, access: granted, psu: first } = consent;
  if (isSigned === true && first !== null && consentStatusAt(consent, now) === 'partiallyAuthorised')
    return secondSignatories(books, consent, first).includes(psu)
      ? authoriseConsent(books.state, consent, { psu: first, access: granted, draws }, now)
      : 'The consent waits for another user, who has to agree as well.';
  if (consentStatusAt(consent, now) !== 'received') return NO_LONGER;
  const access = accessFor(books, consent, psu, accounts);
  if (typeof access === 'string') return access;
  return secondSignatories(books, { access }, psu).length > 0
    ? signConsent(consent, { psu, access }, now)
    : authoriseConsent(books.state, consent, { psu, access, draws }, now);
}

/** Reading `sca-rejects`. A cancellation that was not authorised leaves the payment as it is. */
function afterFailure({ state }: Books, { authorisation, outcome }: Ending, now: number): BankChange[] {
  const { of, resource } = authorisation;
  const isLast = (one: BankConsent | BankPayment) =>
    scaScenarioRow(outcome).rejects === true || !one.explicit;
  if (of === 'consent') {
    const consent = state.bankConsents.get(resource);
    return consent !== undefined && isLast(consent) ? endConsent(consent, 'rejected', now) : [];
  }
  const payment = of === 'payment' ? state.bankPayments.get(resource) : undefined;
  const waits = payment !== undefined && awaitsAuthorisation(payment, now);
  return waits && isLast(payment) ? rejectPayment(payment, 'MS02', now) : [];
}

export function authorisationChange(fact: BankAuthorisation): BankChange {
  return { family: 'bankAuthorisations', key: fact.id, fact };
}
