/** Replaces a file atomically: the new one is complete and on disk, or the old one stays. */
import { createReadStream, type Stats } from 'node:fs';
import {
  access,
  chmod,
  chown,
  constants,
  lstat,
  open,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { makeDirectory } from './make-directory.js';

export type Chunks = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/**
 * | what is there | what becomes of it |
 * |---|---|
 * | nothing | a file, with the folders above it |
 * | a file | another one in its place, which the same people may read and write |
 * | a file that the system lets nobody put another one in the place of: its folder takes none, or it is mounted by itself | is written over |
 * | a link to a file | as that file |
 * | a link to what is not there | the file that it leads to is written as it comes |
 * | a pipe, a device | is written to |
 *
 * The draft, which lies beside it until then, is removed where it cannot be finished.
 * @param unique a text that no other writer has: two of them never share a draft
 * @param mode of a file where there was none
 * @throws the error of the system, or of the chunks
 */
export async function replaceFile(file: string, chunks: Chunks, unique: string, mode = 0o666): Promise<void> {
  const there = await stat(file).catch(() => null);
  const leadsNowhere = there === null && (await lstat(file).catch(() => null)) !== null;
  if (leadsNowhere || there?.isFile() === false) return writeFile(file, chunks);
  const target = there === null ? resolve(file) : await realpath(file);
  // Its length is not that of the name, which may be as long as the system takes.
  const draft = join(dirname(target), `sandgate-${unique}.tmp`);
  makeDirectory(dirname(target), 0o777);
  // Until it is known who may read it, only its writer does.
  const handle = await open(draft, 'wx', there === null ? mode : 0o600).catch(unlessRefused);
  if (handle === null) return writeFile(target, chunks, { flush: true });
  try {
    await pipeline(chunks, handle.createWriteStream({ flush: true }));
    const isDone = await takePlace(draft, target, there).catch(unlessRefused);
    if (isDone === null) await writeFile(target, createReadStream(draft), { flush: true });
  } finally {
    await rm(draft, { force: true }).catch(() => undefined);
  }
}

async function takePlace(draft: string, target: string, there: Stats | null): Promise<void> {
  if (there !== null) {
    await access(target, constants.W_OK);
    await chown(draft, there.uid, there.gid);
    await chmod(draft, there.mode & 0o777);
  }
  await rename(draft, target);
}

/** EINVAL: of an owner whom a container does not know. */
const REFUSALS: readonly unknown[] = ['EACCES', 'EBUSY', 'EINVAL', 'EPERM', 'EROFS'];

function unlessRefused(cause: NodeJS.ErrnoException): null {
  if (REFUSALS.includes(cause.code)) return null;
  throw cause;
}
