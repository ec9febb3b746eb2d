/** Checks that the files of a store are still those that were opened: what is written to a deleted file is lost. */
import { type Stats, statSync } from 'node:fs';
import { SandgateError } from '../../spec/index.js';
import { MEMORY } from './driver.js';

/** The file and the log of what was committed last, without which nothing is kept. */
const KEEPS = ['', '-wal'] as const;
/** Besides, the index of the log that all processes share. */
const ALL = [...KEEPS, '-shm'] as const;

/**
 * Throws where a file is gone, or is another one. Costs some µs, so that it can be asked at each commit: `commit` looks
 * only at what that went to.
 */
export function createFileCheck(path: string): (at: 'commit' | 'leisure') => void {
  if (path === MEMORY) return () => {};
  const files = ALL.map((suffix) => ({ name: path + suffix, opened: look(path + suffix) }));
  const kept = files.slice(0, KEEPS.length);
  return (at) => {
    for (const file of at === 'commit' ? kept : files) {
      const now = look(file.name);
      file.opened ??= now;
      const { opened } = file;
      if (opened === undefined || (now?.ino === opened.ino && now.dev === opened.dev)) continue;
      throw new SandgateError(
        'surroundings',
        `The store ${path} cannot be used: ${file.name} was ${now === undefined ? 'deleted or moved' : 'replaced'} while it was in use. Put the file back that was there, or restart the gateway to go on with what is there now.`,
      );
    }
  };
}

/** undefined: there is no such file. */
function look(name: string): Stats | undefined {
  try {
    return statSync(name, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
