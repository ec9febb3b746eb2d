/** What calls under way use up, of this gateway and of others. In memory only. */

/** A call under way that uses something up. */
export interface Use {
  /** Its id. */
  readonly call: string;
  readonly at: number;
  /** As in RequestIdFact; null where it has none. */
  readonly digest: string | null;
}

const NONE: readonly Use[] = [];

export class UnderWay {
  readonly #uses = new Map<string, Use[]>();
  readonly #onLook: ((key: string) => void) | undefined;

  constructor(onLook?: (key: string) => void) {
    this.#onLook = onLook;
  }

  /** By `keyOf.use`, in the order in which the calls arrived. */
  of(key: string): readonly Use[] {
    this.#onLook?.(key);
    return this.#uses.get(key) ?? NONE;
  }

  enter(key: string, use: Use): void {
    const uses = this.#uses.get(key);
    if (uses === undefined) this.#uses.set(key, [use]);
    else if (uses.length < MOST_USES && !uses.some(({ call }) => call === use.call)) uses.push(use);
  }

  leave({ call, keys }: { readonly call: string; readonly keys: readonly string[] }): void {
    for (const key of keys) {
      const left = this.#uses.get(key)?.filter((use) => use.call !== call) ?? [];
      if (left.length === 0) this.#uses.delete(key);
      else this.#uses.set(key, left);
    }
  }

  get size(): number {
    return this.#uses.size;
  }

  [Symbol.iterator](): IterableIterator<[string, readonly Use[]]> {
    return this.#uses.entries();
  }
}

/** Held of one key: far more than any limit allows. */
const MOST_USES = 100;
