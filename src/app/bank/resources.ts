/** Consents and payments of the living bank as its operator sees them, and what the PSU or the bank does to them. */
import {
  type BankPage,
  type BankView,
  CONSENT_ACTIONS,
  PAYMENT_ACTIONS,
  type PaymentAction,
  type ShownConsent,
} from '../../admin/index.js';
import { consentRecord, paymentRecord } from '../../answer/index.js';
import {
  type Account,
  type BankAuthorisation,
  type BankChange,
  type BankConsent,
  type BankPayment,
  type Books,
  bookingsOf,
  booksAt,
  consentStatusAt,
  endConsent,
  type Population,
  type Posting,
  type Psu,
  paymentStatusAt,
  rejectPayment,
  scaStatusAt,
  settleDue,
  settlePayment,
} from '../../bank/index.js';
import type { FactFamily, Family } from '../../ledger/index.js';
import { dateOf, type FaultCode, plainIban, SandgateError, slipOf } from '../../spec/index.js';
import type { RunningWorld } from '../gateway/worlds.js';
import type { Hands } from './steering.js';

const ENDS = { revoke: 'revokedByPsu', expire: 'expired', reject: 'rejected' } as const;

/** Resources of one world. Throws SandgateErrors for what is not known, and rejects with them where its status does not allow it. */
export function resourcesOf(
  world: RunningWorld,
  { population, links, steer, remember, living }: Hands,
): Pick<BankView, 'consents' | 'consent' | 'endConsent' | 'payments' | 'payment' | 'decidePayment'> {
  const books = (): Books => booksAt({ state: world.bank, population }, world.clock.now());
  /** Reading settles everything due by now first: what an operator has seen stays so. */
  function looked<T>(look: (now: number) => T): T {
    const now = world.clock.now();
    void remember(world, settleDue(books(), now));
    return look(now);
  }

  function showConsent(consent: BankConsent, now: number) {
    return {
      consentId: consent.id,
      createdAt: new Date(consent.createdAt).toISOString(),
      tpp: consent.tpp,
      psu: consent.psu,
      ...consentRecord({ links, population: books().population }, consent, now),
      accessKind: consent.access.kind,
      actions: CONSENT_ACTIONS.filter((action) => endConsent(consent, ENDS[action], now).length > 0),
      authorisations: showAuthorisations(world.bank.bankAuthorisations, consent.authorisations, now),
    };
  }

  function showPayment(payment: BankPayment, now: number) {
    const { id, tpp, psu, product, authorisations, cancellationAuthorisations } = payment;
    const { bankAuthorisations } = world.bank;
    const executesAt = payment.execution?.at ?? payment.dueAt;
    return {
      paymentId: id,
      createdAt: new Date(payment.createdAt).toISOString(),
      executesAt: executesAt === null ? null : new Date(executesAt).toISOString(),
      product,
      tpp,
      psu,
      ...paymentRecord(payment, now),
      actions: PAYMENT_ACTIONS.filter((action) => DECIDE[action](books(), payment, now).length > 0),
      authorisations: showAuthorisations(bankAuthorisations, authorisations, now),
      cancellationAuthorisations: showAuthorisations(bankAuthorisations, cancellationAuthorisations, now),
      bookings: bookingsOf(books().population, payment, now).map(showBooking),
    };
  }

  return {
    consents: ({ before, ...page }) =>
      looked((now) =>
        listNewest(
          world.bank.bankConsents,
          { ...page, before: before === undefined ? undefined : consentOf(world, before) },
          (one) => consentStatusAt(one, now),
        ).map((one) => showConsent(one, now)),
      ),
    consent: (id) => looked((now) => showConsent(consentOf(world, id), now)),
    endConsent: async (id, action) => {
      living();
      const now = world.clock.now();
      await steer(world, { action, consent: id }, () => {
        const consent = consentOf(world, id);
        const changes = endConsent(consent, ENDS[action], now);
        const status = consentStatusAt(consent, now);
        if (changes.length === 0) throw new SandgateError('bank.consent-status', { status, action });
        return changes;
      });
      return showConsent(consentOf(world, id), now);
    },
    payments: ({ before, ...page }) =>
      looked((now) =>
        listNewest(
          world.bank.bankPayments,
          { ...page, before: before === undefined ? undefined : paymentOf(world, before) },
          (one) => paymentStatusAt(one, now),
        ).map((one) => showPayment(one, now)),
      ),
    payment: (id) => looked((now) => showPayment(paymentOf(world, id), now)),
    decidePayment: async (id, action) => {
      living();
      await steer(world, { action, payment: id }, () => {
        const [payment, now] = looked((at) => [paymentOf(world, id), at] as const);
        const decided = DECIDE[action](books(), payment, now);
        if (decided.length > 0) return decided;
        const status = paymentStatusAt(payment, now);
        const waits = status === 'RCVD' || status === 'PATC';
        const hint = waits ? 'the PSU has to authorise it first' : 'create another one';
        throw new SandgateError('bank.payment-status', { status, action, hint });
      });
      return showPayment(paymentOf(world, id), world.clock.now());
    },
  };
}

