/** Payments: one SEPA credit transfer, its status, its cancellation. */
import { type BankSettings, callBank, type Links, linkIn, psuHeaders } from './connection.js';

const PRODUCT = '/payments/sepa-credit-transfers';

export interface PaymentOrder {
  /** In EUR, as a decimal text: `123.50`. */
  readonly amount: string;
  readonly debtorIban: string;
  readonly creditorIban: string;
  readonly creditorName: string;
  readonly redirectUri: string;
  readonly psuIp: string;
}

export interface Payment {
  readonly id: string;
  readonly status: string;
  /** Leads to the PSU's authorisation. */
  readonly link: string;
}

export async function createPayment(bank: BankSettings, order: PaymentOrder): Promise<Payment> {
  const created = await callBank<{ paymentId: string; transactionStatus: string } & Links>(bank, {
    method: 'POST',
    path: PRODUCT,
    headers: {
      'TPP-Redirect-URI': order.redirectUri,
      'TPP-Explicit-Authorisation-Preferred': 'false',
      ...psuHeaders(order.psuIp),
    },
    json: {
      instructedAmount: { currency: 'EUR', amount: order.amount },
      debtorAccount: { iban: order.debtorIban },
      creditorAccount: { iban: order.creditorIban },
      creditorName: order.creditorName,
    },
  });
  return {
    id: created.paymentId,
    status: created.transactionStatus,
    link: linkIn(created),
  };
}

export async function readPaymentStatus(bank: BankSettings, { id }: Payment): Promise<string> {
  const answer = await callBank<{ transactionStatus: string }>(bank, {
    path: `${PRODUCT}/${id}/status`,
    headers: { 'Consent-Id': id },
  });
  return answer.transactionStatus;
}

export async function cancelPayment(bank: BankSettings, { id }: Payment): Promise<void> {
  await callBank(bank, { method: 'DELETE', path: `${PRODUCT}/${id}`, headers: { 'Consent-Id': id } });
}
