/**
 * Maps of facts that note where what is looked up belongs. Only where gateways share a store: there a call rests on all
 * that it looked at.
 */
import type { LedgerFamily } from '../ledger/index.js';
import { FactMap } from './fact-map.js';
import type { BankFamily } from './facts.js';
import { COMMON_PARTITION, homeOf, homeOfNone, mayBeCommon, tagOf } from './places.js';

/** Told of the partitions that are looked at, while somebody wants to know. */
export interface Reads {
  into: Set<string> | null;
}

export class NotedFacts<T extends object> extends Map<string, T> {
  readonly #family: LedgerFamily;
  readonly #reads: Reads;

  constructor(family: LedgerFamily, reads: Reads) {
    super();
    this.#family = family;
    this.#reads = reads;
  }

  override get(key: string): T | undefined {
    const fact = super.get(key);
    noteRead(this.#reads, this.#family, key, fact);
    return fact;
  }

  override has(key: string): boolean {
    return this.get(key) !== undefined;
  }
}

export class NotedBankFacts<T extends object> extends FactMap<T> {
  readonly #family: BankFamily;
  readonly #reads: Reads;

  constructor(family: BankFamily, reads: Reads) {
    super();
    this.#family = family;
    this.#reads = reads;
  }

  override get(key: string): T | undefined {
    const fact = super.get(key);
    noteRead(this.#reads, this.#family, key, fact);
    return fact;
  }

  override has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  /** Whoever asks whether there are any has looked. */
  override get size(): number {
    if (mayBeCommon(this.#family)) this.#reads.into?.add(COMMON_PARTITION);
    return super.size;
  }
}

/** What is looked up by the id of a PSU or of an account. */
export class NotedIndex<T> extends Map<string, T> {
  readonly #tag: (id: string) => string;
  readonly #reads: Reads;

  constructor(kind: keyof typeof tagOf, reads: Reads) {
    super();
    this.#tag = tagOf[kind];
    this.#reads = reads;
  }

  override get(id: string): T | undefined {
    this.#reads.into?.add(this.#tag(id));
    return super.get(id);
  }

  override has(id: string): boolean {
    return this.get(id) !== undefined;
  }
}

/** What is not there may come to be there without the TPP that looked. */
function noteRead(
  { into }: Reads,
  family: LedgerFamily | BankFamily,
  key: string,
  fact: object | undefined,
): void {
  if (into === null) return;
  const home = fact === undefined ? homeOfNone(family, key) : homeOf(family, key, fact);
  if (home !== null) into.add(home);
}
