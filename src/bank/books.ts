/** The books of the living bank: what was done in it, beside who there is. */
import type { Population } from './population/index.js';
import type { BankView } from './state.js';

export interface Books {
  readonly state: BankView;
  readonly population: Population;
}
