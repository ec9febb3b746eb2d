/** Watches the free space on the disk of the store, to warn before it is full. */
import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { SystemParts } from '../system/system-parts.js';

const LITTLE_BYTES = 1_073_741_824;
const LITTLE_SHARE = 0.1;

/** The room on the disk of a file, `free` in bytes; null where the system does not say. */
export async function roomFor(file: string) {
  try {
    const { bavail, blocks, bsize } = await statfs(dirname(resolve(file)));
    const free = bavail * bsize;
    return { free, isLittle: free < Math.min(LITTLE_BYTES, blocks * bsize * LITTLE_SHARE) };
  } catch {
    return null;
  }
}

export const megabytes = (bytes: number): string => `${Math.floor(bytes / 1_048_576)} MiB`;

const LOOK_MS = 10_000;
/** Every ten minutes a look at a disk that is nearly full is logged. */
const LOGGED_EVERY = 60;

export function watchRoom(
  file: string | null,
  { timer, log }: Pick<SystemParts, 'timer' | 'log'>,
  look: typeof roomFor = roomFor,
) {
  let room: Awaited<ReturnType<typeof look>> = null;
  let looksAtLittle = 0;
  let closed = false;
  let cancel = (): void => {};
  const watch = async (path: string): Promise<void> => {
    room = await look(path);
    if (closed) return;
    if (room?.isLittle !== true) looksAtLittle = 0;
    else if (looksAtLittle++ % LOGGED_EVERY === 0)
      log.warn(
        { store: file, free: megabytes(room.free) },
        'The disk of the store is nearly full: free some space, or keep less with --keep-size or --keep-days. When it is full, calls are answered 503.',
      );
    cancel = timer.after(LOOK_MS, () => watch(path));
  };
  if (file !== null) void watch(file);
  return {
    /** In bytes, as it was some seconds ago; NaN where it is not known. */
    free: (): number => room?.free ?? Number.NaN,
    close: (): void => {
      closed = true;
      cancel();
    },
  };
}
