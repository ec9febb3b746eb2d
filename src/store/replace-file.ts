/** Replaces a file atomically: the new one is complete and on disk, or the old one stays. */
import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { makeDirectory } from './make-directory.js';

/**
 * Folders above it are made. What was written of it is removed where it cannot be finished.
 * @param unique a text that no other writer has: two of them never share a draft
 * @throws the error of the system, or of the chunks
 */
export async function replaceFile(
  file: string,
  chunks: Iterable<string> | AsyncIterable<string>,
  unique: string,
): Promise<void> {
  const draft = `${file}.${unique}.tmp`;
  makeDirectory(dirname(resolve(file)), 0o777);
  try {
    await writeFile(draft, chunks, { flag: 'wx', flush: true });
    await rename(draft, file);
  } catch (cause) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw cause;
  }
}
