/** Figures of a view that are older than what it has read: asked once, as soon as an index knows of them. */
import type { Past } from '../../store/index.js';

/** Nothing before it is counted yet. */
export interface First {
  readonly exchange: string;
  /** Epoch ms, by the clock that it was judged by. */
  readonly at: number;
}

export function createOlder(addAll: (past: Past) => void) {
  let first: First | null = null;
  let asking: Promise<void> | null = null;

  const askFor = async (ask: (first: First) => Promise<Past | null>): Promise<void> => {
    if (first === null) return;
    const past = await ask(first);
    if (past === null) return;
    first = null;
    addAll(past);
  };
  return {
    beginAt: ({ exchange, at }: First): void => {
      first = { exchange, at };
    },
    /** `ask` gives null where no index knows of them yet. Resolves with where all that is counted begins; null: all is. */
    fetch: async (ask: (first: First) => Promise<Past | null>): Promise<First | null> => {
      asking ??= askFor(ask).finally(() => {
        asking = null;
      });
      await asking;
      return first;
    },
  };
}
