/** Creates the directories of a store. */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * With those above it. Not mkdir's own recursion: below /proc, and where else a directory cannot be made, Node (24, too)
 * tries for ever.
 * @param mode of the directories that are made; for their owner only by default
 */
export function makeDirectory(path: string, mode = 0o700): void {
  if (existsSync(path)) return;
  makeDirectory(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process was faster.
    if (!existsSync(path)) throw error;
  }
}
