import { authorisationOf, consentOf, ownerOf, paymentOf } from '../../ledger/index.js';
import {
  CONSENT_STATUSES,
  PAYMENT_STATUSES,
  SANDBOX_AUTHORISATIONS,
  SANDBOX_PAYMENTS,
  SCA_STATUSES,
  sandboxConsent,
} from '../../spec/index.js';
import { answerMember } from '../checks/bank-answer.js';
import { defineRule, type ExchangeContext, type Outcome, violation } from '../rule.js';

interface Reading {
  readonly member: 'consentStatus' | 'transactionStatus' | 'scaStatus';
  readonly life: Readonly<Record<string, { readonly final: boolean; readonly rank: number }>>;
  readonly before: string | undefined;
  /** When it was told, epoch ms; 0 where that does not matter. */
  readonly toldAt: number;
  /** The status that a literal sandbox id returns, whatever happened to it (reading delete-sandbox-ids). */
  readonly fixed: string | undefined;
  /** It was deleted, and the bank has not said since how it ended: it may have ended before. */
  readonly isDeleted?: boolean;
}

export default defineRule({
  id: 'answers/status-moves-forward',
  statement: 'A consent, payment or authorisation never leaves a final status, nor falls back in rank',
  sources: ['BG', 'ISO20022'],
  judges: 'aspsp',
  severity: { sandbox: 'should', production: 'should' },
  appliesTo: ({ tells, creates }) => tells.length > 0 && creates === null,
  needs: ['bank-success', 'answer-json'],
  why: 'A client has already acted on the final status, and cannot undo that.',
  fix: 'Keep the newest status of a resource, and answer every read from it.',
  examples: {
    complies: 'transactionStatus ACTC, later ACSC',
    violates: 'transactionStatus ACSC, later ACSP; consentStatus revokedByPsu, later valid',
  },
  check: (context) => {
    const reading = readingOf(context);
    // In parallel reads the older answer may come last.
    if (context.call.at < reading.toldAt) return 'not-applicable';
    const now = answerMember(context.answer, reading.member);
    return typeof now === 'string' ? judge(reading, now, context.options.profile) : 'not-applicable';
  },
});

function readingOf({ call, ledger }: ExchangeContext): Reading {
  const { consentId = '', paymentId = '', authorisationId } = call.params;
  if (authorisationId !== undefined) {
    const id = authorisationId.toLowerCase();
    const tpp = ownerOf(call) ?? undefined;
    return {
      member: 'scaStatus',
      life: SCA_STATUSES,
      toldAt: 0,
      before: saidOf(authorisationOf(ledger, authorisationId, tpp) ?? authorisationOf(ledger, id, tpp)),
      fixed: Object.hasOwn(SANDBOX_AUTHORISATIONS, id)
        ? SANDBOX_AUTHORISATIONS[id as keyof typeof SANDBOX_AUTHORISATIONS]
        : undefined,
    };
  }
  if (call.params.consentId !== undefined) {
    const consent = consentOf(ledger, ownerOf(call), consentId);
    return {
      member: 'consentStatus',
      life: CONSENT_STATUSES,
      before: saidOf(consent),
      isDeleted: consent?.statusInferred === true && consent.deletedAt !== undefined,
      toldAt: consent?.statusAt ?? 0,
      fixed: sandboxConsent(consentId)?.status,
    };
  }
  const payment = paymentOf(ledger, ownerOf(call), paymentId);
  return {
    member: 'transactionStatus',
    life: PAYMENT_STATUSES,
    before: saidOf(payment),
    toldAt: payment?.statusAt ?? 0,
    fixed: SANDBOX_PAYMENTS.get(paymentId)?.status,
  };
}

/** The bank's own words only: a PSU may be done before every part of the bank knows. */
function saidOf(
  fact: { readonly status: string; readonly statusInferred?: true } | undefined,
): string | undefined {
  return fact?.statusInferred === true ? undefined : fact?.status;
}

function judge(reading: Reading, now: string, profile: string): Outcome {
  const { member, life, before, fixed, isDeleted = false } = reading;
  if (before === undefined && !isDeleted) return 'not-applicable';
  if (now === before || (profile === 'sandbox' && now === fixed)) return true;
  const to = rowOf(life, now);
  if (isDeleted) {
    const expected = 'a status that is final: the consent was deleted';
    return to === undefined
      ? 'not-applicable'
      : to.final || violation(`answer body ${member}`, expected, now);
  }
  const from = rowOf(life, before ?? '');
  // A status that nobody knows is judged by the rules of known statuses.
  if (from === undefined || to === undefined) return 'not-applicable';
  // ACSC to ACCC is the one step between final statuses: settled here, then at the creditor's bank.
  const settledFurther = now === 'ACCC' && before === 'ACSC';
  // A bank may let the TPP end what had ended already.
  const endedTwice = now === 'terminatedByTpp';
  if ((!from.final || settledFurther || endedTwice) && to.rank >= from.rank) return true;
  const expected = from.final ? `${before}, which is final` : `${before}, or what follows it`;
  return violation(`answer body ${member}`, expected, now);
}

function rowOf(life: Reading['life'], status: string): Reading['life'][string] | undefined {
  return Object.hasOwn(life, status) ? life[status] : undefined;
}
