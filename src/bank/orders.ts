/** Orders that are several payments: periodic and bulk ones. Each of their payments is one of its own from its execution on. */
import { bankDayAt, dateOf, PAYMENT_PRODUCTS, type PaymentService, type ProductCode } from '../spec/index.js';
import type { BankPayment, Execution, PaymentPart } from './facts.js';
import { shownBody } from './shown-body.js';
import { standingOrderAfter, standingOrderFrom } from './standing-orders.js';

export const isOrder = ({ standing, parts }: BankPayment): boolean =>
  standing !== undefined || parts !== undefined;

export function serviceOf({ standing, parts }: BankPayment): PaymentService {
  return standing !== undefined ? 'periodic-payments' : parts !== undefined ? 'bulk-payments' : 'payments';
}

const CODES: ReadonlyMap<string, ProductCode> = new Map(Object.entries(PAYMENT_PRODUCTS));

export function codeOf({ like, product }: Pick<BankPayment, 'like' | 'product'>): ProductCode {
  return like ?? CODES.get(product) ?? 'SCT';
}

/** The payments that it makes next; an ordinary one is that itself. */
export function partsOf(payment: BankPayment): readonly BankPayment[] {
  const { standing, parts, body } = payment;
  if (standing !== undefined)
    return [partOf(payment, standing.done ?? 0, { ...payment, body: withDay(body, dateOf(standing.day)) })];
  return parts === undefined ? [payment] : parts.map((part, nth) => partOf(payment, nth, part));
}

const withDay = (body: object, day: string): object => ({ ...shownBody(body), requestedExecutionDate: day });

function partOf(order: BankPayment, nth: number, { body, amount, creditor }: PaymentPart): BankPayment {
  const { standing, parts, watch, sentAs, ...common } = order;
  return {
    ...common,
    id: partId(order.id, nth),
    order: order.id,
    createdAt: order.dueAt ?? order.createdAt,
    ...{ body, amount, creditor },
    watch: null,
    authorisations: [],
    cancellationAuthorisations: [],
  };
}

/** By this id, in the order of their numbers. */
export const partId = (order: string, nth: number): string => `${order}-${String(nth + 1).padStart(4, '0')}`;

/** The payment as it is authorised at a time; undefined where none of its payments is still to come. */
export function begun(payment: BankPayment, now: number): BankPayment | undefined {
  if (payment.standing === undefined) return payment;
  const standing = standingOrderFrom(payment.standing, bankDayAt(now));
  return standing && { ...payment, standing };
}

/** The order after its payments were decided (readings `standing-order-life`, `bulk-payment-life`). */
export function afterRun(
  order: BankPayment,
  decided: readonly BankPayment[],
  at: number,
  dueTimeOf: (order: BankPayment, at: number) => number,
): BankPayment {
  const outcomes = decided.flatMap(({ execution }) => execution ?? []);
  const [first] = outcomes;
  const { standing } = order;
  const end = (outcome: Execution['outcome'], reason: Execution['reason'] = null): BankPayment => ({
    ...order,
    execution: { at, outcome, reason, debited: 0, credited: 0 },
  });
  if (standing === undefined) {
    const booked = outcomes.filter(({ outcome }) => outcome === 'booked').length;
    if (booked === 0) return end('rejected', first?.reason);
    return end(booked === outcomes.length ? 'booked' : 'partly');
  }
  // No payment follows from or to an account that is closed.
  if (first?.reason === 'AC04' || first?.reason === 'AC07') return end('rejected', first.reason);
  const done = { done: (standing.done ?? 0) + 1, firstAt: standing.firstAt ?? at };
  const next = standingOrderAfter({ ...standing, ...done });
  if (next === undefined) return { ...end('booked'), standing: { ...standing, ...done } };
  const goesOn = { ...order, standing: next };
  return { ...goesOn, dueAt: dueTimeOf(goesOn, at) };
}
