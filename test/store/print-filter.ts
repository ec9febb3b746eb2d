/** Writes a filter that parsing gives: as terms, texts and parentheses, each in one way. */
import type { FilterTerm, FilterTree } from '../../src/store/filter/tree.js';

export function printFilter(tree: FilterTree): string {
  if ('and' in tree) return tree.and.map(printPart).join(' ');
  if ('or' in tree) return tree.or.map(printPart).join(' OR ');
  return printPart(tree);
}

/** As it stands beside others. */
function printPart(tree: FilterTree): string {
  if ('not' in tree) return 'not' in tree.not ? `-(${printFilter(tree.not)})` : `-${printPart(tree.not)}`;
  return 'field' in tree ? printTerm(tree) : `(${printFilter(tree)})`;
}

function printTerm({ field, operator, value }: FilterTerm): string {
  const quoted = `"${value.replaceAll(/["\\]/g, '\\$&')}"`;
  return field === 'text' ? quoted : `${field}${operator}${quoted}`;
}
