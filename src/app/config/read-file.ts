/** Reads files that the user named. */
import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { SandgateError, slipOf, unreadable } from '../../spec/index.js';

/** The longest text that Node holds as a string is not much longer. */
const MOST_BYTES = 512 * 1_048_576;
const CHUNK_BYTES = 1_048_576;

/** `called`: how an error names it. @throws SandgateError where it cannot be read, or is larger than 512 MiB */
export function readBytes(file: string, called = file): Buffer {
  try {
    const stat = statSync(file);
    const bytes = stat.isFile() ? (stat.size <= MOST_BYTES ? readFileSync(file) : null) : readStream(file);
    if (bytes !== null) return bytes;
  } catch (cause) {
    throw unreadable(called, cause);
  }
  throw new SandgateError('file.too-large', { file: called, most: '512 MiB' });
}

/** A pipe or a device tells no size, and may never end. null: it is larger than what is read. */
function readStream(file: string): Buffer | null {
  const source = openSync(file, 'r');
  try {
    const chunks: Buffer[] = [];
    for (let size = 0; size <= MOST_BYTES; ) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const length = readSync(source, chunk);
      if (length === 0) return Buffer.concat(chunks);
      size += length;
      chunks.push(chunk.subarray(0, length));
    }
    return null;
  } finally {
    closeSync(source);
  }
}

/** The same, as UTF-8. */
export const readText = (file: string, called = file): string => readBytes(file, called).toString('utf8');

/** Whether the name of a recording looks like a path; any other is that of a session first. */
export const looksLikeFile = (name: string): boolean => /[/\\]|\.(?:json|har|cassette)$/i.test(name);

export function isFile(name: string): boolean {
  try {
    return statSync(name).isFile();
  } catch {
    return false;
  }
}

/**
 * A name is a session first; what looks like a path is a file first. `store` is what the user calls the store, `sessions` are
 * those that it holds.
 * @throws SandgateError where it is neither
 */
export function pickSource(
  name: string,
  {
    isFile,
    isSession,
    store,
  }: { readonly isFile: boolean; readonly isSession: boolean; readonly store: string },
  sessions: readonly string[],
): 'file' | 'session' {
  if (isFile && (looksLikeFile(name) || !isSession)) return 'file';
  if (isSession) return 'session';
  const meant = slipOf(name, sessions);
  const near =
    sessions.length === 0
      ? 'The store holds none: sandgate serve records one, sandgate sessions import reads one from a file.'
      : meant === ''
        ? 'sandgate sessions lists what it holds'
        : `Did you mean ${meant}?`;
  throw new SandgateError('recording.unknown', { name, store, known: near });
}
