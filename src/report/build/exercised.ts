/** Operations that the recording exercises, against how they ended for the TPP. */
import {
  type Exchange,
  formValue,
  isFailedConnection,
  isReplaced,
  type NamedResource,
  namedResource,
} from '../../exchange/index.js';
import { consentOf, ownerOf } from '../../ledger/index.js';
import {
  type Dialect,
  type OperationId,
  operationRow,
  PAYMENT_SERVICES,
  type PaymentService,
  resourceCreatedBy,
} from '../../spec/index.js';
import type { Exercised, Report } from '../model.js';
import type { Collector, Seen } from './collector.js';
import { authorisationKind } from './coverage.js';
import { type Outcome, scaOutcomeOf } from './sca-outcome.js';

/** SCAs of the PSU come with the first ones; the others are single calls. */
const WITH_PSU = [
  ['link-implicit', 'Link accounts, implicit'],
  ['link-explicit', 'Link accounts, explicit'],
  ['renew', 'Renew a consent'],
] as const;
const CANCEL = ['cancel-payment', 'Cancel a payment'] as const;
const ALONE = [
  ['revoke-consent', 'Revoke a consent'],
  ['refresh-token', 'Refresh a token'],
  ['read-accounts', 'Read accounts'],
  ['read-balances', 'Read balances'],
  ['read-transactions', 'Read transactions'],
  ['confirm-funds', 'Confirm funds'],
] as const;

const ALONE_BY_OPERATION: Readonly<Partial<Record<OperationId, (typeof ALONE)[number][0]>>> = {
  'consents.delete': 'revoke-consent',
  'accounts.list': 'read-accounts',
  'accounts.read': 'read-accounts',
  'accounts.balances': 'read-balances',
  'accounts.transactions': 'read-transactions',
  'accounts.transaction': 'read-transactions',
  'funds-confirmations.create': 'confirm-funds',
};

const SERVICES: Readonly<Record<PaymentService, string>> = {
  payments: 'Payment',
  'bulk-payments': 'Bulk payment',
  'periodic-payments': 'Standing order',
};

/** An SCA that was begun, until its end is known. */
interface Attempt {
  readonly row: Exercised;
  ended: Outcome | null;
  wasAuthorised: boolean;
}

/** Attempts beyond these are counted as they stand: none of them is known to end. */
const MOST_ATTEMPTS = 50_000;

export function collectExercised(dialects: readonly Dialect[]): Collector<Report['exercised']> {
  const rows = createRows(dialects);
  const attempts = new Map<string, Attempt>();

  function begin(key: string, row: Exercised): void {
    const known = attempts.get(key);
    attempts.delete(key);
    const [oldest] = attempts.keys();
    if (attempts.size >= MOST_ATTEMPTS && oldest !== undefined) attempts.delete(oldest);
    attempts.set(key, { row, ended: null, wasAuthorised: known?.wasAuthorised ?? false });
    add(row, 'open');
  }

  function end(attempt: Attempt, outcome: Outcome, isRedirect: boolean): void {
    const { row, ended } = attempt;
    const isMore = ended !== null && ended !== 'open';
    // One end is told in several places; each return of the PSU is an end of its own.
    if (isMore && !isRedirect && (ended === outcome || outcome === 'open')) return;
    if (!isMore) row.outcomes.open--;
    add(row, outcome);
    attempt.ended = outcome;
    attempt.wasAuthorised ||= outcome === 'success';
  }

  function takeSca(seen: Seen): void {
    const { call } = seen.record.exchange;
    const resource = namedResource(seen.record.exchange);
    if (resource === null) return;
    const { operation } = call;
    const isCancelling = operation === 'payments.cancel' || operation?.includes('.cancellation-') === true;
    const place = `${resource.kind} ${resource.id}`;
    const key = isCancelling ? `cancel ${place}` : place;
    const creates = operation === null ? null : operationRow(operation).creates;
    if (operation === 'payments.cancel') begin(key, rows.of(CANCEL[0]));
    else if (seen.ok && creates === 'authorisation') beginAgain(key, seen, resource);
    else if (seen.ok && creates !== null) begin(key, rows.createdBy(seen.record.exchange));
    const told = scaOutcomeOf(seen);
    const isCancelled = told?.outcome === 'cancelled';
    const attempt = attempts.get(isCancelled ? `cancel ${place}` : key);
    if (told === null || attempt === undefined) return;
    end(attempt, told.outcome === 'cancelled' ? 'success' : told.outcome, told.isRedirect);
  }

  /** The first authorisation of an explicit creation belongs to it; a later one is another try. */
  function beginAgain(key: string, { ledger, record }: Seen, { kind, id }: NamedResource): void {
    const attempt = attempts.get(key);
    if (attempt !== undefined && attempt.ended === null) return;
    const isConsent = kind === 'consent' && !key.startsWith('cancel ');
    const before = isConsent ? consentOf(ledger, ownerOf(record.exchange.call), id) : undefined;
    const wasAuthorised = attempt?.wasAuthorised ?? before?.scaAt !== undefined;
    if (isConsent && wasAuthorised) begin(key, rows.of('renew'));
    else if (attempt !== undefined) begin(key, attempt.row);
    else if (isConsent) begin(key, rows.of('link-explicit'));
    else if (key.startsWith('cancel ')) begin(key, rows.of(CANCEL[0]));
  }

  return {
    take(seen) {
      const { exchange } = seen.record;
      const { call } = exchange;
      if (isFailedConnection(exchange) || (call.operation === null && call.direction === 'to-bank')) return;
      const alone = aloneOf(seen);
      if (alone !== undefined) add(rows.of(alone), outcomeOf(seen));
      else if (!seen.ok && resourceCreatedBy(call.operation) !== null)
        add(rows.createdBy(exchange), outcomeOf(seen));
      else takeSca(seen);
    },
    finish: () => ({ rows: rows.list() }),
  };
}

