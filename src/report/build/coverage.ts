/** Which operations, sandbox ids, statuses and scenarios the recording shows. */
import { type Exchange, formValue, isFailedConnection, linkOf, queryValue } from '../../exchange/index.js';
import {
  type Dialect,
  dialectOf,
  EVERY_OPERATION_ID,
  isScaScenario,
  type OperationId,
  operationRow,
  resourceCreatedBy,
  SANDBOX_AUTHORISATIONS,
  SANDBOX_CODES,
  SANDBOX_CONSENTS,
  SANDBOX_PAYMENTS,
  SCA_SCENARIO_IDS,
  SCA_SCENARIOS,
  SPECIFIED_CONSENT_STATUSES,
  SPECIFIED_PAYMENT_STATUSES,
  SPECIFIED_SCA_STATUSES,
} from '../../spec/index.js';
import type { Report } from '../model.js';
import { answerMembers, type Collector, createTallies, linkForm, membersOf, type Seen } from './collector.js';

type Coverage = Omit<Report['coverage'], 'rules'>;
type OperationCoverage = Coverage['operations'][number];
type StatusKind = Coverage['statuses'][number]['kind'];

const MOST_STATUSES = 40;

/** `dialects`: those that calls were judged by. */
export function collectCoverage(dialects: readonly Dialect[]): Collector<Coverage> {
  const operations = createOperations(dialects);
  const ids = new Map<string, number>();
  const statuses = new Map<string, number>();
  const scenarios = new Map<string, number>();
  const authorisation = { implicit: 0, explicit: 0 };
  const links = { direct: 0, discovery: 0 };
  const add = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
  return {
    take(seen) {
      const { exchange } = seen.record;
      operations.take(seen);
      for (const id of new Set(sandboxIdsOf(exchange))) add(ids, id);
      for (const [kind, status] of statusesOf(exchange)) add(statuses, `${kind} ${status}`);
      const scenario = scenarioOf(seen);
      if (scenario !== null) add(scenarios, scenario);
      if (!seen.ok) return;
      const form = linkForm(exchange);
      if (form !== undefined) links[form]++;
      const kind = authorisationKind(exchange);
      if (kind !== null) authorisation[kind]++;
    },
    finish: () => ({
      ...operations.finish(),
      sandboxIds: SANDBOX_IDS.map((row) => ({ ...row, count: ids.get(row.id) ?? 0 })),
      statuses: STATUSES.map(([kind, status]) => ({
        kind,
        status,
        count: statuses.get(`${kind} ${status}`) ?? 0,
      })),
      scenarios: SCA_SCENARIO_IDS.map((scenario) => ({
        scenario,
        meaning: SCA_SCENARIOS[scenario].meaning,
        count: scenarios.get(scenario) ?? 0,
      })),
      authorisation,
      links,
    }),
  };
}

function createOperations(dialects: readonly Dialect[]) {
  const offering = (operation: OperationId) => dialects.find(({ offers }) => offers(operation));
  const rows = new Map(
    EVERY_OPERATION_ID.filter(offering).map((operation: OperationId) => {
      const outcomes = { success: 0, refused: 0, clientError: 0, serverError: 0, none: 0 };
      return [operation, { calls: 0, outcomes, statuses: createTallies(MOST_STATUSES) }];
    }),
  );
  const elsewhere = { unknownCalls: 0, pages: 0 };
  return {
    take({ record: { exchange }, status }: Seen): void {
      const { operation, direction, listener } = exchange.call;
      if (direction === 'to-tpp' || isFailedConnection(exchange)) return;
      const row = operation === null ? undefined : rows.get(operation);
      if (row === undefined) {
        elsewhere[listener === 'psu' ? 'pages' : 'unknownCalls']++;
        return;
      }
      row.calls++;
      row.outcomes[outcomeOf(exchange, status)]++;
      row.statuses.add(status === null ? 'none' : String(status));
    },
    finish: () => ({
      operations: [...rows].map(([operation, { calls, outcomes, statuses }]): OperationCoverage => {
        const { group, method, path: builtIn, summary } = operationRow(operation);
        const { profile, templates } = offering(operation) ?? dialectOf();
        const path = profile === undefined ? builtIn : (templates.get(operation) ?? builtIn);
        return { operation, group, method, path, summary, calls, outcomes, statuses: statuses.list() };
      }),
      ...elsewhere,
    }),
  };
}

