/** The payments of one user: kept before they are sent, sent once, and shown by the status that the bank gives. */
import { randomUUID } from 'node:crypto';
import { BankAway, BankRefusal } from '../connection.js';
import { createPayment, type Payment, type PaymentOrder, readPaymentStatus } from '../payments.js';
import type { LinkedBankParts } from './linked-bank.js';

export interface Order
  extends Pick<PaymentOrder, 'amount' | 'debtorIban' | 'creditorIban' | 'creditorName' | 'psuIp'> {
  /** Our own name for it. */
  readonly reference: string;
  /** The bank's; null where its answer never came. */
  readonly id: string | null;
  /** As the bank told it last; `unknown` where it never did. */
  readonly status: string;
}

export interface Orders {
  readonly place: (
    order: Omit<Order, 'reference' | 'id' | 'status'>,
  ) => Promise<Payment & { readonly reference: string }>;
  /** The newest first. */
  readonly all: () => readonly Order[];
  /** Asks the bank for the statuses that can still change; `psuIp`: the user is asking. Throws a `Problem` where some cannot be had. */
  readonly refresh: (psuIp?: string) => Promise<void>;
  /** undefined: there is no such order. */
  readonly refreshOne: (reference: string) => Promise<Order | undefined>;
}

const FINAL = new Set(['ACSC', 'RJCT', 'CANC']);
const MOST_ASKED = 20;
/** What is so new is not asked again for a user who presses reload. */
const FRESH_MS = 60_000;

export function createOrders({ bank, origin, now, explicit = () => false }: LinkedBankParts): Orders {
  const orders = new Map<string, Order>();
  const all = () => [...orders.values()].reverse();
  let askedAt = 0;

  async function refreshOne(reference: string): Promise<Order | undefined> {
    const order = orders.get(reference);
    if (order === undefined || order.id === null || FINAL.has(order.status)) return order;
    const fresh = { ...order, status: await readPaymentStatus(bank, { id: order.id }) };
    // Another answer may have come meanwhile; none takes a final status back.
    if (!FINAL.has(orders.get(reference)?.status ?? '')) orders.set(reference, fresh);
    return orders.get(reference);
  }

  return {
    all,
    refreshOne,
    place: async (order) => {
      const reference = randomUUID().replaceAll('-', '');
      const kept = { ...order, reference, id: null, status: 'unknown' };
      orders.set(reference, kept);
      const payment = await createPayment(bank, {
        ...order,
        ...{ reference, explicit: explicit(), redirectUri: `${origin()}/back` },
        notificationUri: `${origin()}/notified/${reference}`,
      }).catch((error: unknown) => {
        // The bank said no, so that there is none.
        if (error instanceof BankRefusal) orders.delete(reference);
        throw error instanceof BankAway ? new BankAway(UNDECIDED, { cause: error }) : error;
      });
      orders.set(reference, { ...kept, id: payment.id, status: payment.status });
      return { ...payment, reference };
    },
    refresh: async (psuIp) => {
      if (psuIp !== undefined && now() - askedAt < FRESH_MS) return;
      askedAt = now();
      const open = all().filter(({ id, status }) => id !== null && !FINAL.has(status));
      const asked = await Promise.allSettled(
        open.slice(0, MOST_ASKED).map(({ reference }) => refreshOne(reference)),
      );
      for (const one of asked) if (one.status === 'rejected') throw one.reason;
    },
  };
}

const UNDECIDED =
  'We do not know whether your bank has this payment. We do not send it again: nothing is paid without your yes at the bank, and you have not given it yet.';
