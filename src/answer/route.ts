/** Chooses by operation: an entry for its name, else for its kind, else the default. */
import type { Call } from '../exchange/index.js';
import { EVERY_OPERATION_ID, type OperationId } from '../spec/index.js';

export type Route<T> = (operation: Call['operation']) => T;

/** `byPattern`: by operation, or by kind (`accounts.*`); the more exact one counts. `otherwise` may change from call to call. */
export function createRoute<T>(byPattern: Readonly<Record<string, T>>, otherwise: () => T): Route<T> {
  const chosen = new Map<Call['operation'], T>();
  const vagueFirst = Object.entries(byPattern).toSorted(([a], [b]) => exactness(a) - exactness(b));
  for (const [pattern, choice] of vagueFirst)
    for (const operation of operationsOf(pattern)) chosen.set(operation, choice);
  return (operation) => chosen.get(operation) ?? otherwise();
}

/** The operations that a pattern names; none where it is misspelt. */
export function operationsOf(pattern: string): readonly OperationId[] {
  if (!pattern.endsWith('*')) return EVERY_OPERATION_ID.filter((id) => id === pattern);
  const kind = pattern.slice(0, -1);
  if (kind !== '' && !kind.endsWith('.')) return [];
  return EVERY_OPERATION_ID.filter((id) => id.startsWith(kind));
}

function exactness(pattern: string): number {
  return pattern.endsWith('*') ? pattern.length : Number.MAX_SAFE_INTEGER;
}
