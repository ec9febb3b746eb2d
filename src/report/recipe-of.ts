/** By what a report is judged, as its recipe has it. */
import type { Judging, Recipe } from './model.js';

/** `judgings`: one for all, or one for each period of the settings, in order. */
export const recipeOf = (judgings: readonly Judging[]): Pick<Recipe, 'judging' | 'judgings'> => ({
  judging: judgings.at(-1) as Judging,
  ...(judgings.length > 1 ? { judgings: [...judgings] } : {}),
});
