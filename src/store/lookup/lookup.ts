/** Searches sessions: in the thread of an index where there is one, else here, in short turns. */
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { FilterTree } from '../filter/tree.js';
import { createOpenCalls } from './open-calls.js';
import { type Past, readPast } from './past.js';
import type { Searchable } from './readable.js';
import { type Found, type Index, type SearchOptions, search } from './search.js';

export interface Lookup {
  readonly search: (session: string, tree: FilterTree, options: SearchOptions) => Promise<Found>;
  /** Ids of calls that were begun and have no end, the newest first. */
  readonly unfinished: (session: string) => Promise<readonly string[]>;
  /** The past before an exchange; null where no index knows it. */
  readonly past: (session: string, before: string, trees: readonly FilterTree[]) => Promise<Past | null>;
  /** The index stays. Waits until its thread has let go of its files. */
  readonly close: () => Promise<void>;
}

export interface IndexThread {
  /** The built program of the thread. */
  readonly program: URL;
  /** File of the store. */
  readonly path: string;
  /** Holds the key of the store; undefined: beside it. */
  readonly keyFile?: string | undefined;
  /** Called with why there is no index for now, and with null when there is one again. */
  readonly onProblem: (problem: string | null) => void;
}

export interface Question {
  readonly session: string;
  /** null: calls without end. */
  readonly search:
    | { readonly tree: FilterTree; readonly options: SearchOptions }
    | { readonly before: string; readonly trees: readonly FilterTree[] }
    | null;
}
export type Reply = Found | { readonly ids: readonly string[] } | { readonly past: Past | null };

/** Questions to the thread, and its answers. */
export type Asked = Question & { readonly id: number };
export type FromThread =
  | { readonly problem: string | null }
  /** null: it could not search. */
  | { readonly id: number; readonly found: Reply | null };

/** Answers by looking at the store, with what an index knows of it. */
export function createAnswerer(store: Searchable, index: () => Index | null) {
  const calls = createOpenCalls(store);
  return async ({ session, search: wanted }: Question): Promise<Reply> => {
    if (wanted === null) return { ids: (await calls.of(session)).map(({ exchange }) => exchange.call.id) };
    if ('tree' in wanted) return search(store, index(), session, wanted.tree, wanted.options, calls);
    const indexed = index()?.session(session);
    const place = indexed?.placeOf(wanted.before);
    return {
      past: !indexed || place === undefined ? null : await readPast(store, indexed, wanted.trees, place),
    };
  };
}

const STOP_MS = 2_000;
const LARGEST_HEAP_MB = 128;
/** A step's garbage is short-lived: a larger young space would hold memory, and save nothing. */
const YOUNG_HEAP_MB = 8;

/** `thread` null: everything is looked at, as where the thread cannot begin. */
export function openLookup(store: Searchable, thread: IndexThread | null): Lookup {
  const looking = createAnswerer(store, () => null);
  const worker = thread === null ? null : begin(thread);
  if (thread === null || worker === null) return { ...asking(looking), close: async () => undefined };
  const { onProblem } = thread;
  const waiting = new Map<number, (found: Reply | null) => void>();
  let asked = 0;
  let isRunning = true;
  worker.on('message', (message: FromThread) => {
    if ('problem' in message) onProblem(message.problem);
    else settle(message.id, message.found);
  });
  worker.on('error', (error) => onProblem(String(error)));
  worker.on('exit', () => {
    isRunning = false;
    for (const id of waiting.keys()) settle(id, null);
  });

  function settle(id: number, found: Reply | null): void {
    waiting.get(id)?.(found);
    waiting.delete(id);
  }

  return {
    ...asking(async (question) => {
      if (!isRunning) return looking(question);
      const id = asked++;
      const found = await new Promise<Reply | null>((resolve) => {
        waiting.set(id, resolve);
        worker.postMessage({ id, ...question } satisfies Asked);
      });
      return found ?? looking(question);
    }),
    close: async () => {
      if (!isRunning) return;
      worker.postMessage('stop');
      await Promise.race([once(worker, 'exit'), pause(STOP_MS, undefined, { ref: false })]);
      await worker.terminate();
    },
  };
}

function asking(ask: (question: Question) => Promise<Reply>): Omit<Lookup, 'close'> {
  return {
    search: (session, tree, options) => ask({ session, search: { tree, options } }) as Promise<Found>,
    unfinished: async (session) => {
      const reply = await ask({ session, search: null });
      return 'ids' in reply ? reply.ids : [];
    },
    past: async (session, before, trees) => {
      const reply = await ask({ session, search: { before, trees } });
      return 'past' in reply ? reply.past : null;
    },
  };
}

/** null: it could not begin, for a limit of processes say. */
function begin({ program, path, keyFile, onProblem }: IndexThread): Worker | null {
  try {
    const worker = new Worker(program, {
      execArgv: [],
      workerData: { path, keyFile },
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

/** The file of an index, beside that of its store. */
export const indexPath = (store: string): string => `${store}.index`;
