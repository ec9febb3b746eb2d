/** Reads an exchange that may have been removed or changed. */
import { SandgateError } from '../../spec/index.js';
import type { FindOptions, Store } from '../port.js';
import type { RecordedExchange } from '../recorded.js';

/** null where it was removed meanwhile, or is not as it was recorded. */
export async function readable(
  store: Pick<Store, 'find'>,
  id: string,
  options: FindOptions,
): Promise<RecordedExchange | null> {
  try {
    return await store.find(id, options);
  } catch (error) {
    if (error instanceof SandgateError && error.kind === 'wanting') return null;
    throw error;
  }
}
