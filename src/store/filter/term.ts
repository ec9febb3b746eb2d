/** A term of the filter language, `name operator value`: what each field allows. */
import { SandgateError, slipOf } from '../../spec/index.js';
import { EQUALS, FIELDS } from './fields.js';
import type { FilterField, FilterTree } from './tree.js';

export interface WrittenTerm {
  readonly name: string;
  readonly operator: string;
  readonly value: string;
  /** Place of its first character, from 1 on. */
  readonly at: number;
}

/** `:` and `=` take `*` as any text and commas as alternatives, `>` `>=` `<` `<=` compare numbers, or texts such as times. */
export function readTerm({ name, operator, value, at }: WrittenTerm): FilterTree {
  if (!isField(name)) {
    const names = Object.keys(FIELDS);
    const data = { at, name, nearest: slipOf(name, names), names: names.join(', ') };
    throw new SandgateError('filter.unknown-name', data);
  }
  const wrong = (what: string) =>
    new SandgateError('filter.term', { at, term: `${name}${operator}${value}`, what });
  const { form, operators = OPERATORS } = FIELDS[name];
  if (!operators.includes(operator))
    throw wrong(`has the operator «${operator}»; there are ${operators.join(' ')}`);
  if (value === '') throw wrong('has no value');
  const isCompared = isComparison(operator);
  const values = isCompared ? [value] : value.split(',');
  const pattern = isCompared ? form?.compared : form?.equal;
  if (form !== undefined && !values.every((one) => pattern?.test(one))) throw wrong(`needs ${form.words}`);
  const terms = values.map(
    (one): FilterTree => ({ field: name, operator: isCompared ? operator : '=', value: one }),
  );
  const tree = terms.length === 1 ? (terms[0] as FilterTree) : { or: terms };
  return operator === '!=' ? { not: tree } : tree;
}

const COMPARISONS = ['>', '>=', '<', '<='] as const;
const OPERATORS: readonly string[] = [...EQUALS, ...COMPARISONS];

const isComparison = (operator: string): operator is (typeof COMPARISONS)[number] =>
  (COMPARISONS as readonly string[]).includes(operator);

const isField = (name: string): name is FilterField => Object.hasOwn(FIELDS, name);