const DECIDE = {
  settle: (books, payment, now) => settlePayment(books, payment, now) ?? [],
  reject: (_, payment, now) => rejectPayment(payment, 'MS03', now),
} as const satisfies Record<
  PaymentAction,
  (books: Books, payment: BankPayment, now: number) => readonly BankChange[]
>;

function showAuthorisations(
  all: Family<BankAuthorisation>,
  ids: readonly string[],
  now: number,
): ShownConsent['authorisations'] {
  return ids.flatMap((authorisationId) => {
    const one = all.get(authorisationId);
    return one === undefined
      ? []
      : [{ authorisationId, scaStatus: scaStatusAt(one, now), psu: one.psu, outcome: one.outcome }];
  });
}

/** `amount` in minor units of the account's currency. */
const showBooking = ({ id, account, amount, bookingDay }: Posting) => ({
  transactionId: id,
  account,
  amount,
  bookingDate: dateOf(bookingDay),
});

/** It stands before all members that a TPP may have named. */
const CREATED_AT = /"createdAt":(\d+)/;

function listNewest<T extends BankConsent | BankPayment>(
  facts: FactFamily<T>,
  { from, limit, tpp, psu, status, before }: Omit<BankPage, 'before'> & { readonly before: T | undefined },
  statusOf: (fact: T) => string,
): T[] {
  // What is held as text is not read for its place.
  const createdAt = (key: string): number => {
    const held = facts.held(key);
    return typeof held === 'string' ? Number(CREATED_AT.exec(held)?.[1] ?? 0) : (held?.createdAt ?? 0);
  };
  const isBefore = (a: readonly [number, string], b: readonly [number, string]) =>
    b[0] - a[0] || (a[1] < b[1] ? 1 : -1);
  const all = Array.from(facts.keys(), (key) => [createdAt(key), key] as const).sort(isBefore);
  const first = before === undefined ? 0 : all.findIndex(([, key]) => key === before.id) + 1;
  const fits = (fact: T | undefined): fact is T =>
    fact !== undefined &&
    (tpp === undefined || fact.tpp === tpp) &&
    (psu === undefined || fact.psu === psu) &&
    (status === undefined || statusOf(fact) === status);
  const isFiltered = [tpp, psu, status].some((wanted) => wanted !== undefined);
  const found: T[] = [];
  let passed = 0;
  for (const [, key] of all.slice(first)) {
    if (found.length === limit) break;
    // Where all fit, what is passed over is not read.
    const fact = !isFiltered && passed < from ? undefined : facts.peek(key);
    if ((!isFiltered || fits(fact)) && passed++ >= from && fact !== undefined) found.push(fact);
  }
  return found;
}

/** The nearest is looked for among so many: of a hundred thousand, the newest are what somebody means. */
const MOST_COMPARED = 1_000;
const SHOWN = 100;

export function consentOf({ bank }: Pick<RunningWorld, 'bank'>, id: string): BankConsent {
  const first = 'create one first: POST /consents';
  return bank.bankConsents.get(id) ?? unknown('bank.no-consent', id, bank.bankConsents.keys(), first);
}

export function paymentOf({ bank }: Pick<RunningWorld, 'bank'>, id: string): BankPayment {
  const first = 'create one first: POST /payments/…';
  return bank.bankPayments.get(id) ?? unknown('bank.no-payment', id, bank.bankPayments.keys(), first);
}

/** By resource id, or by an IBAN that leads to it. */
export function accountOf({ population }: Books, id: string): Account {
  const ids = () =>
    population
      .psus(0, MOST_COMPARED)
      .flatMap((psu) => population.accountsOf(psu.id).map((one) => one.resourceId));
  const found = population.account(id) ?? population.accountByIban(plainIban(id));
  return found ?? unknown('bank.no-account', id, ids(), 'it has none');
}

export function psuOf(population: Population, id: string): Psu {
  const ids = () => population.psus(0, MOST_COMPARED).map((psu) => psu.id);
  return population.psu(id) ?? unknown('bank.no-psu', id, ids(), 'it has none');
}

function unknown(
  code: Extract<FaultCode, 'bank.no-account' | 'bank.no-consent' | 'bank.no-payment' | 'bank.no-psu'>,
  typed: string,
  known: Iterable<string>,
  first: string,
): never {
  const id = typed.slice(0, SHOWN);
  const ids = [...known].slice(-MOST_COMPARED);
  const meant = slipOf(id, ids);
  const hint = ids.length === 0 ? first : meant === '' ? '' : `Did you mean “${meant}”?`;
  throw new SandgateError(code, { id, hint });
}
