/** Whether a rule is about a call, and can see what it needs of it. */
import { type Call, directionOf, isFingerprint } from '../exchange/index.js';
import {
  type GrantType,
  OPERATIONS,
  type OperationId,
  type OperationRow,
  operationRow,
} from '../spec/index.js';
import { formOnce } from './checks/parameters.js';
import { bodyMember } from './checks/request-body.js';
import type { ExchangeContext, Need, Rule } from './rule.js';

/** The operations that a rule is about, of a table; of all where it is about calls of no known operation too. */
export function operationsOf(
  { appliesTo }: Pick<Rule, 'appliesTo'>,
  operations: Readonly<Record<string, OperationRow>> = OPERATIONS,
): OperationId[] {
  const ids = Object.keys(operations) as OperationId[];
  return ids.filter((id) => picks(appliesTo, operations[id] as OperationRow, id));
}

function picks(appliesTo: Rule['appliesTo'], row: OperationRow, id: OperationId): boolean {
  if (appliesTo === 'all') return true;
  if (appliesTo === 'all-with-certificate') return row.role !== 'none';
  return typeof appliesTo === 'function' ? appliesTo(row, id) : appliesTo.includes(id);
}

/** A notification is no call of the TPP: only rules that look at whole exchanges are about it. */
export function isAbout(rule: Rule, operation: Call['operation'], listener: Call['listener']): boolean {
  if (directionOf(listener) === 'to-tpp' && rule.scope !== 'exchange') return false;
  if (rule.appliesTo === 'all-with-certificate' && listener === 'psu') return false;
  if (operation === null) return typeof rule.appliesTo === 'string';
  return picks(rule.appliesTo, operationRow(operation), operation);
}

/** Why a need is not met: known to be absent, or unknown; null where it is met. */
export type Lack = 'not-applicable' | 'not-observed' | null;
export type FindLack = (context: ExchangeContext) => Lack;

const CLEAR = 'clear:body ';

const LACKS: Readonly<Record<Exclude<Need, `clear:${string}`>, FindLack>> = {
  certificate: ({ call }) => lackOf(call.certificate, 'absent'),
  tls: ({ call }) => lackOf(call.connection.tls, null),
  tpp: ({ call }) => {
    if (call.tpp !== null) return null;
    return call.certificate === 'not-observed' ? 'not-observed' : 'not-applicable';
  },
  json: ({ call }) => lackOfContent(call.content.kind, 'json'),
  form: ({ call }) => lackOfContent(call.content.kind, 'form'),
  'grant:authorization_code': ({ call }) => lackOfGrant(call, 'authorization_code'),
  'grant:refresh_token': ({ call }) => lackOfGrant(call, 'refresh_token'),
  'bank-answer': (context) => unless(isBankAnswer(context)),
  'bank-success': (context) =>
    unless(isBankAnswer(context) && context.answer.status >= 200 && context.answer.status < 300),
  'bank-error': (context) => unless(isBankAnswer(context) && context.answer.status >= 400),
  'answer-body': (context) => unless(mayHaveBody(context)),
  'answer-json': (context) =>
    mayHaveBody(context) ? lackOfContent(context.answer.content.kind, 'json') : 'not-applicable',
};

export function findersOf(needs: readonly Need[]): readonly FindLack[] {
  return needs.map((need) => (isClear(need) ? lackOfClear(need.slice(CLEAR.length)) : LACKS[need]));
}

/** The first unmet need decides, but one that is known to be absent before one that is unknown. */
export function lackOfAny(finders: readonly FindLack[], context: ExchangeContext): Lack {
  let lack: Lack = null;
  for (const find of finders) {
    const found = find(context);
    if (found === 'not-applicable') return found;
    lack ??= found;
  }
  return lack;
}

/** A HEAD is answered without body, and so are 204 and 304. */
export function mayHaveBody({ call, answer }: ExchangeContext): boolean {
  return call.request.method !== 'HEAD' && answer.status !== 204 && answer.status !== 304;
}

function isBankAnswer({ call, answer, exchange }: ExchangeContext): boolean {
  if (call.direction === 'to-tpp') return false;
  // With a fault it says that the recording has no answer, or repeats a fault of the gateway that was recorded.
  if (answer.source === 'replay') return exchange.fault === null;
  return answer.source === 'emulator' || answer.source === 'upstream';
}

const isClear = (need: Need): need is `clear:body ${string}` => need.startsWith(CLEAR);
const unless = (met: boolean): Lack => (met ? null : 'not-applicable');

function lackOf(seen: unknown, absent: unknown): Lack {
  if (seen === 'not-observed') return seen;
  return seen === absent ? 'not-applicable' : null;
}

function lackOfContent(kind: string, wanted: string): Lack {
  return kind === wanted ? null : kind === 'not-observed' ? kind : 'not-applicable';
}

function lackOfGrant(call: Call, grant: GrantType): Lack {
  return lackOfContent(call.content.kind, 'form') ?? unless(formOnce(call, 'grant_type') === grant);
}

function lackOfClear(name: string): FindLack {
  return ({ call }) => {
    const value = call.content.kind === 'form' ? formOnce(call, name) : bodyMember(call, name);
    return typeof value === 'string' && isFingerprint(value) ? 'not-observed' : null;
  };
}
