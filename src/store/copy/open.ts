/** Copies between the stores that two addresses name. */
import { SandgateError } from '../../spec/index.js';
import { isInMemory, storeFile } from '../open.js';
import { isPostgres } from '../postgres/address.js';
import type { CopyPlace } from '../postgres/copy-source.js';
import { createSqliteSource } from '../sqlite/copy-source.js';
import { createSqliteTarget } from '../sqlite/copy-target.js';
import { storeFault } from '../sqlite/faults.js';
import { type Copied, type CopyOptions, copyStore } from './copy.js';
import type { CopySource, CopyTarget } from './parts.js';

/**
 * Copies one store, by an address as `openStore` takes it, into another one, which is new, or is what a copy before left unfinished.
 * @throws SandgateError
 */
export async function copyBetween(from: CopyPlace, to: CopyPlace, options: CopyOptions): Promise<Copied> {
  if (isInMemory(from.address) || isInMemory(to.address)) throw new SandgateError('store.in-memory', {});
  const source = await openSource(from);
  try {
    const target = await openTarget(to);
    try {
      return await copyStore(source, target, options);
    } catch (error) {
      throw copyFault(error, source.name);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** Whatever a driver does not name: a file of a secret that cannot be written, or a row that no store writes. */
function copyFault(error: unknown, source: string): SandgateError {
  if (error instanceof SandgateError) return error;
  const { path, message } = error as NodeJS.ErrnoException;
  if (path !== undefined) return storeFault(error, path);
  const why = `a row of it holds what no gateway writes (${message})`;
  return new SandgateError('store.damaged', { path: source, why }, { cause: error });
}

async function openSource(place: CopyPlace): Promise<CopySource> {
  if (!isPostgres(place.address)) return createSqliteSource(storeFile(place.address) as string);
  const { createPostgresSource } = await import('../postgres/copy-source.js');
  return createPostgresSource(place);
}

async function openTarget(place: CopyPlace): Promise<CopyTarget> {
  if (!isPostgres(place.address)) return createSqliteTarget(storeFile(place.address) as string);
  const { createPostgresTarget } = await import('../postgres/copy-target.js');
  return createPostgresTarget(place);
}