function aloneOf({ record: { exchange }, status }: Seen): string | undefined {
  const { operation, content } = exchange.call;
  if (operation === null) return undefined;
  if (operation === 'oauth.token')
    return formValue(content, 'grant_type') === 'refresh_token' ? 'refresh-token' : undefined;
  // Accepted, a cancellation may need an SCA, and ends later.
  if (operation === 'payments.cancel') return status === 202 ? undefined : CANCEL[0];
  return ALONE_BY_OPERATION[operation];
}

/** Neither the bank's doing nor that of the TPP, or nobody knows. */
const UNTOLD: ReadonlySet<string | undefined> = new Set([
  'client-gone',
  'unfinished',
  'internal',
  'overload',
]);

function outcomeOf({ record: { exchange }, status }: Seen): Outcome {
  if (isReplaced(exchange)) return 'injected';
  if (UNTOLD.has(exchange.fault?.kind)) return 'open';
  if (status === null || status >= 500) return 'bankError';
  return status >= 400 ? 'refused' : 'success';
}

function createRows(dialects: readonly Dialect[]) {
  const rows = new Map<string, Exercised>();
  const open = (key: string, label: string, hasPsu: boolean): Exercised => {
    const unlessAlone = hasPsu ? 0 : null;
    const psu = { refusedByPsu: unlessAlone, timeout: unlessAlone, wrongCredentials: unlessAlone };
    const row = {
      key,
      label,
      done: 0,
      outcomes: { success: 0, ...psu, bankError: 0, refused: 0, injected: 0, open: 0 },
    };
    rows.set(key, row);
    return row;
  };
  for (const [key, label] of WITH_PSU) open(key, label, true);
  for (const service of PAYMENT_SERVICES)
    for (const product of new Set(dialects.flatMap(({ productsOf }) => productsOf(service))))
      open(`${service}/${product}`, `${SERVICES[service]}, ${product}`, true);
  const other = open('payments/other', 'Payment, of another product', true);
  open(...CANCEL, true);
  for (const [key, label] of ALONE) open(key, label, false);
  const of = (key: string): Exercised => rows.get(key) ?? other;
  return {
    of,
    createdBy: (exchange: Exchange): Exercised => {
      const { operation, params, header } = exchange.call;
      if (operation !== null && operationRow(operation).creates === 'payment')
        return of(`${params.paymentService}/${params.paymentProduct}`);
      const isExplicit =
        authorisationKind(exchange) === 'explicit' ||
        header['tpp-explicit-authorisation-preferred'] === 'true';
      return of(isExplicit ? 'link-explicit' : 'link-implicit');
    },
    list: () =>
      [...rows.values()]
        .map((row) => ({ ...row, done: sumOf(row) }))
        .filter(({ key, done }) => key !== other.key || done > 0),
  };
}

function add({ outcomes }: Exercised, outcome: Outcome): void {
  outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
}

const sumOf = ({ outcomes }: Exercised): number =>
  Object.values(outcomes).reduce((sum: number, count) => sum + (count ?? 0), 0);
