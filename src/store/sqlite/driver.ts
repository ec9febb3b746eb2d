/** Opens SQLite files; the only place that imports the database driver. */
import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { SandgateError } from '../../spec/index.js';
import { makeDirectory } from '../make-directory.js';
import { storeFault } from './faults.js';

export type Database = Sqlite.Database;
export type Statement = Sqlite.Statement<unknown[]>;

export const MEMORY = ':memory:';

const require = createRequire(import.meta.url);
/** The path of the driver, for the thread that loads it by itself. */
export const DRIVER = require.resolve('better-sqlite3');

/** Loads the driver with the first file: whoever opens no store goes without it. */
export const connect = (path: string, options: Sqlite.Options): Database =>
  new (require(DRIVER) as typeof Sqlite)(path, options);

/** How long a writer waits for another process that writes, in ms, where nothing else is said. */
export const LOCK_WAIT_MS = 5_000;

export interface OpenOptions {
  readonly path: string;
  readonly readonly: boolean;
}

/** The connection; a missing file and its directory are made, readable by their owner only. */
export function openDatabase({ path, readonly }: OpenOptions): Database {
  if (readonly && !existsSync(path)) {
    throw new SandgateError('store.missing', { path });
  }
  try {
    if (!readonly && path !== MEMORY) createFile(path);
    return connect(path, { readonly, timeout: LOCK_WAIT_MS });
  } catch (error) {
    throw storeFault(error, path);
  }
}

/** SQLite gives the log beside the file the same mode. */
function createFile(path: string): void {
  if (existsSync(path)) return;
  makeDirectory(dirname(path));
  closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
}
