/** The lock of whoever serves on a store: a lock on a file beside it, which ends with its process however that ends. */
import { closeSync, openSync } from 'node:fs';
import { SandgateError } from '../../spec/index.js';
import { connect, MEMORY } from './driver.js';

/** A file that is left behind locks nobody out. Throws a SandgateError where another process, or gateway, serves. */
export function lockServing(path: string) {
  if (path === MEMORY) return { release: () => {} };
  const file = `${path}-serving`;
  closeSync(openSync(file, 'a', 0o600));
  const db = connect(file, { timeout: 0 });
  try {
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    if (String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY'))
      throw new SandgateError('store.served', { path }, { cause: error });
    throw error;
  }
  return { release: () => db.close() };
}

export type ServingLock = ReturnType<typeof lockServing>;
