/** Consents and payments of the living bank as its operator sees them, and what the PSU or the bank does to them. */
import {
  CONSENT_ACTIONS,
  type ConsentAction,
  PAYMENT_ACTIONS,
  type PaymentAction,
  type ShownConsent,
  type ShownPayment,
} from '../../admin/index.js';
import { consentRecord, type Links, paymentRecord } from '../../answer/index.js';
import {
  type BankAuthorisation,
  type BankChange,
  type BankConsent,
  type BankPayment,
  type Books,
  bookingsOf,
  consentStatusAt,
  endConsent,
  type Population,
  type Posting,
  paymentStatusAt,
  rejectPayment,
  scaStatusAt,
  settleDue,
  settlePayment,
} from '../../bank/index.js';
import { dateOf, SandgateError } from '../../spec/index.js';
import type { RunningWorld } from '../gateway/worlds.js';
import { consentOf, paymentOf } from './named.js';
import type { Remember } from './remember.js';
import type { Steer } from './steering.js';

export interface ResourcesParts {
  readonly population: Population;
  readonly links: Links;
  readonly steer: Steer;
  readonly remember: Remember;
}

export interface Resources {
  /** Newest first, after the first `from`, `limit` at most. */
  readonly consents: (world: RunningWorld, from: number, limit: number) => readonly ShownConsent[];
  readonly consent: (world: RunningWorld, id: string) => ShownConsent;
  readonly endConsent: (world: RunningWorld, id: string, action: ConsentAction) => Promise<ShownConsent>;
  readonly payments: (world: RunningWorld, from: number, limit: number) => readonly ShownPayment[];
  readonly payment: (world: RunningWorld, id: string) => ShownPayment;
  readonly decidePayment: (world: RunningWorld, id: string, action: PaymentAction) => Promise<ShownPayment>;
}

const ENDS = { revoke: 'revokedByPsu', expire: 'expired', reject: 'rejected' } as const;

/** Throw SandgateErrors for ids that are not known, and reject with them where the status does not allow it. */
export function createResources({ population, links, steer, remember }: ResourcesParts): Resources {
  const booksOf = ({ bank }: RunningWorld): Books => ({ state: bank, population });
  /** As it is with all decided that is due by now: what an operator has seen stays so. */
  function looked<T>(world: RunningWorld, look: (now: number) => T): T {
    const now = world.clock.now();
    void remember(world, settleDue(booksOf(world), now));
    return look(now);
  }

  function showConsent({ bank }: RunningWorld, consent: BankConsent, now: number) {
    return {
      consentId: consent.id,
      tpp: consent.tpp,
      psu: consent.psu,
      ...consentRecord({ links, population }, consent, now),
      actions: CONSENT_ACTIONS.filter((action) => endConsent(consent, ENDS[action], now).length > 0),
      authorisations: showAuthorisations(bank.bankAuthorisations, consent.authorisations, now),
    };
  }

  function showPayment(world: RunningWorld, payment: BankPayment, now: number) {
    const { id, tpp, psu, product, authorisations, cancellationAuthorisations } = payment;
    const { bankAuthorisations } = world.bank;
    return {
      paymentId: id,
      product,
      tpp,
      psu,
      ...paymentRecord(payment, now),
      actions: PAYMENT_ACTIONS.filter((action) => DECIDE[action](booksOf(world), payment, now).length > 0),
      authorisations: showAuthorisations(bankAuthorisations, authorisations, now),
      cancellationAuthorisations: showAuthorisations(bankAuthorisations, cancellationAuthorisations, now),
      bookings: bookingsOf(population, payment, now).map(showBooking),
    };
  }

  return {
    consents: (world, from, limit) =>
      looked(world, (now) =>
        newest(world.bank.bankConsents, from, limit).map((one) => showConsent(world, one, now)),
      ),
    consent: (world, id) => looked(world, (now) => showConsent(world, consentOf(world, id), now)),
    endConsent: async (world, id, action) => {
      const now = world.clock.now();
      await steer(world, { action, consent: id }, () => {
        const consent = consentOf(world, id);
        const changes = endConsent(consent, ENDS[action], now);
        const status = consentStatusAt(consent, now);
        if (changes.length === 0) throw new SandgateError('bank.consent-status', { status, action });
        return changes;
      });
      return showConsent(world, consentOf(world, id), now);
    },
    payments: (world, from, limit) =>
      looked(world, (now) =>
        newest(world.bank.bankPayments, from, limit).map((one) => showPayment(world, one, now)),
      ),
    payment: (world, id) => looked(world, (now) => showPayment(world, paymentOf(world, id), now)),
    decidePayment: async (world, id, action) => {
      await steer(world, { action, payment: id }, () => {
        const [payment, now] = looked(world, (at) => [paymentOf(world, id), at] as const);
        const decided = DECIDE[action](booksOf(world), payment, now);
        if (decided.length > 0) return decided;
        const status = paymentStatusAt(payment, now);
        const waits = status === 'RCVD' || status === 'PATC';
        const hint = waits ? 'the PSU has to authorise it first' : 'create another one';
        throw new SandgateError('bank.payment-status', { status, action, hint });
      });
      return showPayment(world, paymentOf(world, id), world.clock.now());
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
  all: ReadonlyMap<string, BankAuthorisation>,
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

/** Facts stand in the order of their newest changes; those that are not shown are not read. */
function newest<T>(facts: ReadonlyMap<string, T>, from: number, limit: number): T[] {
  const end = Math.max(0, facts.size - from);
  const keys = [...facts.keys()].slice(Math.max(0, end - limit), end).reverse();
  return keys.flatMap((key) => facts.get(key) ?? []);
}
