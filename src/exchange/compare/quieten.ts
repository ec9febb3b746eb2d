/** Marks differences that were declared noise. */

import { createGlob } from '../glob.js';
import type { Place } from '../place.js';
import { type CompareOptions, DIFFERENCE_CLASSES, type Difference } from './difference.js';

/** Says how long to wait from now on: another number with every call. */
const ALWAYS_NOISE = ['header retry-after'];

/** The worst first. A declared place may still change its type, and one that is not said to come and go may not be gone. */
export function quieten(
  differences: readonly Difference[],
  { noise = [], presence = [] }: Pick<CompareOptions, 'noise' | 'presence'>,
): Difference[] {
  const comesAndGoes = presence.map(createGlob);
  const varies = [...[...ALWAYS_NOISE, ...noise].map(createGlob), ...comesAndGoes];
  const patternsFor: Partial<Record<Difference['what'], readonly ((place: Place) => boolean)[]>> = {
    value: varies,
    gone: comesAndGoes,
    added: comesAndGoes,
  };
  return differences
    .map((difference): Difference => {
      const isDeclared = patternsFor[difference.what]?.some((fits) => fits(difference.place));
      return isDeclared === true ? { ...difference, class: 'noise' } : difference;
    })
    .sort((a, b) => DIFFERENCE_CLASSES.indexOf(a.class) - DIFFERENCE_CLASSES.indexOf(b.class));
}
