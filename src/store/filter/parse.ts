/** The filter language of recordings: `status>=400 (operation:accounts.* OR "wrong IBAN") -rule:oauth/*`. */
import { SandgateError, slipOf } from '../../spec/index.js';
import { EQUALS, FIELDS } from './fields.js';
import type { FilterField, FilterTree } from './tree.js';

const LONGEST = 1_000;
/** The start of a term: a word, and an operator right behind it. */
const TERM = /(?<name>[A-Za-z][\w-]*)(?<operator>[:=!<>]+)/y;
const QUOTED = /"(?<inner>(?:[^"\\]|\\.)*)(?<end>"?)/sy;
const SPACE = /\s*/y;
const KEYWORDS = { or: /OR(?![^\s()])/y, and: /AND(?![^\s()])/y, not: /NOT(?![^\s()])/y } as const;

/**
 * Reads a filter. What stands side by side, or with AND between, must all hold; OR binds less, `-` (NOT) before a
 * term, a text or a parenthesis more. docs/filters.md has the language.
 * Throws a usage error that names the place and what is allowed there: nothing is left to be found wrong at a record.
 */
export function parseFilter(text: string): FilterTree {
  if (text.length > LONGEST) throw new SandgateError('filter.too-long', { most: LONGEST });
  let at = 0;
  /** Text may begin here: one right behind a quote, or a quote in the middle of a word, is a mistake. */
  let isApart = true;

  function take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found !== null) at = pattern.lastIndex;
    return found;
  }

  function skipSpace(): void {
    if (take(SPACE)?.[0] !== '') isApart = true;
  }

  function takeKeyword(word: keyof typeof KEYWORDS): boolean {
    const isThere = take(KEYWORDS[word]) !== null;
    skipSpace();
    return isThere;
  }

  function isAt(word: keyof typeof KEYWORDS): boolean {
    KEYWORDS[word].lastIndex = at;
    return KEYWORDS[word].test(text);
  }

  const isOver = (): boolean => at === text.length || text[at] === ')' || isAt('or') || isAt('and');

  function readAlternatives(depth: number): FilterTree {
    const or: FilterTree[] = [];
    do or.push(readAll(depth));
    while (takeKeyword('or'));
    return or.length === 1 ? (or[0] as FilterTree) : { or };
  }

  function readAll(depth: number): FilterTree {
    const and: FilterTree[] = [];
    do and.push(readOne(depth));
    while (takeKeyword('and') || !isOver());
    return and.length === 1 ? (and[0] as FilterTree) : { and };
  }

  function readOne(depth: number): FilterTree {
    if (takeKeyword('not')) return { not: readOne(depth) };
    if (text[at] !== '-') return readPlain(depth);
    at++;
    isApart = true;
    return { not: readPlain(depth) };
  }

  function readPlain(depth: number): FilterTree {
    if (isOver() || isAt('not')) throw new SandgateError('filter.incomplete', { at: at + 1 });
    const tree = text[at] === '(' ? readGroup(depth) : readLeaf(depth);
    isApart = false;
    skipSpace();
    return tree;
  }

  function readGroup(depth: number): FilterTree {
    const opened = at++;
    isApart = true;
    skipSpace();
    const tree = readAlternatives(depth + 1);
    if (text[at] !== ')') throw new SandgateError('filter.not-closed', { sign: '(', at: opened + 1 });
    at++;
    return tree;
  }

  function readLeaf(depth: number): FilterTree {
    const from = at;
    const { name, operator } = take(TERM)?.groups ?? {};
    if (name !== undefined && operator !== undefined)
      return readTerm({ name, operator, value: readValue(depth > 0), at: from + 1 });
    const isQuoted = text[at] === '"';
    const value = isApart ? readValue(true) : '';
    // A sign alone is more likely another language's operator than what somebody looks for.
    if (value === '' || (!isQuoted && !/^[^-].*[\p{L}\p{N}]|^[\p{L}\p{N}]/u.test(value)))
      throw unreadable(from);
    return { field: 'text', operator: '=', value };
  }

  /** `isWithin`: a `)` that was not opened in the value ends it. */
  function readValue(isWithin: boolean): string {
    const from = at;
    const { inner, end } = take(QUOTED)?.groups ?? {};
    if (end === '') throw new SandgateError('filter.not-closed', { sign: '"', at: from + 1 });
    if (inner !== undefined) return inner.replace(/\\(.)/gs, '$1');
    for (let open = 0; at < text.length && !/[\s"]/.test(text.charAt(at)); at++) {
      if (text[at] === '(') open++;
      else if (text[at] === ')' && --open < 0 && isWithin) break;
    }
    return text.slice(from, at);
  }

  const unreadable = (place: number) =>
    new SandgateError('filter.unreadable', { at: place + 1, text: text.slice(place, place + 20) });

  skipSpace();
  if (at === text.length) return { and: [] };
  const tree = readAlternatives(0);
  if (at < text.length) throw new SandgateError('filter.closes-nothing', { at: at + 1 });
  return tree;
}

interface WrittenTerm {
  readonly name: string;
  readonly operator: string;
  readonly value: string;
  /** Place of its first character, from 1 on. */
  readonly at: number;
}

/** `:` and `=` take `*` as any text and commas as alternatives, `>` `>=` `<` `<=` compare numbers, or texts such as times. */
function readTerm({ name, operator, value, at }: WrittenTerm): FilterTree {
  if (!isField(name)) {
    const names = Object.keys(FIELDS);
    const data = { at, name, nearest: slipOf(name, names), names: names.join(', ') };
    throw new SandgateError('filter.unknown-name', data);
  }
  const wrong = (what: string) =>
    new SandgateError('filter.term', { at, term: `${name}${operator}${value}`, what });
  const { form, operators = OPERATORS } = FIELDS[name];
  if (!operators.includes(operator))
    throw wrong(`has the operator “${operator}”; there are ${operators.join(' ')}`);
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
