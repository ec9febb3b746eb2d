/** Builds the journeys of a report: each consent and payment over time, with the findings at their step. */
import { type NamedResource, namedResources, parametersOf } from '../../exchange/index.js';
import { accessKey, consentOf, ownerOf, paymentOf } from '../../ledger/index.js';
import { isSandboxResource, type OperationId, resourceCreatedBy } from '../../spec/index.js';
import type { Caps, Journey, Report, Step } from '../model.js';
import { type Collector, linkForm, type Seen } from './collector.js';
import { authorisationKind } from './coverage.js';

/** `failed`: the label where the answer was no success, unless the label is true of that too. */
type Stage = readonly [stage: Step['stage'], label: string, failed?: string];

/** null: no step of a journey. */
const STAGES = {
  'consents.create': ['created', 'Consent created', 'Creation failed'],
  'consents.authorisations.create': ['created', 'Authorisation created', 'Start of authorisation failed'],
  'consents.authorisations.list': ['status', 'Authorisations listed', 'Listing failed'],
  'consents.authorisations.read': ['status', 'Authorisation read', 'Reading failed'],
  'consents.authorisations.update': ['authorised', 'SCA step sent', 'SCA step failed'],
  'consents.read': ['status', 'Consent read', 'Reading failed'],
  'consents.status': ['status', 'Status read', 'Reading failed'],
  'consents.delete': ['revoked', 'Consent deleted', 'Deletion failed'],
  'oauth.discovery': ['authorised', 'Discovery document read', 'Reading failed'],
  'oauth.authorize': ['authorised', 'PSU at the bank'],
  'sca.redirect': ['authorised', 'PSU at the bank'],
  'oauth.token': ['token', 'Token requested'],
  'accounts.list': ['access', 'Accounts'],
  'accounts.read': ['access', 'Account'],
  'accounts.balances': ['access', 'Balances'],
  'accounts.transactions': ['access', 'Transactions'],
  'accounts.transaction': ['access', 'Transaction'],
  'payments.create': ['created', 'Payment created', 'Creation failed'],
  'payments.authorisations.create': ['created', 'Authorisation created', 'Start of authorisation failed'],
  'payments.authorisations.list': ['status', 'Authorisations listed', 'Listing failed'],
  'payments.authorisations.read': ['status', 'Authorisation read', 'Reading failed'],
  'payments.read': ['access', 'Payment read', 'Reading failed'],
  'payments.status': ['status', 'Status read', 'Reading failed'],
  'payments.cancel': ['revoked', 'Cancellation requested'],
  'payments.authorisations.update': ['authorised', 'SCA step sent', 'SCA step failed'],
  'payments.cancellation-authorisations.create': [
    'revoked',
    'Cancellation authorisation created',
    'Start of authorisation failed',
  ],
  'payments.cancellation-authorisations.update': ['revoked', 'SCA step sent', 'SCA step failed'],
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

export function stageOf({ record: { exchange } }: Pick<Seen, 'record'>): Stage | null {
  const { operation, direction } = exchange.call;
  if (direction === 'to-tpp') return ['notified', 'Notification sent'];
  return operation === null ? null : STAGES[operation];
}

type JourneyPlace = {
  readonly kind: Journey['kind'];
  readonly resource: string;
  readonly tpp: string | null;
};

/**
 * The newest journey of each consent and payment, by its TPP and without: a browser shows no certificate. A creation that
 * failed has an empty `resource`.
 */
export function createJourneyIndex<T extends { readonly reached: ReadonlySet<string> }>() {
  const newest = new Map<string, T>();
  const keysOf = ({ kind, resource, tpp }: JourneyPlace): readonly [string, ...string[]] => {
    const anyones = `${kind} ${resource}`;
    if (tpp === null) return [anyones];
    return resource === '' ? [`${tpp} ${anyones}`] : [`${tpp} ${anyones}`, anyones];
  };
  return {
    /** The sandbox gives the same id to each creation: another creation is in no journey that has one. */
    find: (place: JourneyPlace, isCreation = false): T | undefined => {
      const known = newest.get(keysOf(place)[0]);
      return isCreation && place.resource !== '' && known?.reached.has('created') ? undefined : known;
    },
    /** Browsers stay with who created it, whoever else names it then. */
    set: (place: JourneyPlace, journey: T, isCreation = false): void => {
      const [own, anyones = own] = keysOf(place);
      newest.set(own, journey);
      if (isCreation || newest.get(anyones)?.reached.has('created') !== true) newest.set(anyones, journey);
    },
    drop: (place: JourneyPlace, journey: T): void => {
      for (const key of keysOf(place)) if (newest.get(key) === journey) newest.delete(key);
    },
  };
}

interface OpenJourney extends Omit<Journey, 'reached'> {
  readonly reached: Set<Step['stage']>;
}

const ORDER: readonly Step['stage'][] = [
  'created',
  'authorised',
  'token',
  'access',
  'status',
  'notified',
  'revoked',
];
/** The journey of creations that led to nothing. */
const NONE_CREATED = '';
const MOST_OMITTED = 100_000;

export function collectJourneys(caps: Caps): Collector<Report['journeys']> {
  const lanes: OpenJourney[] = [];
  const newest = createJourneyIndex<OpenJourney>();
  const omitted = new Set<string>();

  function journeyOf(seen: Seen, resource: NamedResource): OpenJourney | null {
    const { call } = seen.record.exchange;
    const tpp = call.listener === 'psu' ? null : ownerOf(call);
    const place = { kind: resource.kind, resource: resource.id, tpp };
    const known = newest.find(place, isCreation(seen));
    if (known !== undefined) return known;
    if (lanes.length >= caps.lanes) {
      if (omitted.size < MOST_OMITTED) omitted.add(JSON.stringify(place));
      return newest.find(place) ?? null;
    }
    const journey = openJourney(seen, resource, tpp, lanes.length + 1);
    lanes.push(journey);
    newest.set(place, journey, isCreation(seen));
    return journey;
  }

  return {
    take(seen) {
      const stage = stageOf(seen);
      if (stage === null) return;
      const named = namedResources(seen.record.exchange);
      for (const resource of named.length === 0 ? failedCreation(seen) : named) {
        const journey = journeyOf(seen, resource);
        if (journey !== null) addStep(journey, seen, stage, caps);
      }
    },
    finish: () => ({
      lanes: lanes.map((journey) => ({
        ...journey,
        reached: ORDER.filter((stage) => journey.reached.has(stage)),
      })),
      omitted: omitted.size,
    }),
  };
}

const isCreation = ({ record, ok }: Seen): boolean =>
  ok && resourceCreatedBy(record.exchange.call.operation) !== null;

function failedCreation({ record }: Seen): NamedResource[] {
  const kind = resourceCreatedBy(record.exchange.call.operation);
  return kind === null ? [] : [{ kind, id: NONE_CREATED }];
}

function openJourney(
  { at }: Seen,
  { kind, id }: NamedResource,
  tpp: string | null,
  number: number,
): OpenJourney {
  return {
    id: `${kind}-${number}`,
    kind,
    resource: id,
    sandbox: isSandboxResource(id),
    tpp,
    from: at,
    to: at,
    authorisation: null,
    link: null,
    lastStatus: null,
    reached: new Set(),
    steps: [],
    omitted: 0,
  };
}

function addStep(journey: OpenJourney, seen: Seen, [stage, label, failed = label]: Stage, caps: Caps): void {
  const { record, at, status, ok, marks } = seen;
  const { exchange } = record;
  journey.to = at;
  if (ok) learn(journey, seen, stage);
  // A long journey lists only its telling calls.
  const telling = marks.length > 0 || stage === 'created' || stage === 'revoked';
  if (journey.steps.length >= caps.steps || (journey.steps.length >= caps.steps / 2 && !telling)) {
    journey.omitted++;
    return;
  }
  journey.steps.push({
    exchange: exchange.call.id,
    at,
    stage,
    label: stage === 'authorised' && isDone(seen) ? 'PSU authorised' : ok ? label : failed,
    operation: exchange.call.operation ?? exchange.call.listener,
    status,
    ok,
    attended: stage === 'access' && journey.kind === 'consent' ? isAttended(seen) : null,
    findings: [...marks],
  });
}

function learn(journey: OpenJourney, seen: Seen, stage: Step['stage']): void {
  const { exchange } = seen.record;
  if (stage !== 'authorised' || isDone(seen)) journey.reached.add(stage);
  // If the bank's own pages are not seen, the token shows that the PSU was there.
  if (stage === 'token') journey.reached.add('authorised');
  journey.authorisation ??= authorisationKind(exchange);
  journey.link ??= linkForm(exchange) ?? null;
  const { ledger } = seen;
  const fact =
    journey.kind === 'consent'
      ? consentOf(ledger, journey.tpp, journey.resource)
      : paymentOf(ledger, journey.tpp, journey.resource);
  journey.lastStatus = fact?.status ?? journey.lastStatus;
}

/** The PSU came back with a code. */
function isDone({ record: { exchange } }: Seen): boolean {
  const { call, answer } = exchange;
  if (call.operation !== 'oauth.authorize' || answer === null || answer.status < 300) return false;
  const location = answer.header.location ?? '';
  return parametersOf(location).has('code');
}

function isAttended({ record: { exchange } }: Seen): boolean {
  const { call } = exchange;
  return accessKey(call) === null && call.request.hasPsuAddress;
}