function outcomeOf({ answer }: Exchange, status: number | null): keyof OperationCoverage['outcomes'] {
  if (status === null) return 'none';
  if (answer?.source === 'rule') return 'refused';
  if (status >= 500) return 'serverError';
  return status >= 400 ? 'clientError' : 'success';
}

/** How a creation is to be authorised; null for any other exchange, and where neither can be told. */
export function authorisationKind(exchange: Exchange): 'implicit' | 'explicit' | null {
  if (resourceCreatedBy(exchange.call.operation) === null) return null;
  if (exchange.call.header['tpp-explicit-authorisation-preferred'] === 'true') return 'explicit';
  if (linkOf(exchange.answer?.content, 'scaOAuth') !== undefined) return 'implicit';
  return linkOf(exchange.answer?.content, 'startAuthorisation') === undefined ? null : 'explicit';
}

/** Only the last page on the way to an outcome counts: the redirect to the TPP. */
function scenarioOf({ record: { exchange }, status }: Seen): string | null {
  if (exchange.call.operation !== 'oauth.authorize' || status === null || status < 300 || status >= 400)
    return null;
  const scenario = queryValue(exchange.call, 'scenario') ?? queryValue(exchange.call, 'choice') ?? '';
  return isScaScenario(scenario) ? scenario : null;
}

type SandboxId = Omit<Coverage['sandboxIds'][number], 'count'>;
const idsOf = (kind: SandboxId['kind'], meanings: Readonly<Record<string, string>>): SandboxId[] =>
  Object.entries(meanings).map(([id, meaning]) => ({ kind, id, meaning }));

const SANDBOX_IDS: readonly SandboxId[] = [
  ...Object.entries(SANDBOX_CONSENTS).flatMap(([id, { status, scope }]) =>
    idsOf('consent', { [id]: `${status}, ${scope}` }),
  ),
  ...[...SANDBOX_PAYMENTS].flatMap(([id, { status, product }]) =>
    idsOf('payment', { [id]: `${status}, ${product}` }),
  ),
  ...idsOf('authorisation', SANDBOX_AUTHORISATIONS),
  ...idsOf('code', SANDBOX_CODES),
];

export type SandboxIdKind = SandboxId['kind'];
export const SANDBOX_ID_KINDS: ReadonlyMap<string, SandboxIdKind> = new Map(
  SANDBOX_IDS.map(({ id, kind }) => [id, kind]),
);

export function sandboxIdsOf(exchange: Exchange): string[] {
  const { params, header } = exchange.call;
  const ids = [
    params.consentId,
    params.paymentId,
    params.authorisationId,
    header['consent-id'],
    queryValue(exchange.call, 'authorizationId'),
    formValue(exchange.call.content, 'code'),
    textOf(answerMembers(exchange).consentId),
    textOf(answerMembers(exchange).paymentId),
  ];
  return ids.filter((id): id is string => id !== undefined && SANDBOX_ID_KINDS.has(id));
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

const STATUSES: readonly (readonly [StatusKind, string])[] = [
  ...SPECIFIED_CONSENT_STATUSES.map((status) => ['consent', status] as const),
  ...SPECIFIED_PAYMENT_STATUSES.map((status) => ['payment', status] as const),
  ...SPECIFIED_SCA_STATUSES.map((status) => ['authorisation', status] as const),
];

function statusesOf({ call, answer }: Exchange): [StatusKind, string][] {
  const content = call.direction === 'to-tpp' ? call.content : answer?.content;
  if (content?.kind !== 'json') return [];
  const { consentStatus, transactionStatus, scaStatus } = membersOf(content.value);
  const statuses: [StatusKind, unknown][] = [
    ['consent', consentStatus],
    ['payment', transactionStatus],
    ['authorisation', scaStatus],
  ];
  return statuses.filter((pair): pair is [StatusKind, string] => typeof pair[1] === 'string');
}
