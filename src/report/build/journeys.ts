/** Builds the journeys of a report: each consent and payment over time, with the findings at their step. */
import type { Fingerprint } from '../../exchange/index.js';
import { accessKey, consentOf, ownerOf, paymentOf } from '../../ledger/index.js';
import { isIpAddress, isSandboxResource, resourceCreatedBy } from '../../spec/index.js';
import type { Caps, Lane, Report, Step } from '../model.js';
import { type Collector, linkForm, type Seen } from './collector.js';
import { authorisationKind } from './coverage.js';
import { type Resource, resourceOf, stageOf } from './journey-stages.js';

interface OpenLane extends Omit<Lane, 'reached'> {
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
/** The lane of creations that led to nothing. */
const NONE_CREATED = '';
const MOST_OMITTED = 100_000;

export function collectJourneys(caps: Caps, fingerprint: Fingerprint): Collector<Report['journeys']> {
  const lanes: OpenLane[] = [];
  /** The newest lane of a resource; a browser shows no certificate, so it is kept without its TPP too. */
  const newest = new Map<string, OpenLane>();
  const omitted = new Set<string>();

  function laneOf(seen: Seen, resource: Resource): OpenLane | null {
    const { call } = seen.record.exchange;
    const tpp = call.listener === 'psu' ? null : ownerOf(call);
    const anyones = `${resource.kind} ${resource.id}`;
    const key = tpp === null ? anyones : `${tpp} ${anyones}`;
    const known = newest.get(key);
    if (known !== undefined && !beginsAnew(known, seen)) return known;
    if (lanes.length >= caps.lanes) {
      if (omitted.size < MOST_OMITTED) omitted.add(key);
      return known ?? null;
    }
    const lane = openLane(seen, resource, tpp, lanes.length + 1);
    lanes.push(lane);
    newest.set(key, lane);
    newest.set(anyones, lane);
    return lane;
  }

  return {
    take(seen) {
      const stage = stageOf(seen);
      if (stage === null) return;
      const resource = resourceOf(seen, fingerprint) ?? failedCreation(seen);
      const lane = resource === null ? null : laneOf(seen, resource);
      if (lane !== null) addStep(lane, seen, stage, caps);
    },
    finish: () => ({
      lanes: lanes.map((lane) => ({
        ...lane,
        reached: ORDER.filter((stage) => lane.reached.has(stage)),
      })),
      omitted: omitted.size,
    }),
  };
}

/** The sandbox gives the same id to each creation: another creation is another journey. */
function beginsAnew(lane: OpenLane, seen: Seen): boolean {
  return lane.resource !== NONE_CREATED && isCreation(seen) && lane.reached.has('created');
}

const isCreation = ({ record, ok }: Seen): boolean =>
  ok && resourceCreatedBy(record.exchange.call.operation) !== null;

function failedCreation({ record }: Seen): Resource | null {
  const kind = resourceCreatedBy(record.exchange.call.operation);
  return kind === null ? null : { kind, id: NONE_CREATED };
}

function openLane({ at }: Seen, { kind, id }: Resource, tpp: string | null, number: number): OpenLane {
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

function addStep(
  lane: OpenLane,
  seen: Seen,
  [stage, label]: readonly [Step['stage'], string],
  caps: Caps,
): void {
  const { record, at, status, ok, marks } = seen;
  const { exchange } = record;
  lane.to = at;
  if (ok) learn(lane, seen, stage);
  // Of a long journey only what tells something goes on being listed.
  const telling = marks.length > 0 || stage === 'created' || stage === 'revoked';
  if (lane.steps.length >= caps.steps || (lane.steps.length >= caps.steps / 2 && !telling)) {
    lane.omitted++;
    return;
  }
  lane.steps.push({
    exchange: exchange.call.id,
    at,
    stage,
    label: stage === 'authorised' && isDone(seen) ? 'PSU authorised' : label,
    operation: exchange.call.operation ?? exchange.call.listener,
    status,
    ok,
    attended: stage === 'access' && lane.kind === 'consent' ? isAttended(seen) : null,
    findings: [...marks],
  });
}

function learn(lane: OpenLane, seen: Seen, stage: Step['stage']): void {
  const { exchange } = seen.record;
  if (stage !== 'authorised' || isDone(seen)) lane.reached.add(stage);
  // Where the bank's own pages are not seen, the token tells that the PSU was there.
  if (stage === 'token') lane.reached.add('authorised');
  lane.authorisation ??= authorisationKind(exchange);
  lane.link ??= linkForm(exchange) ?? null;
  const { ledger } = seen;
  const fact =
    lane.kind === 'consent'
      ? consentOf(ledger, lane.tpp, lane.resource)
      : paymentOf(ledger, lane.tpp, lane.resource);
  lane.lastStatus = fact?.status ?? lane.lastStatus;
}

/** The PSU came back with a code. */
function isDone({ record: { exchange } }: Seen): boolean {
  const { call, answer } = exchange;
  if (call.operation !== 'oauth.authorize' || answer === null || answer.status < 300) return false;
  const location = answer.header.location ?? '';
  return new URLSearchParams(location.slice(location.indexOf('?') + 1).split('#', 1)[0]).has('code');
}

function isAttended({ record: { exchange } }: Seen): boolean {
  const { call } = exchange;
  return accessKey(call) === null && isIpAddress(call.header['psu-ip-address'] ?? '');
}
