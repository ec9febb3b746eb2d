/** Payments are executed when somebody looks: each that is due by then is decided once, in order, over the whole bank. */
import { type Books, booksAt } from './books.js';
import { sidesOf } from './exchange-rates.js';
import type { BankChange, BankPayment, Execution, RejectReason } from './facts.js';
import { afterRun, isOrder, partsOf } from './orders.js';
import { dueOf, inOrderOfExecution, isWaiting } from './payment-index.js';
import { paymentChange, rejection } from './payments.js';
import type { Account } from './population/index.js';
import { dueTimeOf, firstPendingFirst } from './settlement-times.js';
import { bookedBalance, debitOf, pendingPayments } from './statement.js';

const NOTHING: readonly BankChange[] = [];

/** What became of all payments that are due by now and not decided yet (reading `payment-execution`). */
export function settleDue(books: Books, now: number): readonly BankChange[] {
  const { bankPayments, payments } = books.state;
  const due = payments.dueBy(now);
  if (due.length === 0) return NOTHING;
  const moved = new Map<string, number>();
  const decided = new Map<string, BankPayment>();
  const waiting = due.map(([at, ids]) => ({ at, together: ids.flatMap((id) => bankPayments.get(id) ?? []) }));
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { at, together } = next;
    for (const payment of executed(booksAt(books, at), together, at, { moved, decided })) {
      decided.set(payment.id, payment);
      // A payment may have come back by now, and the next of a standing order be due.
      const again = dueOf(payment);
      if (again === null || again > now) continue;
      const place = waiting.findIndex((other) => other.at >= again);
      const group = waiting[place];
      if (group?.at === again) group.together.push(payment);
      else waiting.splice(place < 0 ? waiting.length : place, 0, { at: again, together: [payment] });
    }
  }
  return Array.from(decided.values(), paymentChange);
}

/**
 * Looks at the bank with all decided that is due by now. What was decided comes first among the changes, and the bank
 * itself is left as it was: who keeps the changes applies them.
 */
export function lookSettled<T extends { readonly changes?: readonly BankChange[] }>(
  books: Books,
  now: number,
  look: () => T,
): T {
  const settled = settleDue(books, now);
  if (settled.length === 0) return look();
  const seen = books.state.seenWith(settled, look);
  return { ...seen, changes: [...settled, ...(seen.changes ?? [])] };
}

/** The payment executed now, ahead of its time; null where it is not authorised or has ended. */
export function settlePayment(books: Books, payment: BankPayment, now: number): readonly BankChange[] | null {
  if (!isWaiting(payment)) return null;
  return executed(books, [{ ...payment, execution: null, dueAt: now }], now, {
    moved: new Map(),
    decided: new Map(),
  }).map(paymentChange);
}

/** Moves and decisions since the books were made. */
interface SoFar {
  /** Sums moved on each account, in minor units of its currency. */
  readonly moved: Map<string, number>;
  readonly decided: ReadonlyMap<string, BankPayment>;
}

interface Till {
  readonly account: Account | undefined;
  balance: number;
  /** Payments that are due later, those first that were first pending, and the sum of those covered so far. */
  readonly later: readonly BankPayment[];
  next: number;
  reserved: number;
}

/** `payments`: all due at that time. */
function executed(
  books: Books,
  payments: readonly BankPayment[],
  at: number,
  soFar: SoFar,
): readonly BankPayment[] {
  const tills = new Map<string, Till>();
  const parts = payments.flatMap(partsOf).sort(inOrderOfExecution);
  const own = new Set(parts.map(({ id }) => id));
  const till = (id: string): Till => {
    const known = tills.get(id) ?? openTill(books, id, at, soFar, own);
    tills.set(id, known);
    return known;
  };
  const move = (id: string | null, amount: number) => {
    if (id === null || amount === 0) return;
    // A till that is opened now counts all that was moved before.
    const own = till(id);
    soFar.moved.set(id, (soFar.moved.get(id) ?? 0) + amount);
    own.balance += amount;
  };
  const decided = parts.map((payment) => {
    if (payment.execution !== null) {
      move(payment.debtor, payment.execution.debited);
      return { ...payment, returnedAt: at };
    }
    const debtor = payment.debtor === null ? undefined : till(payment.debtor);
    const creditor = payment.creditor === null ? null : books.population.account(payment.creditor);
    const execution = decide(payment, at, debtor, creditor);
    move(payment.debtor, -execution.debited);
    move(payment.creditor, execution.credited);
    return { ...payment, execution };
  });
  const orders = payments.filter(isOrder).map((order) => {
    const own = decided.filter((part) => part.order === order.id);
    return afterRun(order, own, at, dueTimeOf);
  });
  return [...decided, ...orders];
}

function openTill(
  books: Books,
  id: string,
  at: number,
  { moved, decided }: SoFar,
  own: ReadonlySet<string>,
): Till {
  const account = books.population.account(id);
  // A payment due before was executed before; one that is due now takes its turn.
  const later = pendingPayments(books, id, at, decided)
    .filter((payment) => (payment.dueAt ?? 0) > at && !own.has(payment.id))
    .sort(firstPendingFirst);
  const balance = bookedBalance(books, id, at) + (moved.get(id) ?? 0);
  return { account, balance, later, next: 0, reserved: 0 };
}

/** What is left for a payment: what is due later, was pending before it and is covered keeps its money. */
function leftFor(payment: BankPayment, till: Till, account: Account): number {
  const left = () => till.balance + account.overdraft - till.reserved;
  for (; till.next < till.later.length; till.next++) {
    const later = till.later[till.next] as BankPayment;
    if (firstPendingFirst(later, payment) > 0) break;
    const debit = debitOf(later, account);
    if (debit <= left()) till.reserved += debit;
  }
  return left();
}

/** `creditor`: null where the account is at another bank, undefined where it is not there any more. */
function decide(
  payment: BankPayment,
  at: number,
  debtor: Till | undefined,
  creditor: Account | null | undefined,
): Execution {
  const reject = (reason: RejectReason) => rejection(reason, at);
  const account = debtor?.account;
  if (debtor === undefined || account === undefined || account.status === 'deleted') return reject('AC04');
  if (creditor === undefined || creditor?.status === 'deleted') return reject('AC07');
  if (account.status === 'blocked' || creditor?.status === 'blocked') return reject('AC06');
  const sides = sidesOf(payment, account.currency, creditor?.currency ?? null);
  if (sides === undefined) return reject('AM03');
  if (leftFor(payment, debtor, account) < sides.debited) return reject('AM04');
  return { at, outcome: 'booked', reason: null, ...sides };
}
