/** Holds what a file says against a schema, and tells the user where it goes wrong. */
import { SandgateError } from '../spec/index.js';
import { jsonPath } from './members.js';

interface Schema<T> {
  safeParse(
    value: unknown,
  ):
    | { success: true; data: T }
    | { success: false; error: { issues: readonly { path: readonly PropertyKey[]; message: string }[] } };
}

/** The value as the schema has it; the first thing that is wrong is the error, with its place. */
export function checkShape<T>(
  schema: Schema<T>,
  value: unknown,
  place: readonly PropertyKey[],
  name: string,
): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw brokenFile(
    name,
    [...place, ...(issue?.path ?? [])],
    issue?.message.replace(/^Invalid input: /, '') ?? '',
  );
}

export function brokenFile(name: string, place: readonly PropertyKey[], problem: string): SandgateError {
  const where = place.length === 0 ? '' : ` at ${jsonPath(place)}`;
  return new SandgateError('input', `${name} cannot be read${where}: ${problem}.`);
}
