/** What a store throws, as what is told. */
import { SandgateError } from '../spec/index.js';

export function asFault(error: unknown): SandgateError {
  if (error instanceof SandgateError) return error;
  const told = error instanceof Error ? error.message : String(error);
  return new SandgateError('store.unrecorded', { why: told }, { cause: error });
}
