/** Checks that the files of a store are still those that were opened: what is written to a deleted file is lost. */
import { lstatSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { SandgateError } from '../../spec/index.js';
import { MEMORY } from './driver.js';

/** The file and the log of what was committed last, without which nothing is kept. */
const KEEPS = ['', '-wal'] as const;
/** Besides, the index of the log that all processes share. */
const ALL = [...KEEPS, '-shm'] as const;

/** Two changes of a folder within a tick of its file system's clock look the same; no tick is as long, in ms. */
const TICK_MS = 3_000;
/**
 * A commit so soon after a look, in ms, does without one: under load it would be half a µs of each call. What is lost with
 * a file that goes meanwhile is little beside all that was in it, or in its log; not so what is about to be sent on.
 */
export const LOOK_MS = 20;

/**
 * Throws where a file is gone, or is another one. `commit` looks every `LOOK_MS` at most, `beginning` each time; both only at
 * what the commit went to, and as long as their folder is as it was, only at that: it changes whenever one of its files is
 * deleted, moved or replaced. Where the path is a link, they lie elsewhere, and are looked at themselves.
 */
export function createFileCheck(
  path: string,
  now = Date.now,
): (at: 'commit' | 'beginning' | 'leisure') => void {
  if (path === MEMORY) return () => {};
  const folder = dirname(path);
  const isLink = lstatSync(path).isSymbolicLink();
  let settled: Stats | undefined;
  let looked = Number.NEGATIVE_INFINITY;
  const files = ALL.map((suffix) => ({ name: path + suffix, opened: look(path + suffix) }));
  const kept = files.slice(0, KEEPS.length);

  function lookAt(those: typeof files): void {
    for (const file of those) {
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
  }

  return (at) => {
    const time = now();
    if (at === 'commit' && time >= looked && time < looked + LOOK_MS) return;
    looked = Number.NEGATIVE_INFINITY;
    const state = look(folder);
    if (at === 'leisure' || !isSame(state, settled) || state?.ctimeMs !== settled?.ctimeMs) {
      settled = undefined;
      lookAt(at === 'leisure' ? files : kept);
      if (!isLink && state !== undefined && time - state.ctimeMs > TICK_MS) settled = state;
    }
    looked = time;
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
