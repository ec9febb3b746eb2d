/** Whether a second authorisation is created where one was created with the resource (§Rules tied to creation 1). */
import type { ConsentFact, PaymentFact } from '../../ledger/index.js';
import {
  type ConsentStatus,
  DAY_MS,
  type PaymentStatus,
  SANDBOX,
  SANDBOX_PAYMENTS,
} from '../../spec/index.js';
import { type JudgeOptions, type Outcome, violation } from '../rule.js';

/** `created`: what the ledger knows of the creation. `id`: of the consent or payment in the path. */
export function judgeSecondAuthorisation(
  created: ConsentFact | PaymentFact | undefined,
  id: string,
  now: number,
  { profile }: JudgeOptions,
): Outcome {
  const implicit = created?.implicit ?? (profile === 'sandbox' ? isLiteralImplicit(id) : undefined);
  if (implicit === undefined) return 'not-observed';
  if (!implicit) return true;
  // Another PSU has to agree as well.
  if (created !== undefined && PARTLY.has(created.status)) return true;
  // A PSU is done, and the bank has not said whether that is all.
  if (created?.statusInferred === true && AGREED.has(created.status)) return 'not-observed';
  // A consent outlives its SCA: the bank asks for another one.
  if (created !== undefined && isLongAuthorised(created, now)) return 'not-observed';
  return violation(
    'path',
    'no further authorisation: the creation made one implicitly, and its answer holds the link',
    `a second authorisation of ${id}`,
  );
}

const PARTLY: ReadonlySet<string> = new Set<ConsentStatus | PaymentStatus>(['partiallyAuthorised', 'PATC']);

const AGREED: ReadonlySet<string> = new Set<ConsentStatus | PaymentStatus>(['valid', 'ACTC']);

/** Banks ask again after weeks. */
const SCA_LASTS_MS = 7 * DAY_MS;

function isLongAuthorised(created: ConsentFact | PaymentFact, now: number): boolean {
  if (!('validUntil' in created) || created.status !== 'valid') return false;
  return now - (created.scaAt ?? created.statusAt) >= SCA_LASTS_MS;
}

/** The literal ids that implicit and explicit creations return (reading `creation-ids`); undefined for all others. */
function isLiteralImplicit(id: string): boolean | undefined {
  if (id === SANDBOX.validConsent) return true;
  if (id === SANDBOX.consentWithoutAuthorisation) return false;
  const status = SANDBOX_PAYMENTS.get(id)?.status;
  if (status === 'RCVD') return true;
  return status === 'PATC' ? false : undefined;
}
