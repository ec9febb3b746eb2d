/** The outcome of a rule as plain data, which may come from another thread. */
import type { Violation } from './types.js';

export type Said =
  | { readonly outcome: true | 'not-applicable' | 'not-observed' | Violation[] }
  | { readonly broken: string };
