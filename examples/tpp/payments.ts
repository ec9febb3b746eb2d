/** Payments: one SEPA credit transfer, its status, its cancellation. */
import * as z from 'zod';
import { linkOf, links } from './authorisation.js';
import { type BankSettings, callBank, psuHeaders } from './connection.js';

const PRODUCT = '/payments/sepa-credit-transfers';

export interface PaymentOrder {
  /** In EUR, as a decimal text: `123.50`. */
  readonly amount: string;
  readonly debtorIban: string;
  readonly creditorIban: string;
  readonly creditorName: string;
  readonly redirectUri: string;
  readonly psuIp: string;
  /** The TPP's own name for it, that the bank passes on. */
  readonly reference?: string;
  /** Where the bank tells that the status has changed. */
  readonly notificationUri?: string;
  readonly explicit?: boolean;
}

export interface Payment {
  readonly id: string;
  readonly status: string;
  /** Leads to the PSU's authorisation; null where the bank wants it started by a call. */
  readonly link: string | null;
}

const created = z.object({ paymentId: z.string().min(1), transactionStatus: z.string(), _links: links });
const told = z.object({ transactionStatus: z.string().min(1) });

/**
 * Sent once. Where a `BankAway` comes of it the bank may have the payment or not: who sends it again may pay twice.
 * Without the PSU's authorisation nothing is paid.
 */
export async function createPayment(bank: BankSettings, order: PaymentOrder): Promise<Payment> {
  const { reference, notificationUri } = order;
  const answer = await callBank(bank, {
    method: 'POST',
    path: PRODUCT,
    headers: {
      'TPP-Redirect-URI': order.redirectUri,
      'TPP-Explicit-Authorisation-Preferred': String(order.explicit ?? false),
      ...(notificationUri === undefined ? {} : { 'TPP-Notification-URI': notificationUri }),
      ...psuHeaders(order.psuIp),
    },
    json: {
      ...(reference === undefined ? {} : { endToEndIdentification: reference }),
      instructedAmount: { currency: 'EUR', amount: order.amount },
      debtorAccount: { iban: order.debtorIban },
      creditorAccount: { iban: order.creditorIban },
      creditorName: order.creditorName,
    },
    answers: created,
  });
  return { id: answer.paymentId, status: answer.transactionStatus, link: linkOf(answer) };
}

export const pathOfPayment = ({ id }: Pick<Payment, 'id'>): string => `${PRODUCT}/${id}`;

/** A code that is new to us is given as it is. */
export async function readPaymentStatus(bank: BankSettings, payment: Pick<Payment, 'id'>): Promise<string> {
  const { transactionStatus } = await callBank(bank, {
    path: `${pathOfPayment(payment)}/status`,
    headers: { 'Consent-Id': payment.id },
    answers: told,
  });
  return transactionStatus;
}

export async function cancelPayment(bank: BankSettings, payment: Pick<Payment, 'id'>): Promise<void> {
  await callBank(bank, {
    method: 'DELETE',
    path: pathOfPayment(payment),
    headers: { 'Consent-Id': payment.id },
    answers: z.unknown(),
  });
}
