/** Tells which operations and calls a rule is about. */
import { type Call, directionOf } from '../exchange/index.js';
import { OPERATIONS, type OperationId, type OperationRow, operationRow } from '../spec/index.js';
import type { Rule } from './rule.js';

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
