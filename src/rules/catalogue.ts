/** Every rule there is, in the order in which they judge: family by family, by id within. */
import * as files from './files.js';
import { RULE_FAMILIES, type Rule } from './rule.js';

export const RULES: readonly Rule[] = RULE_FAMILIES.flatMap((family) =>
  Object.values(files)
    .filter(({ id }) => id.startsWith(`${family}/`))
    .sort((a, b) => (a.id < b.id ? -1 : 1)),
);
