/** How many bytes of facts the bank holds for each TPP, and in which order they changed. */
import type { BankFamily } from './facts.js';

interface Held {
  bytes: number;
  /** Bytes by family and key, those first that changed longest ago. */
  readonly facts: Map<string, number>;
  /** Nothing more leaves before then, epoch ms: it was looked through. */
  fullUntil: number;
}

/** Beside its JSON a fact takes about so many bytes. */
const OVERHEAD = 200;

export class Holdings {
  readonly #byTpp = new Map<string, Held>();
  #bytes = 0;

  enter(tpp: string, family: BankFamily, key: string, length: number): void {
    let held = this.#byTpp.get(tpp);
    if (held === undefined) {
      held = { bytes: 0, facts: new Map(), fullUntil: 0 };
      this.#byTpp.set(tpp, held);
    }
    held.facts.set(`${family} ${key}`, length + OVERHEAD);
    held.bytes += length + OVERHEAD;
    this.#bytes += length + OVERHEAD;
  }

  leave(tpp: string, family: BankFamily, key: string): void {
    const held = this.#byTpp.get(tpp);
    const bytes = held?.facts.get(`${family} ${key}`);
    if (held === undefined || bytes === undefined) return;
    held.facts.delete(`${family} ${key}`);
    held.bytes -= bytes;
    this.#bytes -= bytes;
    if (held.facts.size === 0) this.#byTpp.delete(tpp);
  }

  get bytes(): number {
    return this.#bytes;
  }

  bytesOf(tpp: string): number {
    return this.#byTpp.get(tpp)?.bytes ?? 0;
  }

  heaviest(): string | undefined {
    let [heaviest, most]: [string | undefined, number] = [undefined, 0];
    for (const [tpp, { bytes }] of this.#byTpp) if (bytes > most) [heaviest, most] = [tpp, bytes];
    return heaviest;
  }

  isFull(tpp: string, now: number): boolean {
    const until = this.#byTpp.get(tpp)?.fullUntil ?? 0;
    // Of a clock that was set back the look counts no more.
    return until > now && until <= now + LOOK_AGAIN_MS;
  }

  setFull(tpp: string, now: number): void {
    const held = this.#byTpp.get(tpp);
    if (held !== undefined) held.fullUntil = now + LOOK_AGAIN_MS;
  }

  *oldest(tpp: string): IterableIterator<readonly [family: BankFamily, key: string, bytes: number]> {
    for (const [name, bytes] of this.#byTpp.get(tpp)?.facts ?? []) {
      const space = name.indexOf(' ');
      yield [name.slice(0, space) as BankFamily, name.slice(space + 1), bytes];
    }
  }
}

/** All facts of a TPP that is full are looked through once in so many ms. */
const LOOK_AGAIN_MS = 10_000;
