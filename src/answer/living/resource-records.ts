/** Consents and payments of the living bank as their TPP reads them. */
import {
  type BankConsent,
  type BankPayment,
  type Books,
  consentStatusAt,
  paymentStatusAt,
  type RejectReason,
  rejectionOf,
  shownAccess,
} from '../../bank/index.js';
import { bankDateAt, type PaymentStatus } from '../../spec/index.js';
import { href } from '../emulator/links.js';
import type { LivingBank } from './living.js';

/** Texts of psuMessage for rejected payments. */
const REJECTIONS = {
  AC04: 'The account of the debtor is closed (AC04).',
  AC06: 'An account is blocked (AC06).',
  AC07: 'The account of the creditor is closed (AC07).',
  AM03: 'The currency is not exchanged (AM03).',
  AM04: 'Not enough money on the account of the debtor (AM04).',
  MS02: 'The PSU did not authorise the payment (MS02).',
  MS03: 'The bank rejected the payment (MS03).',
} as const satisfies Record<RejectReason, string>;

export function consentRecord(
  { links, population }: Pick<LivingBank, 'links'> & Pick<Books, 'population'>,
  consent: BankConsent,
  now: number,
) {
  const consentStatus = consentStatusAt(consent, now);
  return {
    access: shownAccess(consent, population),
    recurringIndicator: consent.recurring,
    validUntil: consent.validUntil,
    frequencyPerDay: consent.frequencyPerDay,
    lastActionDate: bankDateAt(consent.lastActionAt),
    consentStatus,
    ...(consentStatus === 'valid' ? { _links: { account: href(links.to('accounts.list')) } } : {}),
  };
}

const MOVED: ReadonlySet<string> = new Set<PaymentStatus>(['ACWC', 'ACSP', 'ACSC']);

/** `body`: as it was posted, where that is not in memory. */
export function paymentRecord(payment: BankPayment, now: number, body: object = payment.body) {
  const { habit, dueAt } = payment;
  const status = statusRecord(payment, now);
  // Once it is told that it was changed, it shows the day to which it was moved.
  const isMoved = habit === 'changed' && dueAt !== null && MOVED.has(status.transactionStatus);
  const moved = isMoved ? { requestedExecutionDate: bankDateAt(dueAt) } : {};
  return { ...body, ...moved, ...status };
}

export function statusRecord(payment: BankPayment, now: number) {
  const transactionStatus = paymentStatusAt(payment, now);
  const reason = rejectionOf(payment, now);
  return { transactionStatus, ...(reason === null ? {} : { psuMessage: REJECTIONS[reason] }) };
}
