/** The stage of each operation in the life of a consent or payment, and which one a call is about. */
import { type Fingerprint, formValue, queryValue } from '../../exchange/index.js';
import { authorisationOf, codeKey, codeOf, ownerOf } from '../../ledger/index.js';
import { type OperationId, operationRow, parseScope, sandboxCodeScope } from '../../spec/index.js';
import type { Journey, Step } from '../model.js';
import { answerMembers, membersOf, type Seen } from './collector.js';

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

export interface Resource {
  readonly kind: Journey['kind'];
  readonly id: string;
}

/** The consent or payment that an exchange is about; null where it is about none, or none can be told. */
export function resourceOf(told: Told, fingerprint: Fingerprint): Resource | null {
  const { exchange } = told.record;
  const { call } = exchange;
  if (call.direction === 'to-tpp')
    return payment(call.content.kind === 'json' ? membersOf(call.content.value)['payment-ID'] : undefined);
  if (call.operation === null) return null;
  const { group } = operationRow(call.operation);
  if (group === 'oauth') return scopeResource(scopeOf(told, fingerprint));
  if (group === 'accounts') return consent(call.header['consent-id']);
  if (group === 'consents') return consent(call.params.consentId ?? answerMembers(exchange).consentId);
  if (group === 'payments') return payment(call.params.paymentId ?? answerMembers(exchange).paymentId);
  return call.operation === 'notifications.simulate' && call.content.kind === 'json'
    ? payment(membersOf(call.content.value).paymentId)
    : null;
}

const resource = (kind: Journey['kind'], id: unknown): Resource | null =>
  typeof id === 'string' && id !== '' && id.length <= 500 ? { kind, id } : null;
const consent = (id: unknown) => resource('consent', id);
const payment = (id: unknown) => resource('payment', id);

function scopeResource(scope: string | null | undefined): Resource | null {
  const parsed = scope === null || scope === undefined ? undefined : parseScope(scope);
  if (parsed === undefined) return null;
  return parsed.service === 'PIS' ? payment(parsed.id) : consent(parsed.id);
}

/** The scope of an OAuth call, as it says itself or as the ledger knows. */
function scopeOf(
  { record: { exchange }, ledger }: Told,
  fingerprint: Fingerprint,
): string | null | undefined {
  const { call } = exchange;
  if (call.operation === 'oauth.authorize')
    return (
      queryValue(exchange.call, 'scope') ?? authorisationOf(ledger, call.params.authorisationId ?? '')?.scope
    );
  if (call.operation === 'oauth.discovery')
    return authorisationOf(ledger, queryValue(exchange.call, 'authorizationId') ?? '')?.scope;
  const { scope } = answerMembers(exchange);
  if (typeof scope === 'string') return scope;
  const code = formValue(exchange.call.content, 'code');
  if (code !== undefined)
    return codeOf(ledger, codeKey(code, fingerprint), ownerOf(call))?.scope ?? sandboxCodeScope(code);
  const refresh = formValue(exchange.call.content, 'refresh_token');
  return refresh === undefined ? undefined : ledger.refreshTokens.get(fingerprint(refresh))?.scope;
}
