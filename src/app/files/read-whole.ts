/** Reads whole files up to what a program can hold. */
import { fstatSync, readFileSync, readSync } from 'node:fs';

/** The longest text that Node holds as a string is not much longer. */
export const MOST_FILE_BYTES = 512 * 1_048_576;
const CHUNK_BYTES = 1_048_576;

/**
 * The bytes of an open file; null where there are more than 512 MiB. A pipe or a device tells no size and may never end, so
 * it is read in steps. @throws the error of the system
 */
export function readWhole(handle: number): Buffer | null {
  const stat = fstatSync(handle);
  if (stat.isFile()) return stat.size <= MOST_FILE_BYTES ? readFileSync(handle) : null;
  const chunks: Buffer[] = [];
  for (let size = 0; size <= MOST_FILE_BYTES; ) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const length = readSync(handle, chunk);
    if (length === 0) return Buffer.concat(chunks);
    size += length;
    chunks.push(chunk.subarray(0, length));
  }
  return null;
}
