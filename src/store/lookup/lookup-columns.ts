/** What the columns of an index tell of a filter; who searches holds what it does not tell against the record. */
import type { Dialect, TermToSql } from '../filter/to-sql.js';
import { fold, trigramsOf, UNKNOWN } from './fold.js';
import { COLUMN_FIELDS, columnOf, type TEXTS } from './index-file.js';

const likePattern = (value: string): string =>
  fold(value)
    .replaceAll(/[\\%_]/g, '\\$&')
    .replaceAll('*', '%');

/** Values stand each between line ends, in one letter case: a `*` may reach over several of them. */
const ofTexts =
  (column: string): TermToSql =>
  ({ operator, value }, bind) => {
    const none = `WHEN ${column} IS NULL THEN FALSE`;
    if (operator !== '=') return { sql: `CASE ${none} END` };
    const isOut = `WHEN ${column} NOT LIKE ${bind(`%\n${likePattern(value)}\n%`)} ESCAPE '\\' THEN FALSE`;
    if (fold(value).includes(UNKNOWN)) return { sql: `CASE ${none} ${isOut} END` };
    const isOne = value.includes('*')
      ? `WHEN ${column} NOT LIKE '%' || ${LINES} || '%' THEN TRUE`
      : 'ELSE TRUE';
    return { sql: `CASE ${none} ${isOut} ${isOne} END` };
  };

/** The ends of three values, or of two and the beginning of the first. */
const LINES = "char(10) || '%' || char(10) || '%' || char(10)";

const ofNumber =
  (column: string): TermToSql =>
  ({ operator, value }, bind) => {
    const none = `WHEN ${column} IS NULL THEN FALSE`;
    if (operator !== '=')
      return { sql: `CASE ${none} ELSE ${column} ${operator} ${bind(Number(value))} END` };
    if (!value.includes('*')) {
      const number = Number(value);
      return String(number) === value
        ? { sql: `CASE ${none} ELSE ${column} = ${bind(number)} END` }
        : undefined;
    }
    // A fraction is written by SQLite in a way of its own.
    const fits = `${column} LIKE ${bind(likePattern(value))} ESCAPE '\\'`;
    return { sql: `CASE ${none} WHEN typeof(${column}) = 'integer' THEN ${fits} END` };
  };

const ofTime: TermToSql = (term, bind) => {
  const column = columnOf('at');
  if (term.operator === '=') return ofTexts(column)(term, bind);
  return { sql: `trim(${column}, char(10)) ${term.operator} ${bind(term.value)}` };
};

/** Where a trigram of it is missing, the text is not there. */
const ofText: TermToSql = ({ operator, value }, bind) => {
  const trigrams = trigramsOf(value);
  if (operator !== '=' || trigrams.length === 0) return undefined;
  const wanted = trigrams.map((one) => `"${one.replaceAll('"', '""')}"`).join(' ');
  const within = (table: (typeof TEXTS)[number]) =>
    `SELECT rowid FROM ${table} WHERE ${table} MATCH ${bind(wanted)}`;
  const isOut = `place NOT IN (${within('texts')}) AND (shared IS NULL OR shared NOT IN (${within('shared_texts')}))`;
  return { sql: `CASE WHEN whole AND ${isOut} THEN FALSE END` };
};

export const LOOKUP: Dialect = {
  placeholder: () => '?',
  columns: {
    ...Object.fromEntries(COLUMN_FIELDS.map((field) => [field, ofTexts(columnOf(field))])),
    status: ofNumber(columnOf('status')),
    ms: ofNumber(columnOf('ms')),
    at: ofTime,
    text: ofText,
  },
};
