/** A walk over the rules of a plan, and what it found; as text it holds each verdict in two bits, eight of them in a character. */
import { applyRule, type PlannedRule } from './judge-by-rule.js';
import type { ExchangeContext, Verdict, Violation } from './rule.js';

export interface Hit {
  readonly planned: PlannedRule;
  readonly violations: readonly Violation[];
}

export interface Walk {
  /** How many rules are behind it. */
  readonly place: number;
  /** Verdicts so far, packed eight to a character. */
  readonly text: string;
  /** Verdicts after the last full eight. */
  readonly bits: number;
  /** null: none of them is violated. */
  readonly hits: readonly Hit[] | null;
}

export const BEGUN: Walk = { place: 0, text: '', bits: 0, hits: null };

const VERDICTS = ['not-applicable', 'complied', 'violated', 'not-observed'] as const satisfies Verdict[];
function codeOf(verdict: Verdict): number {
  if (verdict === 'complied') return 1;
  if (verdict === 'not-applicable') return 0;
  return verdict === 'violated' ? 2 : 3;
}

export function walkOn(
  from: Walk,
  rules: readonly PlannedRule[],
  end: number,
  context: ExchangeContext,
): Walk {
  let { text, bits } = from;
  let hits: Hit[] | null = null;
  for (let i = from.place; i < end; i++) {
    const planned = rules[i] as PlannedRule;
    const { verdict, violations } = applyRule(planned, context);
    bits |= codeOf(verdict) << ((i & 7) << 1);
    if ((i & 7) === 7) {
      text += String.fromCharCode(bits);
      bits = 0;
    }
    if (verdict === 'violated') {
      hits ??= [...(from.hits ?? [])];
      hits.push({ planned, violations });
    }
  }
  return { place: end, text, bits, hits: hits ?? from.hits };
}

/** All verdicts of a walk, in the order of its rules. */
export const textOf = ({ text, bits }: Walk): string => text + String.fromCharCode(bits);

export function verdictAt(text: string, place: number): Verdict {
  const code = (text.charCodeAt(place >> 3) >> ((place & 7) << 1)) & 3;
  return VERDICTS[code] as Verdict;
}
