/** Why a recorded call is not sent again. */
import { type Call, decodedPart, type Exchange, isPlainRead, queryValue } from '../../exchange/index.js';
import { type OperationId, parseScope } from '../../spec/index.js';
import { valuesGivenBy } from './learn.js';
import type { RunState } from './run.js';

export const HELD_BACK = 'it writes, and writes go to a bank only with --send-writes';

/** Sent as POST, and yet only a question. */
const QUESTIONS: ReadonlySet<OperationId> = new Set(['funds-confirmations.create']);

/**
 * Creations, cancellations, deletions and authorisations; also what uses up a code or a refresh token: whoever holds
 * the other end of it would be locked out.
 */
export function isWrite(call: Call): boolean {
  return !isPlainRead(call) && !(call.operation !== null && QUESTIONS.has(call.operation));
}

/** By itself; null where nothing is against it. */
export function reasonOfItsOwn({ call, answer, injected }: Exchange): string | null {
  if (call.direction === 'to-tpp') return 'it is a notification, which only the bank sends';
  if (call.request.method === '') return 'it never became a call';
  if (injected?.did === null) return `the bank was not asked: fault ${injected.fault} was injected`;
  if (answer === null && injected?.did === undefined) return 'the recording has no answer to it';
  if (answer?.source === 'gateway' && injected?.did === undefined)
    return 'Sandgate answered it itself, not the bank';
  if (call.request.body?.truncated === true) return 'its body was not recorded, or not whole';
  return null;
}

/** Because of what happened before it in this run; `lent`: the recorded token for which it gets another one. */
export function reasonOfTheRun(
  { call, answer }: Exchange,
  state: RunState,
  lent: string | null,
): string | null {
  // The consent of a lent token is its own.
  const covered = new Set(lent === null ? [] : [lent, call.header['consent-id']]);
  for (const id of resourcesOf(call)) {
    const reason = covered.has(id) ? undefined : state.unauthorised.get(id);
    // Where the bank refused the call, it did not depend on the authorisation.
    if (reason !== undefined && answer !== null && answer.status < 400) return reason;
  }
  if (state.missing.size === 0) return null;
  for (const value of valuesUsedBy(call)) {
    const reason = state.missing.get(value);
    if (reason !== undefined && !covered.has(value)) return reason;
  }
  return null;
}

function resourcesOf(call: Exchange['call']): string[] {
  const { consentId, paymentId } = call.params;
  return [consentId, paymentId, call.header['consent-id']].filter((id) => id !== undefined);
}

/** The authorisation of a scope ended on pages that nobody can walk through again. */
export function noteUnauthorised(exchange: Exchange, index: number, state: RunState): string {
  const id = parseScope(queryValue(exchange.call, 'scope') ?? '')?.id;
  const reason = `call ${index + 1} went on to the bank’s own pages`;
  if (id !== undefined) state.unauthorised.set(id, `it needs what the PSU does there: ${reason}`);
  return `${reason}, which only a person can complete (--sca manual)`;
}

/**
 * What the recorded answer to a write gave that is held back: ids are used as they were recorded, for the bank may
 * still know them. Tokens and codes of the recording are nobody's any more.
 */
export function noteHeldBack(exchange: Exchange, index: number, state: RunState): void {
  const { call, answer } = exchange;
  if (call.operation === 'oauth.token' || answer === null) noteMissing(exchange, index, state);
  else for (const value of valuesGivenBy(answer)) state.held.set(value, index + 1);
}

/** Refused now and not when it was recorded, it may only lack a write that was held back: that says nothing of the bank. */
export function reasonOfHeldBack({ call, answer }: Exchange, now: number, state: RunState): string | null {
  if (answer === null || answer.status >= 400 || now < 400) return null;
  for (const value of valuesUsedBy(call)) {
    const giver = state.held.get(value);
    if (giver !== undefined)
      return `it was answered ${now}, and needs what call ${giver} gave in the recording, which is a write and was not sent`;
  }
  return null;
}

/** What the recorded answer gave, and this run has not: calls that need it cannot be sent. */
export function noteMissing({ call, answer }: Exchange, index: number, state: RunState): void {
  if (answer === null) return;
  const { method, path } = call.request;
  for (const value of valuesGivenBy(answer)) {
    if (state.sent.valueOf(value) !== undefined) continue;
    state.missing.set(value, `it needs what call ${index + 1} (${method} ${path}) gave in the recording`);
  }
}

const SEPARATORS = /[\s:/?&=]+/;
const SHORTEST = 4;
const MOST = 5_000;

/** Values as they stand, and the parts of those that are put together: the token of `Bearer …`, the id of `AIS:…`. */
export function valuesUsedBy({ request, header, content }: Call): ReadonlySet<string> {
  const values = new Set<string>();
  const add = (text: string | undefined): void => {
    if (text === undefined || values.size >= MOST) return;
    values.add(text);
    for (const part of text.split(SEPARATORS)) if (part.length >= SHORTEST) values.add(part);
  };
  for (const part of request.path.split('/')) add(decodedPart(part));
  for (const [, value] of request.query) add(value);
  add(header.authorization);
  add(header['consent-id']);
  if (content.kind === 'form') for (const [, value] of content.fields) add(value);
  if (content.kind === 'json') addMembers(add, content.value, 0);
  return values;
}

function addMembers(add: (text: string) => void, value: unknown, depth: number): void {
  if (depth > 40) return;
  if (typeof value === 'string') add(value);
  else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) addMembers(add, inner, depth + 1);
}
