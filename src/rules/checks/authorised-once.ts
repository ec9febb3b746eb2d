/** Whether a second authorisation is created where one was created with the resource (§Rules tied to creation 1). */
import type { ConsentFact, PaymentFact } from '../../ledger/index.js';
import { SANDBOX, SANDBOX_PAYMENTS } from '../../spec/index.js';
import { type JudgeOptions, type Outcome, violation } from '../rule.js';

/** `created`: what the ledger knows of the creation. `id`: of the consent or payment in the path. */
export function judgeSecondAuthorisation(
  created: ConsentFact | PaymentFact | undefined,
  id: string,
  { profile }: JudgeOptions,
): Outcome {
  const implicit = created?.implicit ?? (profile === 'sandbox' ? isLiteralImplicit(id) : undefined);
  if (implicit === undefined) return 'not-observed';
  if (!implicit) return true;
  return violation(
    'path',
    'no further authorisation: the creation made one implicitly, and its answer holds the link',
    `a second authorisation of ${id}`,
  );
}

/** The literal ids that implicit and explicit creations return (reading `creation-ids`); undefined for all others. */
function isLiteralImplicit(id: string): boolean | undefined {
  if (id === SANDBOX.validConsent) return true;
  if (id === SANDBOX.consentWithoutAuthorisation) return false;
  const status = SANDBOX_PAYMENTS.get(id)?.status;
  if (status === 'RCVD') return true;
  return status === 'PATC' ? false : undefined;
}
