/** The files layer: files, pipes and streams of others, read up to a limit; and locks. */
import { closeSync, fstatSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { SandgateError, unreadable } from '../spec/index.js';

export { type CsvRow, type CsvSeparator, csvLine, parseCsv } from './csv.js';
export { type Lock, type LockOwner, takeLock } from './lock.js';
export { isZip, openZip, type Pieces, type Zip, type ZipFile, zipped } from './zip.js';

/** The longest text that Node holds as a string is not much longer. */
export const MOST_FILE_BYTES = 512 * 1_048_576;
const CHUNK_BYTES = 1_048_576;

/**
 * The bytes of an open file; null where there are more than `most`. A pipe or a device tells no size and may never end, so
 * it is read in steps. @throws the error of the system
 */
export function readWhole(handle: number, most = MOST_FILE_BYTES): Buffer | null {
  const stat = fstatSync(handle);
  if (stat.isFile()) return stat.size <= most ? readFileSync(handle) : null;
  const chunks: Buffer[] = [];
  for (let size = 0; size <= most; ) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const length = readSync(handle, chunk);
    if (length === 0) return Buffer.concat(chunks);
    size += length;
    chunks.push(chunk.subarray(0, length));
  }
  return null;
}

/** The bytes of a stream; null where it has more than `most`: the rest is not read. Rejects where it is cut off. */
export async function readStream(
  stream: AsyncIterable<Uint8Array>,
  most = MOST_FILE_BYTES,
): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > most) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** null where there are more than `most` bytes. `called`: how an error names it. @throws SandgateError where it cannot be read */
export function readUpTo(file: string, most: number, called = file): Buffer | null {
  try {
    const handle = openSync(file, 'r');
    try {
      return readWhole(handle, most);
    } finally {
      closeSync(handle);
    }
  } catch (cause) {
    throw unreadable(called, cause);
  }
}

/** @throws SandgateError where it cannot be read, or is larger than 512 MiB */
export function readBytes(file: string, called = file): Buffer {
  return wholeOr(readUpTo(file, MOST_FILE_BYTES, called), called);
}

/** A key or a passphrase: at most 1 MiB. @throws SandgateError where others than its owner may read it */
export function readSecret(file: string): Buffer {
  const bytes = readUpTo(file, MOST_SECRET_BYTES);
  if (bytes === null) throw new SandgateError('file.too-large', { file, most: '1 MiB' });
  // Windows has no such rights.
  if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0)
    throw new SandgateError('seal.open', { file });
  return bytes;
}

const MOST_SECRET_BYTES = 1_048_576;

/** The same as `readBytes`, in UTF-8. */
export const readText = (file: string, called = file): string => readBytes(file, called).toString('utf8');

/** @throws SandgateError where there was too much to be read */
export function wholeOr(bytes: Buffer | null, called: string): Buffer {
  if (bytes === null) throw new SandgateError('file.too-large', { file: called, most: '512 MiB' });
  return bytes;
}
