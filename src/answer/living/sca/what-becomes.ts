/** What an SCA leaves behind, in a sentence to the PSU: the consent or the payment as it stands now. */
import {
  type BankAuthorisation,
  type BankConsent,
  type BankPayment,
  type Books,
  consentStatusAt,
  paymentStatusAt,
} from '../../../bank/index.js';
import { CONSENT_STATUSES, PAYMENT_STATUSES } from '../../../spec/index.js';

export function whatBecomes({ state }: Books, { of, resource }: BankAuthorisation, now: number): string {
  const consent = of === 'consent' ? state.bankConsents.get(resource) : undefined;
  if (consent !== undefined) return ofConsent(consent, now);
  const payment = state.bankPayments.get(resource);
  return payment === undefined ? '' : ofPayment(payment, of === 'payment', now);
}

function ofConsent(consent: BankConsent, now: number): string {
  const status = consentStatusAt(consent, now);
  switch (status) {
    case 'valid':
      return `The consent is valid until ${consent.validUntil}. You can take it back here at any time.`;
    case 'received':
      return 'The consent is not given: it still waits for an authorisation.';
    default:
      return `The consent is ${status}, so nothing can be read with it. ${CONSENT_STATUSES[status].meaning}.`;
  }
}

function ofPayment(payment: BankPayment, isAuthorisation: boolean, now: number): string {
  const status = paymentStatusAt(payment, now);
  const stands = `${PAYMENT_STATUSES[status].meaning} (${status})`;
  if (status === 'RJCT' || status === 'CANC') return `The payment will not be executed: ${stands}.`;
  if (status === 'RCVD' || status === 'PATC')
    return `The payment still waits for its authorisation: ${stands}.`;
  return `The payment ${isAuthorisation ? 'goes on' : 'is not cancelled'}: ${stands}.`;
}
