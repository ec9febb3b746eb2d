/** A walk over the rules of a plan, as it is remembered: each verdict in two bits, eight of them in a character. */
import type { Verdict } from './rule.js';

export interface Walk {
  /** Of the verdicts so far, by eights. */
  readonly text: string;
  /** Of those behind the last eight. */
  readonly bits: number;
}

export const BEGUN: Walk = { text: '', bits: 0 };

const VERDICTS = ['not-applicable', 'complied', 'violated', 'not-observed'] as const satisfies Verdict[];
const CODES: Readonly<Record<Verdict, number>> = {
  'not-applicable': 0,
  complied: 1,
  violated: 2,
  'not-observed': 3,
};

/** `bits` with the verdict of the rule at that place; after every eighth they become a character, and begin anew. */
export function withVerdict(bits: number, place: number, verdict: Verdict): number {
  return bits | (CODES[verdict] << ((place & 7) << 1));
}

export const isFull = (place: number): boolean => (place & 7) === 7;

/** All verdicts of a walk, in the order of its rules. */
export function textOf(text: string, bits: number): string {
  return text + String.fromCharCode(bits);
}

export function verdictAt(text: string, place: number): Verdict {
  const code = (text.charCodeAt(place >> 3) >> ((place & 7) << 1)) & 3;
  return VERDICTS[code] as Verdict;
}
