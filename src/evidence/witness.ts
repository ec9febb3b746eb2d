/** The witness: signs a checkpoint at the latest after a thousand entries or a minute, off the way of calls. */
import type { NotedSession, Store, StoredChains, Unsigned } from '../store/index.js';
import { type Checkpoint, type Sign, signCheckpoint } from './checkpoint.js';
import type { Signed } from './stamp.js';

interface WitnessParts {
  readonly store: Pick<Store, 'append'> & { readonly chains: Pick<StoredChains, 'takeUnsigned'> };
  readonly sign: Sign;
  /** Epoch ms. */
  readonly clock: () => number;
  readonly timer: { readonly after: (ms: number, run: () => void) => () => void };
  /** Called for each checkpoint once it is in the store, or could not be written there. */
  readonly onCheckpoint: (checkpoint: Signed) => void;
  /** A checkpoint could not be made or kept; those that could not be kept are tried again. */
  readonly onProblem: (error: unknown) => void;
}

export type Witness = ReturnType<typeof createWitness>;

const ENTRIES = 1_000;
const EVERY_MS = 60_000;
const AT_ONCE = 50;

export function createWitness({ store, sign, clock, timer, onCheckpoint, onProblem }: WitnessParts) {
  let grown = 0;
  let running = Promise.resolve();
  let isClosed = false;
  let left: NotedSession[] = [];

  async function signAll(least: number): Promise<void> {
    const taken = store.chains.takeUnsigned(least);
    do {
      const some = taken.splice(0, AT_ONCE);
      const statements = await Promise.all(some.map(signOne));
      const notes = [...left, ...statements.map(({ note }) => note)];
      left = notes.slice(-MOST_LEFT);
      if (notes.length > 0) await keep(notes);
      for (const { statement, note } of statements)
        onCheckpoint({ statement, session: note.session, of: note.of });
    } while (taken.length > 0);
  }

  async function keep(notes: readonly NotedSession[]): Promise<void> {
    try {
      await store.append({ notes, records: [], changes: [] });
      left = [];
    } catch (error) {
      onProblem(error);
    }
  }

  async function signOne({ session, of, store: id, runs, order, head }: Unsigned) {
    const at = clock();
    const checkpoint: Checkpoint = {
      type: 'sandgate-checkpoint',
      version: 1,
      session,
      store: id,
      entries: runs.at(-1)?.[1] ?? 0,
      head,
      runs,
      ...(order === undefined ? {} : { order }),
      at: new Date(at).toISOString(),
    };
    const statement = await signCheckpoint(checkpoint, sign);
    const note = { session, of, note: { at, kind: 'checkpoint', settings: { statement } } } as const;
    return { statement, note };
  }

  /** One after the other, so that checkpoints stand in the order of what they sign. */
  const next = (least: number): Promise<void> => {
    running = running.then(() => signAll(least)).catch(onProblem);
    return running;
  };
  const tick = (): void => {
    void next(1);
    cancel = timer.after(EVERY_MS, tick);
  };
  let cancel = timer.after(EVERY_MS, tick);
  return {
    /** So many entries were recorded: cheap, and signing comes later. */
    grew: (entries: number): void => {
      grown += entries;
      if (grown < ENTRIES || isClosed) return;
      grown = 0;
      void next(ENTRIES);
    },
    /** Signs what is not signed yet; resolves when that is in the store, or could not be kept. */
    now: () => next(1),
    /** Signs what is left; nothing is signed after it. */
    close: () => {
      isClosed = true;
      cancel();
      return next(1);
    },
  };
}

/** A store that is gone for ever must not fill the memory. */
const MOST_LEFT = 1_000;
