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
/** The place of a verdict in that list. */
function codeOf(verdict: Verdict): number {
  if (verdict === 'complied') return 1;
  if (verdict === 'not-applicable') return 0;
  return verdict === 'violated' ? 2 : 3;
}

/** `bits` with the verdict of the rule at that place; after every eighth they become a character, and begin anew. */
export function withVerdict(bits: number, place: number, verdict: Verdict): number {
  return bits | (codeOf(verdict) << ((place & 7) << 1));
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
