/** The books of the living bank: what was done in it, beside who there is. */
import type { Draws } from './habits/draws.js';
import type { Population } from './population/index.js';
import type { BankView } from './state.js';

export interface LivingPopulation extends Population {
  /**
   * The same at a moment (epoch ms) of a world: with what operators did to accounts, and the habits of the bank. `seenBy`:
   * with no more entries than there were by then. Absent: it never changes.
   */
  readonly at?: (state: BankView, now: number, seenBy?: number) => LivingPopulation;
  /** How the bank treats what TPPs create. Absent: as is ordinary. */
  readonly draws?: Draws;
}

export interface Books {
  readonly state: BankView;
  readonly population: LivingPopulation;
}

/** The books with accounts as they are at a moment, epoch ms. */
export function booksAt({ state, population }: Books, now: number): Books {
  return { state, population: population.at?.(state, now) ?? population };
}
