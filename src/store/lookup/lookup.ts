/** Searches sessions: in the thread of an index where there is one, else here, in short turns. */
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { FilterTree } from '../filter/tree.js';
import { type Found, type Searchable, type SearchOptions, search } from './search.js';

export interface Lookup {
  readonly search: (session: string, tree: FilterTree, options: SearchOptions) => Promise<Found>;
  /** The index stays. Waits until its thread has let go of its files. */
  readonly close: () => Promise<void>;
}

export interface IndexThread {
  /** The built program of the thread. */
  readonly program: URL;
  /** File of the store. */
  readonly path: string;
  /** Told why there is no index for now, and with null that there is one again. */
  readonly onProblem: (problem: string | null) => void;
}

/** What the thread is asked, and what it tells. */
export interface Asked {
  readonly id: number;
  readonly session: string;
  readonly tree: FilterTree;
  readonly options: SearchOptions;
}
export type Told =
  | { readonly problem: string | null }
  /** null: it could not search. */
  | { readonly id: number; readonly found: Found | null };

const STOP_MS = 2_000;
const LARGEST_HEAP_MB = 128;
/** What a step makes is soon of no use: more room for it would hold memory, and save nothing. */
const YOUNG_HEAP_MB = 8;

/** `thread` null: everything is looked at, as where the thread cannot begin. */
export function openLookup(store: Searchable, thread: IndexThread | null): Lookup {
  const looking: Lookup['search'] = (session, tree, options) => search(store, null, session, tree, options);
  const worker = thread === null ? null : begin(thread);
  if (thread === null || worker === null) return { search: looking, close: async () => undefined };
  const { onProblem } = thread;
  const waiting = new Map<number, (found: Found | null) => void>();
  let asked = 0;
  let isRunning = true;
  worker.on('message', (told: Told) => {
    if ('problem' in told) onProblem(told.problem);
    else settle(told.id, told.found);
  });
  worker.on('error', (error) => onProblem(String(error)));
  worker.on('exit', () => {
    isRunning = false;
    for (const id of waiting.keys()) settle(id, null);
  });

  function settle(id: number, found: Found | null): void {
    waiting.get(id)?.(found);
    waiting.delete(id);
  }

  return {
    search: async (session, tree, options) => {
      if (!isRunning) return looking(session, tree, options);
      const id = asked++;
      const found = await new Promise<Found | null>((resolve) => {
        waiting.set(id, resolve);
        worker.postMessage({ id, session, tree, options } satisfies Asked);
      });
      return found ?? looking(session, tree, options);
    },
    close: async () => {
      if (!isRunning) return;
      worker.postMessage('stop');
      await Promise.race([once(worker, 'exit'), pause(STOP_MS, undefined, { ref: false })]);
      await worker.terminate();
    },
  };
}

/** null: it could not begin, for a limit of processes say. */
function begin({ program, path, onProblem }: IndexThread): Worker | null {
  try {
    const worker = new Worker(program, {
      execArgv: [],
      workerData: { path },
      resourceLimits: { maxOldGenerationSizeMb: LARGEST_HEAP_MB, maxYoungGenerationSizeMb: YOUNG_HEAP_MB },
    });
    // The process may end without it: what it wrote is whole, or is made anew.
    worker.unref();
    return worker;
  } catch (error) {
    onProblem(String(error));
    return null;
  }
}
