/** Folds one exchange into the ledger: the same live and offline, on clear and on redacted exchanges. */
import { type Answer, type Exchange, type Fingerprint, isObject, openAnswer } from '../exchange/index.js';
import { type Dialect, dialectOf, type OperationId, operationRow } from '../spec/index.js';
import { keepBounds } from './bounds.js';
import type { ChangeSet, Fold } from './change-set.js';
import type { LedgerChange, LedgerState } from './facts.js';
import { foldAccess, foldHistory, foldRequestId, foldUnanswered } from './fold-access.js';
import { foldAuthorize, foldDiscovery, foldRedirect } from './fold-authorize.js';
import { foldAuthorisation, foldCancellationStart, foldConsent, foldPayment } from './fold-creation.js';
import { foldLinks } from './fold-links.js';
import { foldFailedStep, foldStep } from './fold-sca.js';
import {
  foldAccounts,
  foldCancellation,
  foldConsentDeletion,
  foldConsentStatus,
  foldPaymentStatus,
  foldPoll,
  foldScaStatus,
} from './fold-status.js';
import { foldToken } from './fold-token.js';
import { ownerOf } from './keys.js';

const listAccounts: Fold = (changeSet, call, answer, tpp) => {
  foldAccess(changeSet, call, answer, tpp);
  foldAccounts(changeSet, call, answer, tpp);
};

const readTransactions: Fold = (changeSet, call, answer, tpp) => {
  foldAccess(changeSet, call, answer, tpp);
  foldHistory(changeSet, call, answer, tpp);
};

const cancelPayment: Fold = (changeSet, call, answer, tpp, know) => {
  foldCancellation(changeSet, call, answer, tpp, know);
  if (answer.status === 202) foldCancellationStart(changeSet, call, answer, tpp);
};

/** null: a success teaches nothing that a rule or an answerer could need. */
const FOLDS = {
  'consents.create': foldConsent,
  'consents.read': foldConsentStatus,
  'consents.status': foldConsentStatus,
  'consents.delete': foldConsentDeletion,
  'consents.authorisations.create': foldAuthorisation,
  'consents.authorisations.list': null,
  'consents.authorisations.read': foldStep,
  'consents.authorisations.update': foldStep,
  // Needs no owner: see `advance`.
  'oauth.authorize': null,
  'sca.redirect': null,
  'oauth.token': foldToken,
  'oauth.discovery': foldDiscovery,
  'accounts.list': listAccounts,
  'accounts.read': foldAccess,
  'accounts.balances': foldAccess,
  'accounts.transactions': readTransactions,
  'accounts.transaction': foldAccess,
  'payments.create': foldPayment,
  'payments.read': foldPaymentStatus,
  'payments.status': foldPoll,
  'payments.cancel': cancelPayment,
  'payments.authorisations.create': foldAuthorisation,
  'payments.authorisations.list': null,
  'payments.authorisations.read': foldStep,
  'payments.authorisations.update': foldStep,
  'payments.cancellation-authorisations.create': foldCancellationStart,
  'payments.cancellation-authorisations.update': foldScaStatus,
  'payments.cancellation-authorisations.list': null,
  'payments.cancellation-authorisations.read': foldScaStatus,
  'funds-confirmations.create': null,
  'notifications.simulate': null,
} as const satisfies Record<OperationId, Fold | null>;

/**
 * The changes that follow from an exchange, in order; the ledger itself is left as it is (see `applyChanges`). Holds
 * no secret: tokens and codes become fingerprints, and a fingerprint of a fingerprint is itself.
 */
export function advance(
  ledger: LedgerState,
  exchange: Exchange,
  fingerprint: Fingerprint,
  dialect: Dialect = dialectOf(),
): LedgerChange[] {
  const { call, injected } = exchange;
  if (call.operation === null || call.direction === 'to-tpp') return [];
  const isBanks = injected?.did === undefined;
  const answer = isBanks || exchange.answer === null ? exchange.answer : withoutStatements(exchange.answer);
  const tpp = ownerOf(call);
  const changeSet: ChangeSet = { ledger, changes: [], dialect };
  const heardAt = call.at + Math.ceil(exchange.elapsed.total);
  if (tpp !== null && operationRow(call.operation).requestId)
    foldRequestId(changeSet, call, tpp, fingerprint);
  if (answer !== null && answer.status >= 200 && answer.status < 400) {
    if (call.operation === 'oauth.authorize') foldAuthorize(changeSet, call, answer, fingerprint);
    else if (call.operation === 'sca.redirect') foldRedirect(changeSet, call, answer, fingerprint);
    else if (tpp !== null) {
      (FOLDS[call.operation] as Fold | null)?.(changeSet, call, answer, tpp, { fingerprint, heardAt });
      foldLinks(changeSet, call, answer, tpp);
    }
  } else if (tpp !== null && (answer === null || answer.status >= 500) && mayHaveGiven(injected)) {
    foldUnanswered(changeSet, call, tpp);
  } else if (tpp !== null && answer !== null && call.operation.endsWith('authorisations.update')) {
    foldFailedStep(changeSet, call, answer, tpp);
  }
  if (changeSet.changes.length > 0) keepBounds(changeSet, call.at);
  return changeSet.changes;
}

/** What the bank says of a resource, or of what a token is for. */
const STATEMENTS: ReadonlySet<string> = new Set([
  ...['consentStatus', 'transactionStatus', 'scaStatus', 'validUntil', 'frequencyPerDay', 'scope'],
]);

/** The TPP goes on with the ids and tokens of an answer that a fault changed; what else it says is nobody's word. */
function withoutStatements(answer: Answer): Answer {
  const { content } = answer;
  if (content.kind !== 'json' || !isObject(content.value)) return answer;
  const left = Object.entries(content.value).filter(([name]) => !STATEMENTS.has(name));
  return openAnswer(answer, { kind: 'json', value: Object.fromEntries(left) });
}

/** Whether the bank may have given what it was asked for, though its answer did not arrive. */
const mayHaveGiven = (injected: Exchange['injected']): boolean =>
  injected?.did === undefined || (injected.did !== null && injected.did < 400);
