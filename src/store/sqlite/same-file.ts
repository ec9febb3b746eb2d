/** Checks that the files of a store are still those that were opened: what is written to a deleted file is lost. */
import { lstatSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { SandgateError } from '../../spec/index.js';
import { MEMORY } from './driver.js';

/** The file and the log of what was committed last, without which nothing is kept. */
const KEEPS = ['', '-wal'] as const;
/** Besides, the index of the log that all processes share. */
const ALL = [...KEEPS, '-shm'] as const;

/** Two changes of a folder within a tick of its file system's clock cannot be told apart; no tick is as long, in ms. */
const TICK_MS = 3_000;

/**
 * Throws where a file is gone, or is another one. `commit` looks only at what that went to, and as long as their folder
 * is as it was, only at that: it changes whenever one of its files is deleted, moved or replaced. Where the path is a
 * link, they lie elsewhere, and are looked at themselves.
 */
export function createFileCheck(path: string, now = Date.now): (at: 'commit' | 'leisure') => void {
  if (path === MEMORY) return () => {};
  const folder = dirname(path);
  const isLink = lstatSync(path).isSymbolicLink();
  let settled: Stats | undefined;
  const files = ALL.map((suffix) => ({ name: path + suffix, opened: look(path + suffix) }));
  const kept = files.slice(0, KEEPS.length);
  return (at) => {
    const state = look(folder);
    if (at === 'commit' && isSame(state, settled) && state?.ctimeMs === settled?.ctimeMs) return;
    settled = undefined;
    for (const file of at === 'commit' ? kept : files) {
      const found = look(file.name);
      file.opened ??= found;
      const { opened } = file;
      if (opened === undefined || isSame(found, opened)) continue;
      throw new SandgateError('store.replaced', {
        path,
        file: file.name,
        what: found === undefined ? 'deleted or moved' : 'replaced',
      });
    }
    if (!isLink && state !== undefined && now() - state.ctimeMs > TICK_MS) settled = state;
  };
}

const isSame = (a: Stats | undefined, b: Stats | undefined): boolean =>
  a !== undefined && a.ino === b?.ino && a.dev === b.dev;

/** undefined: there is no such file. */
function look(name: string): Stats | undefined {
  try {
    return statSync(name, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
