/** SCAs of the living bank as the interface moves them: opened, taken on by the steps of a TPP, or confirmed by the PSU. */
import {
  amountText,
  authorisationChange,
  awaitsPsu,
  type BankAuthorisation,
  type BankChange,
  type BankConsent,
  type BankPayment,
  type Books,
  consentChange,
  countAttempt,
  endSca,
  nextOutcome,
  type Opening,
  openAuthorisation,
  paymentChange,
  SECOND_FACTOR,
  scaStatusAt,
  scopeOfAuthorisation,
  startAuthorisation,
} from '../../../bank/index.js';
import type { Answer, Call } from '../../../exchange/index.js';
import { counted, SCA_STATUSES, type ScaStatus, scaScenarioRow } from '../../../spec/index.js';
import type { Answered } from '../../answerer.js';
import {
  answerStart,
  answerStep,
  approachOf,
  refuseStep,
  type ShownSca,
  type Subject,
} from '../../emulator/creations.js';
import { type Misstep, readScaInput } from '../../emulator/sca-input.js';
import {
  firstStep,
  isExemptAmount,
  MOST_ATTEMPTS,
  type ScaAuthorisation,
  type ScaBank,
  type Standing,
  takeUpdate,
} from '../../emulator/sca-steps.js';
import { attemptsOf } from '../../log-in-attempts.js';
import { grantorOf } from '../account-access.js';
import { accessPath } from '../bank-pages.js';
import type { LivingBank, LivingMoment } from '../living.js';
import { openingOf } from '../openings.js';
import { endAsSet } from './end-sca.js';
import { firstFitting, misfitOf } from './sca.js';

export const psuMessageOf = ({ links }: LivingBank): string =>
  `Please confirm in the app of your bank: ${links.psu()}${accessPath(links.dialect)}`;

/** An authorisation as answers show it. */
export const shownOf = (authorisation: BankAuthorisation, now: number): ScaAuthorisation => ({
  id: authorisation.id,
  approach: authorisation.approach ?? 'oauth',
  status: scaStatusAt(authorisation, now),
});

function psusOf(
  bank: LivingBank,
  call: Call,
  moment: LivingMoment,
  of: Opening['of'],
  resource: BankConsent | BankPayment,
): ScaBank {
  const { books, now } = moment;
  const { population, state } = books;
  const { dialect } = bank.links;
  const isPayment = of === 'payment' && 'amount' in resource;
  return {
    dialect,
    attempts: attemptsOf(bank.attempts, state, call, now),
    psuNamed: (name) => (population.psuByLogin(name) ?? population.psu(name))?.id,
    hasPassword: (psu, password) => population.psu(psu)?.password === password,
    misfitOf: (psu) => misfitOf(books, { of, resource: resource.id }, psu),
    likelyPsu: () =>
      grantorOf(bank, call, moment, of === 'consent' ? 'AIS' : 'PIS')?.psu ??
      likelyPsuOf(books, of, resource),
    code: SECOND_FACTOR,
    isConfirmation: () => false,
    isExempt: isPayment && isExemptAmount(dialect, amountText(resource.amount, resource.currency)),
  };
}

/** The resource may be about to be created. */
function likelyPsuOf(books: Books, of: Opening['of'], resource: BankConsent | BankPayment): string | null {
  const change = 'amount' in resource ? paymentChange(resource) : consentChange(resource);
  return books.state.seenWith([change], () => firstFitting(books, { of, resource: resource.id })?.id ?? null);
}

interface Opened {
  readonly opening: Opening;
  readonly shown: ShownSca;
}

/** Opens an authorisation, with what the call says of the PSU. */
export function openWith(
  bank: LivingBank,
  call: Call,
  moment: LivingMoment,
  {
    resource,
    of,
    isCreation,
  }: { resource: BankConsent | BankPayment; of: Opening['of']; isCreation: boolean },
): Opened | Answer {
  const approach = approachOf(bank.links.dialect, call);
  const plain = openingOf(bank, call, resource, of);
  const standing = firstStep(
    call,
    { id: plain.id, approach },
    psusOf(bank, call, moment, of, resource),
    isCreation,
  );
  if ('code' in standing) return refuseStep(call, standing);
  const { status, psu } = standing;
  return {
    opening: approach === 'oauth' ? plain : { ...plain, approach, status, psu },
    shown: { authorisation: standing, psuMessage: psuMessageOf(bank) },
  };
}

/** The TPP starts an authorisation, perhaps with the first step of it. */
export function startSca(
  bank: LivingBank,
  call: Call,
  moment: LivingMoment,
  subject: Subject,
  resource: BankConsent | BankPayment,
): Answered {
  const opened = openWith(bank, call, moment, { resource, of: subject.of, isCreation: false });
  if ('status' in opened) return { answer: opened };
  const { opening, shown } = opened;
  const { status = 'received', psu = null } = opening;
  const { now, books } = moment;
  const fresh = openAuthorisation({ ...opening, status: 'received' }, now);
  const changes = startAuthorisation(moment.bank, opening, now);
  const end = books.state.seenWith(changes, () => endBy(books, fresh, { status, psu }, now));
  if (end === null) return { answer: answerStart(bank.links, call, subject, shown), changes };
  const authorisation = { ...shown.authorisation, status: end.status };
  return {
    answer: answerStart(bank.links, call, subject, { ...shown, authorisation, reason: end.reason }),
    changes: [...changes, ...end.changes],
  };
}

