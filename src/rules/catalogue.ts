/** Every rule there is, in the order in which they judge: family by family, by id within. */
import { hash } from 'node:crypto';
import * as files from './files.js';
import { RULE_FAMILIES, type Rule } from './rule.js';

export const RULES: readonly Rule[] = RULE_FAMILIES.flatMap((family) =>
  Object.values(files)
    .filter(({ id }) => id.startsWith(`${family}/`))
    .sort((a, b) => (a.id < b.id ? -1 : 1)),
);

const BY_ID: ReadonlyMap<string, Rule> = new Map(RULES.map((rule) => [rule.id, rule]));

export const ruleOf = (id: string): Rule | undefined => BY_ID.get(id);

/** Whether the id is one of a rule of the user's own; no rule of the catalogue begins so. */
export const isOwnRule = (id: string): boolean => id.startsWith('x-');

/** SHA-256, hex: what was judged by the same rules can be compared. */
export function catalogueDigest(): string {
  const rows = RULES.map(({ id, severity, statement }) => [
    id,
    severity.sandbox,
    severity.production,
    statement,
  ]);
  return hash('sha256', JSON.stringify(rows), 'hex');
}
