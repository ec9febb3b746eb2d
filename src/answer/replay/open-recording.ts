/** Opens a recording for replay: indexes its exchanges by operation and by what identifies them. */
import { type Answer, type Exchange, mayHoldPseudonyms, openAnswer } from '../../exchange/index.js';
import { dayOf, type OperationId } from '../../spec/index.js';
import { type Flow, isAuthorizationRequest, readFlows } from './authorization-calls.js';
import { type Field, readFields } from './call-fields.js';
import { type CertificateKind, recordedCertificate } from './certificate-kind.js';
import { type CandidateIndex, type Entry, handedOut, type Queue, type State } from './entries.js';
import { coarseKey, exactKey, hasDates, isMatched, signsOf } from './field-keys.js';
import { addWrite, type Journey, resourceOf, stateOf, writeOf } from './journeys.js';
import type { MatchPlan, MatchPlans } from './match-plan.js';
import { createTokenScopes, type TokenScopes } from './token-scopes.js';

/** All entries of an operation; of no operation, those of a method and path. */
export interface Group {
  readonly plan: MatchPlan;
  readonly queues: Queue[];
  readonly exact: Map<string, Queue>;
  /** Queues with dates, by what their calls have if each date is as far from the first day as it was from the call's own. */
  readonly byDistance: Map<string, Set<Queue>>;
  /** Queues that only differ in what may be bound, and in dates. */
  readonly coarse: Map<string, CandidateIndex>;
  /** Kinds of the certificates that came with the calls, if certificates count. */
  readonly kinds: Set<CertificateKind>;
  hasUnknown: boolean;
}

export type Recording = ReturnType<typeof openRecording>;

/** A shorter text could be part of anything. */
const SHORTEST_CARRIED = 4;

export function openRecording(exchanges: readonly Exchange[], plans: MatchPlans, keepsDates: boolean) {
  const startDay = dayOf(exchanges[0]?.call.at ?? 0);
  const scopes = createTokenScopes(exchanges);
  const pseudonymised = exchanges.some(({ call: { request } }) =>
    mayHoldPseudonyms(`${request.target} ${request.body?.text ?? ''}`),
  );
  const { flows, unseen } = readFlows(exchanges, scopes.at);
  const flowAt = new Map(flows.flatMap((flow) => flow.members.map((index) => [index, flow] as const)));
  const journeys = new Map<string, Journey>();
  const journeyOf = (resource: string): Journey => {
    const journey = journeys.get(resource) ?? { writes: [], current: null };
    journeys.set(resource, journey);
    return journey;
  };
  const authorised = new Set<string>();
  const entries: Entry[] = [];
  /** The entry that stands for a position; undefined for what no call asks for: notifications, failed handshakes. */
  const entryAt = new Map<number, Entry>();
  const groups = new Map<string, Group>();
  /** Outcomes of authorization requests that were not recorded themselves, in the order of their codes. */
  const unseenEntries: Entry[] = [];

  const open = (index: number, exchange: Exchange, answer: Answer, flow: Flow | null): Entry => {
    const { call } = exchange;
    const plan = plans.get(planOf(exchange)) as MatchPlan;
    const certificate = recordedCertificate(call, answer);
    const fields = readFields(call, plan, { certificate, pseudonymised }).map((field) =>
      scopes.read(field, plan),
    );
    const resource = resourceOf(exchange, flow, scopes.at(index));
    const isRead = plan.inOrder && flow === null && ['GET', 'HEAD'].includes(call.request.method);
    const journey = resource === null || !isRead ? null : journeyOf(resource);
    return {
      index,
      exchange,
      answer,
      flow,
      fields,
      resource,
      reads: journey === null ? null : { journey, part: journey.writes.length },
      opens: null,
      signs: signsOf(call, fields),
      queue: null,
      uses: 0,
    };
  };

  for (const [index, exchange] of exchanges.entries()) {
    const { call } = exchange;
    const answer = exchange.answer ?? brokenOff(exchange);
    if (answer === null || call.direction === 'to-tpp' || !isSendable(answer)) continue;
    const flow = flowAt.get(index) ?? null;
    const begun = flow === null ? undefined : entryAt.get(flow.members[0] as number);
    const entry = begun ?? open(index, exchange, answer, flow);
    entryAt.set(index, entry);
    if (begun === undefined) {
      entries.push(entry);
      addToGroup(groups, entry, plans, keepsDates ? 0 : dayOf(call.at) - startDay);
    }
    if (flow !== null && index !== flow.members.at(-1)) continue;
    const { resource } = entry;
    const write = resource === null ? null : writeOf(exchange, flow, authorised.has(resource));
    if (resource === null || write === null) continue;
    const journey = journeyOf(resource);
    const opens = { journey, part: addWrite(journey, entry.index, write.hard) };
    entry.opens = opens;
    if (write.authorizationRequests) authorised.add(resource);
    else authorised.delete(resource);
    const before = unseen.get(index);
    if (before !== undefined)
      unseenEntries.push({
        ...entry,
        flow: before,
        fields: [],
        resource: before.scope,
        signs: [],
        queue: null,
        uses: 0,
      });
  }
  const given = new Set([...entries, ...unseenEntries].flatMap(handedOut));
  const sent = valuesOf(entries, ['bind']);
  const redirectUris = exchanges.flatMap(({ call: { header } }) =>
    [header['tpp-redirect-uri'] ?? [], header['tpp-nok-redirect-uri'] ?? []].flat(),
  );
  return {
    /** The day that it began on, in days since 1970. */
    startDay,
    /** Whether pseudonyms stand in its calls for what is personal. */
    pseudonymised,
    exchanges,
    entries: entries as readonly Entry[],
    entryAt: entryAt as ReadonlyMap<number, Entry>,
    groups: groups as ReadonlyMap<string, Group>,
    unseen: unseenEntries as readonly Entry[],
    scopes,
    /** Values that are recognised again: identifiers, codes, tokens. */
    known: new Set([...sent, ...scopes.known, ...given]) as ReadonlySet<string>,
    handed: handedFirst(entries, unseenEntries, scopes),
    carried: carriedValues(entries, given),
    redirectUris: [...new Set(redirectUris)],
  };
}

