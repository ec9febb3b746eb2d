/** Errors of a store's file, in plain words. */
import { SandgateError } from '../../spec/index.js';
import { StoreBusy } from '../port.js';

const PACKAGE = 'better-sqlite3';

/** By the beginning of the driver's or the system's error code; the first that fits. */
const CAUSES: readonly (readonly [code: string, words: string])[] = [
  ['SQLITE_FULL', 'the disk is full'],
  ['ENOSPC', 'the disk is full'],
  ['SQLITE_NOTADB', 'the file is not a Sandgate store'],
  ['SQLITE_CORRUPT', 'the file is damaged'],
  ['SQLITE_READONLY', 'the file or its directory is not writable'],
  ['EACCES', 'the file or its directory is not writable'],
  ['EPERM', 'the file or its directory is not writable'],
  ['EROFS', 'its disk is read-only'],
  ['ENOTDIR', 'a part of its path is a file, not a directory'],
  ['ENOENT', 'its directory cannot be created; give another place with --store'],
  ['SQLITE_CANTOPEN', 'the file cannot be opened'],
  ['SQLITE_BUSY', 'another process holds it and is writing'],
  ['SQLITE_CONSTRAINT', 'an exchange with the same id is in it already'],
  ['SQLITE_IOERR', 'the disk failed to write or to read'],
  [
    'ERR_DLOPEN_FAILED',
    `${PACKAGE} was built for another version of Node or another machine: npm rebuild ${PACKAGE}`,
  ],
  ['NOT_BUILT', `${PACKAGE} was not built: npm rebuild ${PACKAGE}, if npm may run its install script`],
];

/** The system's own message says the code and the path once more, and nothing else. */
const isPlain = (code: string): boolean => !code.startsWith('SQLITE_');

/** A SandgateError that names the store and the cause; one that is such already is given back. */
export function storeFault(error: unknown, path: string): SandgateError {
  if (error instanceof SandgateError) return error;
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  const words = CAUSES.find(([begin]) => code.startsWith(begin))?.[1];
  const why = words === undefined ? message : `${words}${isPlain(code) ? '' : ` (${message})`}`;
  if (code.startsWith('SQLITE_BUSY')) return new StoreBusy(path, why, error);
  const isDamaged = code === 'SQLITE_NOTADB' || code === 'SQLITE_CORRUPT';
  return new SandgateError(isDamaged ? 'store.damaged' : 'store.unusable', { path, why }, { cause: error });
}

/** The error of a driver whose native part is missing has no code, but a list of the places where it was looked for. */
function codeOf(error: unknown): string {
  const { code = '', tries } = (error ?? {}) as { readonly code?: unknown; readonly tries?: unknown };
  return tries === undefined ? String(code) : 'NOT_BUILT';
}
