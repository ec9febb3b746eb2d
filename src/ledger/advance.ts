/** Folds one exchange into the ledger: the same live and offline, on clear and on redacted exchanges. */
import type { Answer, Call, Exchange, Fingerprint } from '../exchange/index.js';
import { type OperationId, operationRow } from '../spec/index.js';
import { keepBounds } from './bounds.js';
import type { Draft } from './draft.js';
import type { Ledger, LedgerChange } from './facts.js';
import { ownerOf } from './keys.js';
import { learnAccess, learnRequestId, learnUnanswered } from './learn-access.js';
import { learnAuthorize, learnDiscovery } from './learn-authorize.js';
import { learnAuthorisation, learnConsent, learnPayment } from './learn-creation.js';
import { learnHistory } from './learn-history.js';
import { learnLinks } from './learn-links.js';
import {
  learnAccounts,
  learnCancellation,
  learnConsentDeletion,
  learnConsentStatus,
  learnPaymentStatus,
  learnPoll,
  learnScaStatus,
} from './learn-status.js';
import { learnToken } from './learn-token.js';
import { applyChanges } from './ledger.js';

/** What a success teaches; only called with an owner. */
type Learn = (
  draft: Draft,
  call: Call,
  answer: Answer,
  tpp: string,
  /** `heardAt`: when the answer was there, epoch ms. */
  know: { readonly fingerprint: Fingerprint; readonly heardAt: number },
) => void;

const listAccounts: Learn = (draft, call, answer, tpp) => {
  learnAccess(draft, call, answer, tpp);
  learnAccounts(draft, call, answer, tpp);
};

const readTransactions: Learn = (draft, call, answer, tpp) => {
  learnAccess(draft, call, answer, tpp);
  learnHistory(draft, call, answer, tpp);
};

/** null: a success teaches nothing that a rule or an answerer could need. */
const LEARN = {
  'consents.create': learnConsent,
  'consents.read': learnConsentStatus,
  'consents.status': learnConsentStatus,
  'consents.delete': learnConsentDeletion,
  'consents.authorisations.create': learnAuthorisation,
  'consents.authorisations.list': null,
  'consents.authorisations.read': learnScaStatus,
  // Needs no owner: see `advance`.
  'oauth.authorize': null,
  'oauth.token': learnToken,
  'oauth.discovery': learnDiscovery,
  'accounts.list': listAccounts,
  'accounts.read': learnAccess,
  'accounts.balances': learnAccess,
  'accounts.transactions': readTransactions,
  'payments.create': learnPayment,
  'payments.read': learnPaymentStatus,
  'payments.status': learnPoll,
  'payments.cancel': learnCancellation,
  'payments.authorisations.create': learnAuthorisation,
  'payments.authorisations.list': null,
  'payments.authorisations.read': learnScaStatus,
  'payments.cancellation-authorisations.list': null,
  'payments.cancellation-authorisations.read': null,
  'funds-confirmations.create': null,
  'notifications.simulate': null,
} as const satisfies Record<OperationId, Learn | null>;

/** What an exchange adds, added: for whoever folds a recording. Moves the ledger on in place. */
export function learn(ledger: Ledger, exchange: Exchange, fingerprint: Fingerprint): void {
  applyChanges(ledger, advance(ledger, exchange, fingerprint));
}

/**
 * The changes that follow from an exchange, in order; the ledger itself is left as it is (see `applyChanges`). Holds
 * no secret: tokens and codes become fingerprints, and a fingerprint of a fingerprint is itself.
 */
export function advance(ledger: Ledger, exchange: Exchange, fingerprint: Fingerprint): LedgerChange[] {
  const { call, answer } = exchange;
  if (call.operation === null || call.direction === 'to-tpp') return [];
  const tpp = ownerOf(call);
  const draft: Draft = { ledger, changes: [] };
  const heardAt = call.at + Math.ceil(exchange.elapsed.total);
  if (tpp !== null && operationRow(call.operation).requestId) learnRequestId(draft, call, tpp);
  if (answer !== null && answer.status >= 200 && answer.status < 400) {
    if (call.operation === 'oauth.authorize') learnAuthorize(draft, call, answer, fingerprint);
    else if (tpp !== null) {
      (LEARN[call.operation] as Learn | null)?.(draft, call, answer, tpp, { fingerprint, heardAt });
      learnLinks(draft, call, answer, tpp);
    }
  } else if (tpp !== null && (answer === null || answer.status >= 500)) {
    learnUnanswered(draft, call, tpp);
  }
  if (draft.changes.length > 0) keepBounds(draft, call.at);
  return draft.changes;
}
