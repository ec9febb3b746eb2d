/** Holds a filter against records in memory. */
import { createGlob } from '../../exchange/index.js';
import type { RecordedExchange } from '../recorded.js';
import { FIELDS } from './fields.js';
import type { FilterTerm, FilterTree } from './tree.js';

/** Compiles a filter: what comes of it is for many records. */
export function matches(tree: FilterTree): (record: RecordedExchange) => boolean {
  if ('not' in tree) {
    const holds = matches(tree.not);
    return (record) => !holds(record);
  }
  if ('and' in tree) {
    const terms = tree.and.map(matches);
    return (record) => terms.every((holds) => holds(record));
  }
  if ('or' in tree) {
    const terms = tree.or.map(matches);
    return (record) => terms.some((holds) => holds(record));
  }
  const { read, isWithin } = FIELDS[tree.field];
  const fits = compileTerm(isWithin ? { ...tree, value: `*${tree.value}*` } : tree);
  return (record) => read(record).some((value) => value !== undefined && fits(value));
}

function compileTerm({ operator, value: wanted }: FilterTerm): (value: string | number) => boolean {
  if (operator === '=') {
    const fits = createGlob(wanted.toLowerCase());
    return (value) => fits(String(value).toLowerCase());
  }
  const compare = COMPARISONS[operator];
  const number = Number(wanted);
  return (value) => {
    if (typeof value === 'number') return compare(value - number);
    return compare(value < wanted ? -1 : value > wanted ? 1 : 0);
  };
}

const COMPARISONS = {
  '>': (difference: number) => difference > 0,
  '>=': (difference: number) => difference >= 0,
  '<': (difference: number) => difference < 0,
  '<=': (difference: number) => difference <= 0,
} as const;