/** A step by PUT. */
export function continueSca(
  bank: LivingBank,
  call: Call,
  moment: LivingMoment,
  subject: Subject,
  given: { authorisation: BankAuthorisation; resource: BankConsent | BankPayment },
): Answered {
  const { books, now } = moment;
  // An SCA that is not confirmed has no end yet.
  const authorisation = { ...given.authorisation, outcome: null };
  const standing: Standing = { ...shownOf(authorisation, now), psu: authorisation.psu };
  const psus: ScaBank = {
    ...psusOf(bank, call, moment, authorisation.of, given.resource),
    isConfirmation: (code) => bank.fingerprint(code) === authorisation.confirmation,
  };
  const taken = takeUpdate(standing, readScaInput(call), psus);
  if ('code' in taken) return refused(call, books, authorisation, taken, now);
  const { status, psu } = taken;
  const end = endBy(books, authorisation, taken, now);
  // Naming the PSU proves nothing.
  const isProven = status !== authorisation.status && status !== 'psuIdentified';
  const attempts = isProven ? 0 : authorisation.attempts;
  const moved = { ...authorisation, status, statusAt: now, psu, attempts };
  const shown = {
    authorisation: { ...taken, status: end?.status ?? status },
    psuMessage: psuMessageOf(bank),
    reason: end?.reason,
  };
  return {
    answer: answerStep(bank.links, call, subject, shown),
    changes: end?.changes ?? [authorisationChange(moved)],
  };
}

/** One attempt too many ends the SCA. */
function refused(
  call: Call,
  books: Books,
  authorisation: BankAuthorisation,
  misstep: Misstep,
  now: number,
): Answered {
  if (misstep.as === undefined) return { answer: refuseStep(call, misstep) };
  const failed = countAttempt(authorisation);
  const left = MOST_ATTEMPTS - failed.attempts;
  const text = `${misstep.text} ${left > 0 ? counted(left, 'attempt is', 'attempts are') : 'No attempt is'} left.`;
  const ending = { authorisation: failed, psu: failed.psu, outcome: misstep.as };
  return {
    answer: refuseStep(call, { ...misstep, text }),
    changes: left > 0 ? [authorisationChange(failed)] : endSca(books, ending, now).changes,
  };
}

interface End {
  readonly status: ScaStatus;
  readonly reason: string | undefined;
  readonly changes: readonly BankChange[];
}

/** The end that a step brings: its own, or one set ahead that comes with the log-in; null: the SCA goes on. */
function endBy(
  books: Books,
  authorisation: BankAuthorisation,
  { status, psu }: Pick<Standing, 'status' | 'psu'>,
  now: number,
): End | null {
  const { final, rank } = SCA_STATUSES[status];
  const isLoggedIn = authorisation.approach === 'embedded' && rank >= SCA_STATUSES.psuAuthenticated.rank;
  const scope = scopeOfAuthorisation(authorisation);
  const ahead = isLoggedIn && !final ? nextOutcome(books.state, { scope, psu })?.scenario : undefined;
  const comesNow =
    ahead === 'SCA_EXEMPTED' || (ahead !== undefined && scaScenarioRow(ahead).phase === 'login');
  if (!final && !comesNow) return null;
  const isConfirmed = authorisation.status === 'unconfirmed';
  const outcome = status === 'exempted' ? 'SCA_EXEMPTED' : isConfirmed ? 'SCA_OK' : null;
  const { accounts } = authorisation;
  const { outcome: as, reason, changes } = endAsSet(books, { authorisation, psu, outcome, accounts }, now);
  return { status: scaScenarioRow(as).scaStatus, reason, changes };
}

/** Answers once an outcome that was set ahead has ended an SCA that waits for its PSU: its TPP looks by every call. */
export function afterConfirmation<T extends Answered | null>(
  { books, now }: LivingMoment,
  authorisations: readonly string[],
  answer: () => T,
): T | Answered {
  const { state } = books;
  const changes = authorisations.flatMap((id) => {
    const one = state.bankAuthorisations.get(id);
    if (one === undefined || !awaitsPsu(one, now)) return [];
    const { psu } = one;
    const isSet = nextOutcome(state, { scope: scopeOfAuthorisation(one), psu }) !== undefined;
    return isSet ? endAsSet(books, { authorisation: one, psu, outcome: null }, now).changes : [];
  });
  if (changes.length === 0) return answer();
  return state.seenWith(changes, () => {
    const answered = answer();
    return answered === null ? answered : { ...answered, changes: [...changes, ...(answered.changes ?? [])] };
  });
}
