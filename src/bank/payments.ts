/** The life of a payment: what the SCA makes of it, and how it ends before its execution. */
import type { Books } from './books.js';
import type { BankChange, BankPayment } from './facts.js';

/** Whether this PSU may authorise it: it owns the account that is debited. */
export function isPaymentOf({ population }: Books, { debtor }: BankPayment, psu: string): boolean {
  return debtor !== null && population.account(debtor)?.owners.includes(psu) === true;
}

/** The SCA for it succeeded. */
export function authorisePayment(
  _books: Books,
  payment: BankPayment,
  psu: string,
  now: number,
): BankChange[] | string {
  return [paymentChange({ ...payment, psu, authorisedAt: now, dueAt: now })];
}

/** It is not to be executed; `reason` as in `Execution`. */
export function rejectPayment(payment: BankPayment, reason: string | null, now: number): BankChange[] {
  if (payment.execution !== null || payment.cancelledAt !== null) return [];
  return [paymentChange({ ...payment, execution: { at: now, outcome: 'rejected', reason } })];
}

/** It is cancelled before its execution. */
export function cancelPayment(payment: BankPayment, now: number): BankChange[] | string {
  if (payment.execution !== null || payment.cancelledAt !== null)
    return 'The payment cannot be cancelled any more.';
  return [paymentChange({ ...payment, cancelledAt: now })];
}

export function paymentChange(fact: BankPayment): BankChange {
  return { family: 'bankPayments', key: fact.id, fact };
}
