/** The filter language of recordings: `status>=400 operation:accounts.* -rule:oauth/*`, all terms together. */
import { nearestOf, SandgateError } from '../../spec/index.js';
import { FIELDS } from './fields.js';
import type { FilterField, FilterTree } from './tree.js';

const LONGEST = 1_000;
const TERM =
  /(?<turn>-?)(?<name>[a-z-]+)(?<operator>[:=!<>]+)(?:"(?<quoted>(?:[^"\\]|\\.)*)(?<end>"?)|(?<plain>[^\s"]*))/y;

/**
 * Reads a filter. Terms stand side by side and must all hold; `-` before a term turns it round; `:` and `=` take
 * `*` as any text and commas as alternatives, `>` `>=` `<` `<=` compare numbers, or texts such as times.
 * Throws a usage error that names the place, or the term and what is allowed there: nothing is left to be found wrong
 * at a record.
 */
export function parseFilter(text: string): FilterTree {
  if (text.length > LONGEST) throw new SandgateError('filter.too-long', { most: LONGEST });
  const and: FilterTree[] = [];
  for (let at = skipSpace(text, 0); at < text.length; at = skipSpace(text, TERM.lastIndex)) {
    TERM.lastIndex = at;
    const term = TERM.exec(text)?.groups;
    if (term === undefined) {
      throw new SandgateError('filter.unreadable', { at: at + 1, text: text.slice(at, at + 20) });
    }
    and.push(readTerm(term as unknown as Term));
  }
  return { and };
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text[at] as string)) at++;
  return at;
}

/** A term as it is written. */
interface Term {
  readonly turn: '' | '-';
  readonly name: string;
  readonly operator: string;
  readonly quoted?: string;
  /** The closing quote. */
  readonly end?: '' | '"';
  readonly plain?: string;
}

function readTerm({ turn, name, operator, quoted, end, plain = '' }: Term): FilterTree {
  if (!isField(name)) {
    const names = Object.keys(FIELDS);
    throw new SandgateError('filter.unknown-name', {
      name,
      nearest: nearestOf(name, names),
      names: names.join(', '),
    });
  }
  const wrong = (what: string) =>
    new SandgateError('filter.term', { term: `${name}${operator}${quoted ?? plain}`, what });
  if (!OPERATORS.includes(operator))
    throw wrong(`has the operator «${operator}»; there are ${OPERATORS.join(' ')}`);
  if (end === '') throw wrong('has a quote that is not closed');
  const wanted = quoted?.replace(/\\(.)/g, '$1') ?? plain;
  if (wanted === '') throw wrong('has no value');
  const { form } = FIELDS[name];
  const isCompared = isComparison(operator);
  const values = isCompared ? [wanted] : wanted.split(',');
  const pattern = isCompared ? form?.compared : form?.equal;
  if (form !== undefined && !values.every((value) => pattern?.test(value)))
    throw wrong(`needs ${form.words}`);
  const terms = values.map(
    (value): FilterTree => ({ field: name, operator: isCompared ? operator : '=', value }),
  );
  const tree = terms.length === 1 ? (terms[0] as FilterTree) : { or: terms };
  return (turn === '-') !== (operator === '!=') ? { not: tree } : tree;
}

const COMPARISONS = ['>', '>=', '<', '<='] as const;
const OPERATORS: readonly string[] = [':', '=', '!=', ...COMPARISONS];

const isComparison = (operator: string): operator is (typeof COMPARISONS)[number] =>
  (COMPARISONS as readonly string[]).includes(operator);

const isField = (name: string): name is FilterField => Object.hasOwn(FIELDS, name);
