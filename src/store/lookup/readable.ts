/** Reads an exchange that may have been removed or changed. */
import { SandgateError } from '../../spec/index.js';
import type { FindOptions, Store, StoredCalls } from '../port.js';
import type { RecordedExchange } from '../recorded.js';

export interface Searchable extends Pick<Store, 'read' | 'find'> {
  readonly calls: Pick<StoredCalls, 'newest' | 'unfinished'>;
}

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
