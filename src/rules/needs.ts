/** Whether a rule can see what it needs of a call or an exchange. */
import { type Call, isFingerprint } from '../exchange/index.js';
import type { GrantType } from '../spec/index.js';
import { formOnce } from './checks/parameters.js';
import { bodyMember } from './checks/request-body.js';
import type { ExchangeContext, Need } from './rule.js';

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
