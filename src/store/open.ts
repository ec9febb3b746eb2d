/** Opens the store that an address names. */
import { fileURLToPath } from 'node:url';
import { SandgateError } from '../spec/index.js';
import type { Store } from './port.js';
import { isPostgres } from './postgres/address.js';
import type { PostgresOptions } from './postgres/store.js';
import { connect, MEMORY } from './sqlite/driver.js';
import { storeFault } from './sqlite/faults.js';
import { createSqliteStore, type SqliteStoreOptions } from './sqlite/store.js';
import { storeName } from './store-name.js';

export interface StoreOptions extends Omit<SqliteStoreOptions, 'path'> {
  readonly postgres?: Omit<PostgresOptions, 'address' | 'readonly' | 'encrypt'>;
}

const IN_MEMORY: ReadonlySet<string> = new Set(['memory:', MEMORY]);
/** A drive of Windows is one letter. */
const SCHEME = /^[\s"']*([a-z][a-z0-9+.-]+):/i;

/** Gone with its process. */
export const isInMemory = (address: string): boolean => IN_MEMORY.has(address);

/** The file of the store at an address; null where it is none of this machine. Throws a usage error for any other scheme. */
export function storeFile(address: string): string | null {
  if (isInMemory(address) || isPostgres(address)) return null;
  const scheme = SCHEME.exec(address)?.[1]?.toLowerCase();
  if (scheme === undefined) return address;
  if (scheme !== 'file') {
    throw new SandgateError('store.scheme', { scheme, address: storeName(address) });
  }
  try {
    return address.startsWith('file:/') ? fileURLToPath(address) : address.slice('file:'.length);
  } catch (cause) {
    throw new SandgateError('store.address', { address: storeName(address) }, { cause });
  }
}

/** How a store is shown: its file, or its address without password. */
export const shownStore = (address: string): string => storeFile(address) ?? storeName(address);

/** Throws a SandgateError where no store at an address could be opened, because its driver cannot be loaded. */
export function checkDriver(address: string): void {
  if (isPostgres(address)) return;
  try {
    connect(MEMORY, {}).close();
  } catch (error) {
    throw storeFault(error, shownStore(address));
  }
}

/**
 * A path, `file:PATH` or a file URL is a store in an SQLite file, made where it is missing; `memory:` (`:memory:`) one
 * that is gone with its process; `postgres://…` one in a PostgreSQL database (`readAddress`). Throws a SandgateError
 * where it cannot be opened.
 */
export async function openStore(address: string, options: StoreOptions = {}): Promise<Store> {
  const { postgres, ...local } = options;
  if (isPostgres(address)) {
    // Loaded by whoever needs it.
    const { createPostgresStore } = await import('./postgres/store.js');
    const { readonly = false, encrypt = false } = options;
    return createPostgresStore({ ...postgres, address, readonly, encrypt });
  }
  return createSqliteStore({ ...local, path: storeFile(address) ?? MEMORY });
}
