/** Validates a file against a schema, and says where it fails. */
import { inPlainWords, SandgateError } from '../../spec/index.js';
import { jsonPath } from '../members.js';

interface Schema<T> {
  safeParse(
    value: unknown,
    words: { error: typeof inPlainWords },
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
  const result = schema.safeParse(value, { error: inPlainWords });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw brokenFile(name, [...place, ...(issue?.path ?? [])], issue?.message ?? 'another form is expected');
}

export function brokenFile(name: string, place: readonly PropertyKey[], problem: string): SandgateError {
  const where = place.length === 0 ? '' : ` at ${jsonPath(place)}`;
  return new SandgateError('file.broken', { file: name, place: where, problem });
}
