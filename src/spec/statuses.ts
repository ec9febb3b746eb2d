/** The statuses of consents, payments and authorisations (§States), each with its place in the life of the resource. */
import type { StatusMember } from './operations.js';

interface LifeRow {
  readonly meaning: string;
  /** A status after which no other follows. */
  readonly final: boolean;
  /** Place on the way forward; a resource never falls back to a smaller one. */
  readonly rank: number;
  /** Not of the specification, but known of real banks: tolerated. */
  readonly tolerated?: true;
}

export const CONSENT_STATUSES = {
  received: { meaning: 'Received, not yet authorised', final: false, rank: 0 },
  partiallyAuthorised: {
    meaning: 'Some of several authorisations are done',
    final: false,
    rank: 1,
    tolerated: true,
  },
  valid: { meaning: 'Authorised and usable', final: false, rank: 2 },
  rejected: { meaning: 'The authorisation failed', final: true, rank: 3 },
  revokedByPsu: { meaning: 'Revoked by the PSU at the bank', final: true, rank: 3 },
  expired: { meaning: 'Past validUntil', final: true, rank: 3 },
  terminatedByTpp: { meaning: 'Deleted by the TPP', final: true, rank: 3 },
} as const satisfies Record<string, LifeRow>;
export type ConsentStatus = keyof typeof CONSENT_STATUSES;

/** ISO 20022 payment status codes; ranks after domain knowledge of the field. */
export const PAYMENT_STATUSES = {
  RCVD: { meaning: 'Received', final: false, rank: 0 },
  PDNG: { meaning: 'Pending', final: false, rank: 1 },
  PATC: { meaning: 'PartiallyAcceptedTechnicalCorrect', final: false, rank: 1 },
  ACTC: { meaning: 'AcceptedTechnicalValidation', final: false, rank: 2 },
  ACCP: { meaning: 'AcceptedCustomerProfile', final: false, rank: 3 },
  ACWC: { meaning: 'AcceptedWithChange', final: false, rank: 3 },
  ACFC: { meaning: 'AcceptedFundsChecked', final: false, rank: 4, tolerated: true },
  ACSP: { meaning: 'AcceptedSettlementInProcess', final: false, rank: 5 },
  ACWP: { meaning: 'AcceptedWithoutPosting', final: false, rank: 6 },
  PART: { meaning: 'PartiallyAccepted', final: false, rank: 6, tolerated: true },
  ACSC: { meaning: 'AcceptedSettlementCompleted', final: true, rank: 7 },
  ACCC: { meaning: 'AcceptedSettlementCompletedCreditorAccount', final: true, rank: 8, tolerated: true },
  RJCT: { meaning: 'Rejected', final: true, rank: 9 },
  CANC: { meaning: 'Cancelled', final: true, rank: 9 },
} as const satisfies Record<string, LifeRow>;
export type PaymentStatus = keyof typeof PAYMENT_STATUSES;

export const SCA_STATUSES = {
  received: { meaning: 'The authorisation was created', final: false, rank: 0 },
  psuIdentified: { meaning: 'The PSU is identified', final: false, rank: 1 },
  psuAuthenticated: { meaning: 'The PSU is authenticated by a first factor', final: false, rank: 2 },
  scaMethodSelected: { meaning: 'The SCA method is chosen', final: false, rank: 3 },
  started: { meaning: 'The SCA has started', final: false, rank: 4 },
  unconfirmed: {
    meaning: 'SCA done, the confirmation by the TPP is open',
    final: false,
    rank: 5,
    tolerated: true,
  },
  finalised: { meaning: 'SCA finished successfully', final: true, rank: 6 },
  failed: { meaning: 'SCA failed', final: true, rank: 6 },
  exempted: { meaning: 'SCA was exempted', final: true, rank: 6 },
} as const satisfies Record<string, LifeRow>;
export type ScaStatus = keyof typeof SCA_STATUSES;

/** The codes that the specification itself lists, without the tolerated ones. */
function listed<K extends string>(table: Record<K, LifeRow>): readonly K[] {
  return (Object.keys(table) as K[]).filter((code) => table[code].tolerated !== true);
}
export const SPECIFIED_CONSENT_STATUSES = listed<ConsentStatus>(CONSENT_STATUSES);
export const SPECIFIED_PAYMENT_STATUSES = listed<PaymentStatus>(PAYMENT_STATUSES);
export const SPECIFIED_SCA_STATUSES = listed<ScaStatus>(SCA_STATUSES);

/** By the member that tells it: the life that a status is of, and the codes of the specification. */
export const STATUSES = {
  consentStatus: { life: CONSENT_STATUSES, specified: SPECIFIED_CONSENT_STATUSES },
  transactionStatus: { life: PAYMENT_STATUSES, specified: SPECIFIED_PAYMENT_STATUSES },
  scaStatus: { life: SCA_STATUSES, specified: SPECIFIED_SCA_STATUSES },
} as const satisfies Record<StatusMember, unknown>;
