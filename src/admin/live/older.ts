/** Figures of a view that are older than what it has read: asked once, as soon as an index knows of them. */

/** Nothing before it is counted yet. */
export interface First {
  readonly exchange: string;
  /** Epoch ms. */
  readonly at: number;
}

export function createOlder<Older>(addAll: (older: Older) => void) {
  let first: First | null = null;
  let asking: Promise<void> | null = null;

  const askFor = async (ask: (first: First) => Promise<Older | null>): Promise<void> => {
    if (first === null) return;
    const older = await ask(first);
    if (older === null) return;
    first = null;
    addAll(older);
  };
  return {
    beginAt: (oldest: First): void => {
      first = oldest;
    },
    /** `ask` gives null where no index knows of them yet. */
    fetch: async (ask: (first: First) => Promise<Older | null>): Promise<void> => {
      asking ??= askFor(ask).finally(() => {
        asking = null;
      });
      await asking;
    },
    /** The time from which on all is counted; null: from the beginning. */
    since: (): string | null => (first === null ? null : new Date(first.at).toISOString()),
  };
}