/** Authorise at a path of the bank's own is matched as authorise. */
function planOf({ call }: Exchange): OperationId | null {
  return isAuthorizationRequest(call) ? 'oauth.authorize' : call.operation;
}

export function groupKey({ call }: Pick<Exchange, 'call'>): string {
  const { operation, request, listener } = call;
  if (operation === null) return `${listener} ${request.method} ${request.path}`;
  return request.method === 'HEAD' ? `HEAD ${operation}` : operation;
}

function addToGroup(groups: Map<string, Group>, entry: Entry, plans: MatchPlans, day: number): void {
  const key = groupKey(entry.exchange);
  let group = groups.get(key);
  if (group === undefined) {
    const plan = plans.get(planOf(entry.exchange)) as MatchPlan;
    const indexes = { exact: new Map(), byDistance: new Map(), coarse: new Map() };
    group = { plan, queues: [], ...indexes, kinds: new Set(), hasUnknown: false };
    groups.set(key, group);
  }
  group.kinds.add(recordedCertificate(entry.exchange.call, entry.answer));
  group.hasUnknown ||= entry.exchange.call.certificate === 'not-observed';
  const exact = exactKey(entry.fields);
  const queue = group.exact.get(exact) ?? openQueue(group, entry, exact, day);
  addToQueue(queue, entry);
  if (!hasDates(entry.fields)) return;
  const distance = exactKey(entry.fields, day);
  group.byDistance.set(distance, (group.byDistance.get(distance) ?? new Set()).add(queue));
}

function openQueue(group: Group, entry: Entry, exact: string, day: number): Queue {
  const coarse = coarseKey(entry.fields);
  const candidates: CandidateIndex = group.coarse.get(coarse) ?? { queues: [], byPlaces: new Map() };
  group.coarse.set(coarse, candidates);
  const queue: Queue = {
    fields: entry.fields.filter(isMatched),
    day,
    all: { entries: [], from: 0 },
    bySign: new Map(),
    byState: new Map(),
    candidates,
  };
  group.queues.push(queue);
  group.exact.set(exact, queue);
  candidates.queues.push(queue);
  return queue;
}

function addToQueue(queue: Queue, entry: Entry): void {
  entry.queue = queue;
  queue.all.entries.push(entry);
  for (const sign of entry.signs) {
    const cursor = queue.bySign.get(sign);
    if (cursor === undefined) queue.bySign.set(sign, { entries: [entry], from: 0 });
    else cursor.entries.push(entry);
  }
  if (entry.reads === null) return;
  const { journey, part } = entry.reads;
  const state = stateOf(journey, part);
  const answers: State = queue.byState.get(state) ?? { parts: [], reached: [], from: 0 };
  const last = answers.parts.at(-1);
  if (last?.part === part) last.entries.push(entry);
  else answers.parts.push({ part, entries: [entry], from: 0 });
  queue.byState.set(state, answers);
}

/** What is sent until a fault breaks it off; what had been sent is not recorded, and blanks stand for it. null: no fault did. */
function brokenOff({ call, injected }: Exchange): Answer | null {
  if (injected?.end === undefined || call.request.method === '') return null;
  const size = 2 * Math.min(injected.bytes ?? 0, LONGEST_BROKEN_OFF);
  const body = size === 0 ? null : { text: ' '.repeat(size), size };
  const status = injected.did ?? 504;
  const headers = body === null ? [] : [['Content-Type', 'application/json'] as const];
  return openAnswer({ source: 'replay', status, headers, body });
}

/** A file may say anything. */
const LONGEST_BROKEN_OFF = 8 * 1_048_576;

/** A file may hold a status that cannot be sent. */
function isSendable({ status }: Answer): boolean {
  return Number.isInteger(status) && status >= 200 && status <= 599;
}

function valuesOf(entries: readonly Entry[], as: readonly Field['as'][]): string[] {
  return entries.flatMap(({ fields }) => fields.flatMap((one) => (as.includes(one.as) ? one.value : [])));
}

/** Values that a recorded answer hands out before a call sends them: the client got them from there. */
function handedFirst(
  entries: readonly Entry[],
  unseen: readonly Entry[],
  scopes: TokenScopes,
): ReadonlySet<string> {
  const handed = new Set(unseen.flatMap(handedOut));
  const sent = new Set<string>();
  for (const entry of entries) {
    for (const { as, value } of entry.fields) if (as === 'bind') sent.add(value);
    for (const value of handedOut(entry).flatMap((one) => [one, scopes.of(one) ?? one]))
      if (!sent.has(value)) handed.add(value);
  }
  return handed;
}

/** Values that answers may repeat: identifiers, codes, tokens, and the client's own. */
function carriedValues(entries: readonly Entry[], given: ReadonlySet<string>): ReadonlySet<string> {
  const values = new Set([...valuesOf(entries, ['bind', 'free']), ...given]);
  for (const value of values) if (value.length < SHORTEST_CARRIED) values.delete(value);
  for (const { exchange } of entries) values.delete(exchange.call.header['x-request-id'] ?? '');
  return values;
}
