/** The stage of each operation in the life of a consent or payment, and which one a call is about. */
import { type Fingerprint, type NamedResource, namedResource } from '../../exchange/index.js';
import { withScope } from '../../ledger/index.js';
import type { OperationId } from '../../spec/index.js';
import type { Step } from '../model.js';
import type { Seen } from './collector.js';

/** `failed`: the label where the answer was no success, unless the label is true of that too. */
export type Stage = readonly [stage: Step['stage'], label: string, failed?: string];

/** null: no step of a journey. */
const STAGES = {
  'consents.create': ['created', 'Consent created', 'Creation failed'],
  'consents.authorisations.create': ['created', 'Authorisation created', 'Start of authorisation failed'],
  'consents.authorisations.list': ['status', 'Authorisations listed', 'Listing failed'],
  'consents.authorisations.read': ['status', 'Authorisation read', 'Reading failed'],
  'consents.read': ['status', 'Consent read', 'Reading failed'],
  'consents.status': ['status', 'Status read', 'Reading failed'],
  'consents.delete': ['revoked', 'Consent deleted', 'Deletion failed'],
  'oauth.discovery': ['authorised', 'Discovery document read', 'Reading failed'],
  'oauth.authorize': ['authorised', 'PSU at the bank'],
  'oauth.token': ['token', 'Token requested'],
  'accounts.list': ['access', 'Accounts'],
  'accounts.read': ['access', 'Account'],
  'accounts.balances': ['access', 'Balances'],
  'accounts.transactions': ['access', 'Transactions'],
  'payments.create': ['created', 'Payment created', 'Creation failed'],
  'payments.authorisations.create': ['created', 'Authorisation created', 'Start of authorisation failed'],
  'payments.authorisations.list': ['status', 'Authorisations listed', 'Listing failed'],
  'payments.authorisations.read': ['status', 'Authorisation read', 'Reading failed'],
  'payments.read': ['access', 'Payment read', 'Reading failed'],
  'payments.status': ['status', 'Status read', 'Reading failed'],
  'payments.cancel': ['revoked', 'Cancellation requested'],
  'payments.cancellation-authorisations.list': [
    'status',
    'Cancellation authorisations listed',
    'Listing failed',
  ],
  'payments.cancellation-authorisations.read': [
    'status',
    'Cancellation authorisation read',
    'Reading failed',
  ],
  'funds-confirmations.create': null,
  'notifications.simulate': ['notified', 'Notification simulated', 'Simulation failed'],
} as const satisfies Record<OperationId, Stage | null>;

/** What of an exchange tells its place in a journey. */
export type Told = Pick<Seen, 'record' | 'ledger'>;

export function stageOf({ record: { exchange } }: Pick<Told, 'record'>): Stage | null {
  const { operation, direction } = exchange.call;
  if (direction === 'to-tpp') return ['notified', 'Notification sent'];
  return operation === null ? null : STAGES[operation];
}

/** The consent or payment that an exchange is about, by what it says or the ledger knows; null where none can be told. */
export function resourceOf({ record, ledger }: Told, fingerprint: Fingerprint): NamedResource | null {
  return namedResource(withScope(record.exchange, ledger, fingerprint));
}
