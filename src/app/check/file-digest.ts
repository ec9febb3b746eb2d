/** The digest of a file that a recording is read from. */
import { createHash } from 'node:crypto';
import type { FileBytes } from '../../exchange/recording/index.js';

const CHUNK = 1_048_576;

/** SHA-256 of its bytes. */
export function digestOf({ size, read }: FileBytes): Buffer {
  const hash = createHash('sha256');
  const memory = Buffer.allocUnsafeSlow(CHUNK);
  for (let from = 0; from < size; from += CHUNK)
    hash.update(read(from, Math.min(size, from + CHUNK), memory));
  return hash.digest();
}
