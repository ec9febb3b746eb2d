/** A family of facts, as rules, sources and the bank may ask it. */
export interface Family<T> {
  readonly get: (key: string) => T | undefined;
  readonly has: (key: string) => boolean;
  /** The facts that have a name in the index of the family, those first that changed longest ago. */
  readonly all: (name: string) => readonly T[];
  /** How full a family is, is no fact: it may lag a little behind other gateways, and no look is noted. */
  readonly holdsAtMost: (count: number) => boolean;
}

export interface Looks {
  readonly at: (key: string, fact: object | undefined) => void;
  readonly under: (name: string, facts: readonly object[]) => void;
}

/** Text that is longer stays text: read, it would take many times as much. */
const LARGE = 2_048;

export interface Index<T> {
  readonly namesOf: (fact: T) => readonly string[];
  /** Whether a fact may have a name, told from its JSON: text that cannot is not read. */
  readonly mayHaveName?: (text: string) => boolean;
}

/**
 * The facts of one family by their keys, those first that changed longest ago. Whoever judges or answers calls gets them
 * as a `Family`, so that each look is noted; the rest is for those who keep and show them. Out of a store facts come as
 * text, and stay text until somebody asks for them: of very many, few are ever asked for again.
 */
export class FactFamily<T extends object> implements Family<T> {
  readonly #facts = new Map<string, T | string>();
  readonly #keys = new Map<string, string | Set<string>>();
  readonly #index: Index<T> | undefined;
  readonly #looks: Looks | undefined;

  constructor(index?: Index<T>, looks?: Looks) {
    this.#index = index;
    this.#looks = looks;
  }

  get(key: string): T | undefined {
    const fact = this.peek(key);
    this.#looks?.at(key, fact);
    return fact;
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  all(name: string): readonly T[] {
    const keys = this.#keys.get(name) ?? [];
    const facts =
      typeof keys === 'string' ? [this.peek(keys) as T] : [...keys].map((key) => this.peek(key) as T);
    this.#looks?.under(name, facts);
    return facts;
  }

  holdsAtMost(count: number): boolean {
    return this.#facts.size <= count;
  }

  /** For bookkeeping: what it says of a fact is checked with the change of that fact. */
  peek(key: string): T | undefined {
    const held = this.#facts.get(key);
    if (typeof held !== 'string') return held;
    const fact = JSON.parse(held) as T;
    if (held.length <= LARGE) this.#facts.set(key, fact);
    return fact;
  }

  held(key: string): T | string | undefined {
    return this.#facts.get(key);
  }

  put(key: string, fact: T): void {
    this.drop(key);
    this.#facts.set(key, fact);
    this.#enter(key, fact);
  }

  /** Gives how long its JSON is. What is large is held as that. */
  putMeasured(key: string, fact: T): number {
    const text = JSON.stringify(fact);
    this.put(key, fact);
    if (text.length > LARGE) this.#facts.set(key, text);
    return text.length;
  }

  putText(key: string, text: string): void {
    this.drop(key);
    this.#facts.set(key, text);
    if (this.#index?.mayHaveName?.(text) ?? this.#index !== undefined)
      this.#enter(key, JSON.parse(text) as T);
  }

  drop(key: string): void {
    if (this.#index !== undefined && this.#facts.has(key)) this.#leave(key, this.#index);
    this.#facts.delete(key);
  }

  get size(): number {
    return this.#facts.size;
  }

  keys(): IterableIterator<string> {
    return this.#facts.keys();
  }

  *entries(): IterableIterator<[string, T]> {
    for (const key of this.#facts.keys()) yield [key, this.peek(key) as T];
  }

  *values(): IterableIterator<T> {
    for (const key of this.#facts.keys()) yield this.peek(key) as T;
  }

  [Symbol.iterator](): IterableIterator<[string, T]> {
    return this.entries();
  }

  #enter(key: string, fact: T): void {
    for (const name of this.#index?.namesOf(fact) ?? []) {
      const keys = this.#keys.get(name);
      if (keys === undefined) this.#keys.set(name, key);
      else if (typeof keys === 'string') this.#keys.set(name, new Set([keys, key]));
      else keys.add(key);
    }
  }

  #leave(key: string, index: Index<T>): void {
    const held = this.#facts.get(key);
    if (typeof held === 'string' && index.mayHaveName?.(held) === false) return;
    for (const name of index.namesOf(this.peek(key) as T)) {
      const keys = this.#keys.get(name);
      if (typeof keys === 'string' || (keys?.delete(key) === true && keys.size === 0))
        this.#keys.delete(name);
    }
  }
}

export interface Use {
  readonly call: string;
  readonly at: number;
  readonly digest: string | null;
}

const NONE: readonly Use[] = [];

export class UnderWay {
  readonly #uses = new Map<string, Use[]>();
  readonly #onLook: ((key: string) => void) | undefined;

  constructor(onLook?: (key: string) => void) {
    this.#onLook = onLook;
  }

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
