/**
 * Turns a filter into a condition on the columns of an index. What they do not tell is NULL, and SQL's own logic of
 * three values does the rest: only a row for which the filter is certainly false is passed over. Who searches holds
 * what is not told against the record.
 */

import type { FilterField, FilterTerm, FilterTree } from '../filter/tree.js';
import { fold, trigramsOf, UNKNOWN } from './fold.js';
import { COLUMN_FIELDS, columnOf, type TEXTS } from './index-file.js';

export interface Condition {
  /** True for rows that may match; neither NULL nor false for any that does. */
  readonly sql: string;
  /** True for rows that match, false for those that do not, NULL where it does not tell; with the same values. */
  readonly told: string;
  /** In the order of their placeholders. */
  readonly values: readonly (string | number)[];
}

/**
 * What a column tells of a term: an expression that is true, false, or NULL; undefined where it tells nothing. `bind` gives the
 * placeholder of a value, and is called in the order in which these stand in the expression.
 */
type TermToSql = (term: FilterTerm, bind: (value: string | number) => string) => string | undefined;

const likePattern = (value: string): string =>
  fold(value)
    .replaceAll(/[\\%_]/g, '\\$&')
    .replaceAll('*', '%');

/** Values stand each between line ends, in one letter case: a `*` may reach over several of them. */
const ofTexts =
  (column: string): TermToSql =>
  ({ operator, value }, bind) => {
    const none = `WHEN ${column} IS NULL THEN FALSE`;
    if (operator !== '=') return `CASE ${none} END`;
    const isOut = `WHEN ${column} NOT LIKE ${bind(`%\n${likePattern(value)}\n%`)} ESCAPE '\\' THEN FALSE`;
    if (fold(value).includes(UNKNOWN)) return `CASE ${none} ${isOut} END`;
    const isOne = value.includes('*')
      ? `WHEN ${column} NOT LIKE '%' || ${LINES} || '%' THEN TRUE`
      : 'ELSE TRUE';
    return `CASE ${none} ${isOut} ${isOne} END`;
  };

/** The ends of three values, or of two and the beginning of the first. */
const LINES = "char(10) || '%' || char(10) || '%' || char(10)";

const ofNumber =
  (column: string): TermToSql =>
  ({ operator, value }, bind) => {
    const none = `WHEN ${column} IS NULL THEN FALSE`;
    if (operator !== '=') return `CASE ${none} ELSE ${column} ${operator} ${bind(Number(value))} END`;
    if (!value.includes('*')) {
      const number = Number(value);
      return String(number) === value ? `CASE ${none} ELSE ${column} = ${bind(number)} END` : undefined;
    }
    // A fraction is written by SQLite in a way of its own.
    const fits = `${column} LIKE ${bind(likePattern(value))} ESCAPE '\\'`;
    return `CASE ${none} WHEN typeof(${column}) = 'integer' THEN ${fits} END`;
  };

const ofTime: TermToSql = (term, bind) => {
  const column = columnOf('at');
  if (term.operator === '=') return ofTexts(column)(term, bind);
  return `trim(${column}, char(10)) ${term.operator} ${bind(term.value)}`;
};

/** A text is not there if one of its trigrams is missing. */
const ofText: TermToSql = ({ operator, value }, bind) => {
  const trigrams = trigramsOf(value);
  if (operator !== '=' || trigrams.length === 0) return undefined;
  const wanted = trigrams.map((one) => `"${one.replaceAll('"', '""')}"`).join(' ');
  const within = (table: (typeof TEXTS)[number]) =>
    `SELECT rowid FROM ${table} WHERE ${table} MATCH ${bind(wanted)}`;
  const isOut = `place NOT IN (${within('texts')}) AND (shared IS NULL OR shared NOT IN (${within('shared_texts')}))`;
  return `CASE WHEN whole AND ${isOut} THEN FALSE END`;
};

const COLUMNS: Readonly<Partial<Record<FilterField, TermToSql>>> = {
  ...Object.fromEntries(COLUMN_FIELDS.map((field) => [field, ofTexts(columnOf(field))])),
  status: ofNumber(columnOf('status')),
  ms: ofNumber(columnOf('ms')),
  at: ofTime,
  text: ofText,
};

export function toSql(tree: FilterTree): Condition {
  const values: (string | number)[] = [];
  const bind = (value: string | number): string => {
    values.push(value);
    return '?';
  };

  function sqlOf(part: FilterTree): string {
    if ('and' in part) return joined(part.and, ' AND ', 'TRUE');
    if ('or' in part) return joined(part.or, ' OR ', 'FALSE');
    if ('not' in part) return `NOT (${sqlOf(part.not)})`;
    return COLUMNS[part.field]?.(part, bind) ?? 'NULL';
  }

  const joined = (parts: readonly FilterTree[], by: string, none: string): string =>
    parts.length === 0 ? none : parts.map((part) => `(${sqlOf(part)})`).join(by);

  const told = sqlOf(tree);
  return { sql: `(${told}) IS NOT FALSE`, told, values };
}
