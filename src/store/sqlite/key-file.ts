/** The key of a store's fingerprints, in a file beside the store, so that a copy of the store does not include it. */
import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { SandgateError } from '../../spec/index.js';
import { MEMORY } from './driver.js';
import { storeFault } from './faults.js';

const BYTES = 32;

export function keyFileOf(path: string): string {
  return `${path}.key`;
}

/** Made where there is none, mode 0600; a store that is only read gets a key of its own then, which matches nothing. */
export function openKey(path: string, readonly: boolean): Uint8Array {
  if (path === MEMORY) return randomBytes(BYTES);
  const file = keyFileOf(path);
  try {
    if (!readonly && !existsSync(file)) {
      const made = randomBytes(BYTES);
      if (createKey(file, made)) return made;
    }
    return readKey(file);
  } catch (error) {
    if (readonly && (error as NodeJS.ErrnoException).code === 'ENOENT') return randomBytes(BYTES);
    throw storeFault(error, file);
  }
}

/** False where there is one already. Linked into place whole: another process may open the same store right now. */
function createKey(file: string, key: Uint8Array): boolean {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
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
