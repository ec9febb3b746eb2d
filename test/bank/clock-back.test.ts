/** However the clock goes: what somebody did stays done, what time alone did follows the clock. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  applyBankChanges,
  availableBalance,
  type BankChange,
  type BankConsent,
  type BankPayment,
  balancesAt,
  cancelPayment,
  consentChange,
  consentStatusAt,
  countBooked,
  endConsent,
  endSca,
  pageOfBooked,
  paymentChange,
  paymentStatusAt,
  rejectPayment,
  scaStatusAt,
  settleDue,
} from '../../src/bank/index.js';
import { bankDateAt, bankDayAt } from '../../src/spec/index.js';
import { ACCOUNTS, aConsent, anAuthorisation, aPayment, booksOf, DAY, HOUR, NOON } from './a-bank.js';

const [ACCOUNT] = ACCOUNTS;
const nth = fc.nat({ max: 20 });
const STEP = fc.oneof(
  fc.record({ do: fc.constantFrom('consent' as const, 'pay' as const), isLong: fc.boolean() }),
  fc.record({
    do: fc.constant('decide' as const),
    nth,
    outcome: fc.constantFrom('SCA_OK' as const, 'SCA_OK' as const, 'SCA_CANCEL' as const),
  }),
  fc.record({
    do: fc.constantFrom('revoke' as const, 'terminate' as const, 'cancel' as const, 'reject' as const),
    nth,
  }),
  fc.record({
    do: fc.constant('move' as const),
    ms: fc.constantFrom(-200 * DAY, -90 * DAY, -3 * DAY, -HOUR, HOUR, 5 * HOUR, 2 * DAY, 95 * DAY),
  }),
);
type Step = typeof STEP extends fc.Arbitrary<infer S> ? S : never;

/** Whatever the clock shows, one of these. */
const BY_TIME = {
  received: ['received', 'rejected', 'expired'],
  valid: ['valid', 'expired'],
  RCVD: ['RCVD', 'RJCT'],
  ACTC: ['ACTC', 'ACSP', 'ACSC', 'RJCT'],
} as const satisfies Record<string, readonly string[]>;

/** Which of the two a payment has is a matter of time alone. */
const withoutHours = (status: string): string => (status === 'ACSP' ? 'ACTC' : status);

it('what a PSU, a TPP or the bank did stays done, and what time alone did follows the clock', () => {
  const walk = fc.property(fc.array(STEP, { minLength: 5, maxLength: 40 }), (steps) => {
    const books = booksOf();
    const { state } = books;
    let now = NOON;
    /** What each of them has come to by what was done. */
    const done = new Map<string, string>();
    const statusOf = (id: string): string => {
      const consent = state.bankConsents.get(id);
      return consent === undefined
        ? paymentStatusAt(state.bankPayments.get(id) as BankPayment, now)
        : consentStatusAt(consent, now);
    };
    const apply = (changes: readonly BankChange[]) => {
      applyBankChanges(state, changes);
      for (const { family, key } of changes)
        if (family === 'bankConsents' || family === 'bankPayments') {
          done.set(key, withoutHours(statusOf(key)));
        }
    };
    for (const [at, step] of steps.entries()) {
      apply(changesOf(step, at));
      apply(settleDue(books, now));
      for (const [id, status] of done)
        expect(status in BY_TIME ? BY_TIME[status as keyof typeof BY_TIME] : [status]).toContain(
          statusOf(id),
        );
      const valid = [...state.bankConsents.values()].filter(
        (consent) => consent.recurring && consentStatusAt(consent, now) === 'valid',
      );
      expect(valid.length).toBeLessThanOrEqual(1);
      for (const authorisation of state.bankAuthorisations.values())
        if (authorisation.outcome !== null)
          expect(scaStatusAt(authorisation, now)).toBe(authorisation.status);
      checkAccount();
    }
    // By a clock that is back before it all began, time has done nothing.
    now = 0;
    for (const [id, status] of done) expect([id, withoutHours(statusOf(id))]).toEqual([id, status]);

    /** What is booked is spent, whatever the clock says. */
    function checkAccount(): void {
      const payments = [...state.bankPayments.values()];
      const spent = payments.reduce((sum, { execution }) => sum + (execution?.debited ?? 0), 0);
      const today = bankDayAt(now);
      const page = { now, offset: 0, limit: 1_000 };
      const all = { from: today, to: today };
      const own = books.population.balance(ACCOUNT?.resourceId ?? '', today);
      const booked = balancesAt(books, ACCOUNT as never, now).find(({ type }) => type === 'interimBooked');
      expect(booked?.amount).toBe(own - spent);
      expect(availableBalance(books, ACCOUNT as never, now)).toBeLessThanOrEqual(own - spent);
      expect(pageOfBooked(books, 'acc-1', all, page)).toHaveLength(countBooked(books, 'acc-1', all, now));
      const ever = { from: today - 400, to: today };
      const entries = pageOfBooked(books, 'acc-1', ever, page);
      expect(entries.filter(({ id }) => id.endsWith('-debit'))).toHaveLength(
        payments.filter(({ execution }) => execution?.outcome === 'booked').length,
      );
      expect(entries.every(({ bookingDay }) => bookingDay <= today)).toBe(true);
    }

    function changesOf(step: Step, at: number): readonly BankChange[] {
      if (step.do === 'move') {
        now += step.ms;
        return [];
      }
      if (step.do === 'consent' || step.do === 'pay') {
        const [resource, id] = [`${step.do}-${at}`, `authorisation-${at}`];
        const authorisation = anAuthorisation({
          id,
          resource,
          of: step.do === 'pay' ? 'payment' : 'consent',
          createdAt: now,
          statusAt: now,
        });
        const validUntil = bankDateAt(now + (step.isLong ? 80 : 1) * DAY);
        const own = { id: resource, authorisations: [id], createdAt: now };
        const date = step.isLong ? { requestedExecutionDate: validUntil } : {};
        return [
          step.do === 'pay'
            ? paymentChange(aPayment({ ...own, body: date }))
            : consentChange(aConsent({ ...own, validUntil })),
          { family: 'bankAuthorisations', key: id, fact: authorisation },
        ];
      }
      if (step.do === 'decide') {
        const all = [...state.bankAuthorisations.values()];
        const authorisation = all[step.nth % all.length];
        if (authorisation === undefined) return [];
        return endSca(books, { authorisation, psu: 'psu-1', outcome: step.outcome }, now).changes;
      }
      if (!('nth' in step)) return [];
      const isConsent = step.do === 'revoke' || step.do === 'terminate';
      const all = [...(isConsent ? state.bankConsents : state.bankPayments).values()];
      const one = all[step.nth % all.length];
      if (one === undefined) return [];
      if (step.do === 'revoke') return endConsent(one as BankConsent, 'revokedByPsu', now);
      if (step.do === 'terminate') return endConsent(one as BankConsent, 'terminatedByTpp', now);
      if (step.do === 'reject') return rejectPayment(one as BankPayment, 'MS03', now);
      const cancelled = cancelPayment(one as BankPayment, now);
      return typeof cancelled === 'string' ? [] : cancelled;
    }
  });
  fc.assert(walk, { numRuns: 300 });
});
