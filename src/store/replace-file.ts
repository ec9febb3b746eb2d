/** Replaces a file atomically: the new one is complete and on disk, or the old one stays. */
import { realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { makeDirectory } from './make-directory.js';

export type Chunks = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/**
 * Folders above it are made. What was written of it is removed where it cannot be finished. Of a link the file that it leads
 * to is replaced; a pipe or a device (`/dev/stdout`) is written to, and stays what it is.
 * @param unique a text that no other writer has: two of them never share a draft
 * @throws the error of the system, or of the chunks
 */
export async function replaceFile(file: string, chunks: Chunks, unique: string): Promise<void> {
  const there = await stat(file).catch(() => null);
  if (there?.isFile() === false) return writeFile(file, chunks);
  const target = there === null ? file : await realpath(file);
  const draft = `${target}.${unique}.tmp`;
  makeDirectory(dirname(resolve(target)), 0o777);
  try {
    await writeFile(draft, chunks, { flag: 'wx', flush: true });
    await rename(draft, target);
  } catch (cause) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw cause;
  }
}
