/** One SCA as it stands: the request, who may authorise it, and what its pages show of it. */
import {
  accessFor,
  type BankAuthorisation,
  type BankConsent,
  type Books,
  isPaymentOf,
  letsChoose,
  outcomeAt,
  type Psu,
  secondSignatories,
} from '../../../bank/index.js';
import type { Call } from '../../../exchange/index.js';
import type { Dialect, ScaScenario } from '../../../spec/index.js';
import { placeOf } from '../../page.js';
import type { LivingBank, LivingMoment } from '../living.js';
import { type Asked, askedByCancellation, askedByConsent, askedByPayment } from './asked.js';
import type { ScaFrame } from './frame.js';
import { addressOf, type ScaRequest } from './sca-request.js';

export interface Sca {
  readonly call: Call;
  readonly request: ScaRequest;
  readonly books: Books;
  readonly frame: ScaFrame;
  /** null: it has not ended yet. */
  readonly outcome: ScaScenario | null;
  /** The PSU has a choice of accounts. */
  readonly isOpen: boolean;
  readonly now: number;
  readonly dialect: Dialect;
}

export function openSca(bank: LivingBank, call: Call, request: ScaRequest, moment: LivingMoment): Sca {
  const { authorisation, redirectUri } = request;
  const { books } = moment;
  const consent =
    authorisation.of === 'consent' ? moment.bank.bankConsents.get(authorisation.resource) : undefined;
  const isOpen = consent !== undefined && letsChoose(consent);
  const frame: ScaFrame = {
    bank: bank.data.accounts.bank.name,
    action: addressOf(call),
    by: { name: authorisation.tppName, id: authorisation.tpp },
    at: placeOf(redirectUri),
    asked: askedFor(books, authorisation),
    steps: isOpen ? ['login', 'accounts', 'confirm'] : ['login', 'confirm'],
  };
  const outcome = outcomeAt(authorisation, moment.now);
  const { dialect } = bank.links;
  return { call, request, books, frame, outcome, isOpen, now: moment.now, dialect };
}

export function askedFor({ state, population }: Books, { of, resource }: Aim): Asked {
  if (of === 'token') return { title: 'Let an application in', rows: [{ term: 'Scope', texts: [resource] }] };
  const consent = of === 'consent' ? state.bankConsents.get(resource) : undefined;
  if (consent !== undefined) return askedByConsent(consent, population);
  const payment = state.bankPayments.get(resource);
  if (payment === undefined) return { title: 'Authorise a request', rows: [] };
  return of === 'payment' ? askedByPayment(payment, population) : askedByCancellation(payment, population);
}

type Aim = Pick<BankAuthorisation, 'of' | 'resource'>;

/** Why this PSU cannot authorise it; null where it can. */
export function misfitOf(books: Books, { of, resource }: Aim, psu: string): string | null {
  if (of === 'token') return null;
  if (of === 'consent') {
    const consent = books.state.bankConsents.get(resource);
    if (consent === undefined) return 'The bank does not know the consent.';
    const others = othersOf(books, consent);
    if (others !== null) return others.includes(psu) ? null : 'Another user has to agree to the consent now.';
    const access = accessFor(books, consent, psu);
    return typeof access === 'string' ? access : null;
  }
  const payment = books.state.bankPayments.get(resource);
  if (payment === undefined) return 'The bank does not know the payment.';
  if (of === 'payment' && payment.signedBy === psu) return 'You have authorised this payment already.';
  return isPaymentOf(books, payment, psu) ? null : 'The payment is of an account that is not of this user.';
}

/** The first owner of what is asked for; the first PSU of all where anybody may authorise it (reading `sca-first-psu`). */
export function firstFitting(books: Books, authorisation: Aim): Psu | undefined {
  const { population } = books;
  for (const id of ownersOf(books, authorisation))
    if (misfitOf(books, authorisation, id) === null) return population.psu(id);
  return population.psus(0, 1)[0];
}

/** Who alone may agree to a consent that a PSU has agreed to already; null where none has, or it has ended. */
function othersOf(books: Books, consent: BankConsent): readonly string[] | null {
  const { psu, isSigned, scaAt, scaUntil } = consent;
  if (psu === null) return null;
  if (scaAt !== null) return scaUntil === undefined ? null : [psu];
  return isSigned === true ? secondSignatories(books, consent, psu) : null;
}

function ownersOf(books: Books, { of, resource }: Aim): readonly string[] {
  const { state, population } = books;
  const consent = of === 'consent' ? state.bankConsents.get(resource) : undefined;
  const others = consent === undefined ? null : othersOf(books, consent);
  if (others !== null) return others;
  const access = consent?.access;
  const account =
    of === 'consent'
      ? (access?.accounts[0] ?? access?.balances[0] ?? access?.transactions[0])
      : state.bankPayments.get(resource)?.debtor;
  return (account == null ? undefined : population.account(account)?.owners) ?? [];
}
