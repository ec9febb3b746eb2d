/** Tells which calls a rule applies to, and whether a call has what the rule needs. */
import { type Answer, type Call, directionOf } from '../exchange/index.js';
import { OPERATIONS, type OperationId, type OperationRow, operationRow } from '../spec/index.js';
import type { Need, Rule } from './rule.js';

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

/**
 * Whether the rule is about such a call. What the bank calls back is no call of the TPP: only rules that look at a
 * whole exchange are about it.
 */
export function isAbout(rule: Rule, operation: Call['operation'], listener: Call['listener']): boolean {
  if (directionOf(listener) === 'to-tpp' && rule.scope !== 'exchange') return false;
  if (rule.appliesTo === 'all-with-certificate' && listener === 'psu') return false;
  if (operation === null) return typeof rule.appliesTo === 'string';
  return picks(rule.appliesTo, operationRow(operation), operation);
}

/** Why a need is not met: known to be absent, or unknown; null where it is met. */
export function lackOf(
  need: Need,
  call: Call,
  answer: Answer | null,
): 'not-applicable' | 'not-observed' | null {
  switch (need) {
    case 'certificate':
      if (call.certificate === 'not-observed') return 'not-observed';
      return call.certificate === 'absent' ? 'not-applicable' : null;
    case 'tls':
      if (call.connection.tls === 'not-observed') return 'not-observed';
      return call.connection.tls === null ? 'not-applicable' : null;
    case 'tpp':
      if (call.tpp !== null) return null;
      return call.certificate === 'not-observed' ? 'not-observed' : 'not-applicable';
    case 'json':
    case 'form':
      return lackOfContent(call.content.kind, need);
    case 'answer-json':
      return answer === null ? 'not-observed' : lackOfContent(answer.content.kind, 'json');
  }
}

function lackOfContent(kind: string, wanted: string): 'not-applicable' | 'not-observed' | null {
  if (kind === wanted) return null;
  return kind === 'not-observed' ? 'not-observed' : 'not-applicable';
}

/** The first unmet need decides, but one that is known to be absent before one that is unknown. */
export function lackOfAny(
  needs: readonly Need[],
  call: Call,
  answer: Answer | null,
): 'not-applicable' | 'not-observed' | null {
  let lack: 'not-observed' | null = null;
  for (const need of needs) {
    const found = lackOf(need, call, answer);
    if (found === 'not-applicable') return found;
    lack ??= found;
  }
  return lack;
}
