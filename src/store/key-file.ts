/** The key of a store's fingerprints, in a file apart from it, so that a copy of the store does not include it. */
import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { SandgateError } from '../spec/index.js';
import { makeDirectory } from './make-directory.js';

const BYTES = 32;

/**
 * Made where there is none, mode 0600. null where none is named, or it is only read and there is none.
 * @throws the error of the system, or a SandgateError where the file holds no key
 */
export function keyFrom(file: string | undefined, readonly: boolean): Uint8Array | null {
  if (file === undefined) return null;
  if (!existsSync(file)) {
    if (readonly) return null;
    const made = randomBytes(BYTES);
    if (createKey(file, made)) return made;
  }
  return readKey(file);
}

/** The file that holds the key of an SQLite file: one that lies beside it counts, whatever is `named`. */
export const keyFileOf = (path: string, named: string | undefined): string =>
  named === undefined || existsSync(`${path}.key`) ? `${path}.key` : named;

/** Puts a key that is known into its file; false where another one is there. */
export const keepKey = (file: string, key: Uint8Array): boolean =>
  createKey(file, key) || Buffer.from(key).equals(readKey(file));

/** False where there is one already. Linked into place whole: another process may open the same store right now. */
function createKey(file: string, key: Uint8Array): boolean {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  makeDirectory(dirname(file));
  try {
    writeFileSync(draft, Buffer.from(key).toString('base64'), { mode: 0o600, flag: 'wx' });
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function readKey(file: string): Uint8Array {
  const key = Buffer.from(readFileSync(file, 'utf8'), 'base64');
  if (key.length === BYTES) return key;
  throw new SandgateError('store.key-file', { file });
}
