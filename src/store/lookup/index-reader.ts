/** Asks an index which exchanges may match, and how far it is behind its store. */
import { numberOfId } from '../../exchange/index.js';
import { type FilterField, type FilterTerm, type FilterTree, hasText } from '../filter/tree.js';
import type { Database } from '../sqlite/driver.js';
import { fold, trigramsOf, UNKNOWN } from './fold.js';
import { COLUMN_FIELDS, columnOf, SEALED, type TEXTS } from './index-file.js';
import type { Candidate, Index } from './search.js';

interface Row extends Omit<Candidate, 'fits'> {
  readonly fits: 0 | 1;
}

type Past = [
  place: number,
  exchange: string,
  worst: string | null,
  bankMs: number | null,
  isSealed: 0 | 1,
  ...fits: (0 | 1 | null)[],
];

/** `store`: the database that it is of. */
export function createIndexReader(db: Database, store: Database): Index {
  const inStore = store.prepare('SELECT coalesce(sum(exchanges), 0) FROM chains WHERE session = ?').pluck();
  const placeInStore = store.prepare('SELECT chain, seq, turn FROM exchanges WHERE id = ?');
  // Behind those of chains that were copied, by their turns, come those that the store recorded itself.
  const behindPlace = store
    .prepare(
      `SELECT coalesce(sum(CASE
           WHEN id = @chain THEN (SELECT count(*) FROM exchanges WHERE chain = chains.id AND seq > @seq)
           WHEN store IS NULL THEN exchanges
           ELSE (SELECT count(*) FROM exchanges WHERE chain = chains.id AND turn > @turn)
         END), 0) FROM chains WHERE session = @name`,
    )
    .pluck();
  const session = db.prepare('SELECT id, newest FROM sessions WHERE name = ?');
  const placeOf = db.prepare('SELECT place FROM exchanges WHERE exchange = ? AND session = ?').pluck();
  return {
    behind: (name) => {
      const { newest = null } = (session.get(name) ?? {}) as { newest?: string | null };
      const place = newest === null ? undefined : placeInStore.get(numberOfId(newest));
      return (place === undefined ? inStore.get(name) : behindPlace.get({ name, ...place })) as number;
    },
    session: (name) => {
      const row = session.get(name) as { id: number; newest: string | null } | undefined;
      if (row === undefined || row.newest === null) return null;
      return {
        newest: row.newest,
        placeOf: (exchange) => placeOf.get(exchange, row.id) as number | undefined,
        past: (trees, before, limit) => {
          const conditions = trees.map(toSql);
          const rows = db
            .prepare(
              `SELECT place, exchange, trim(worst, char(10)), CASE trim(source, char(10)) WHEN 'upstream' THEN ms END,
                 whole = ${SEALED}${conditions.map(({ certain }) => `, (${certain})`).join('')}
                 FROM exchanges WHERE session = ? AND place < ? ORDER BY place DESC LIMIT ?`,
            )
            .raw()
            .all(...conditions.flatMap(({ values }) => values), row.id, before, limit) as Past[];
          return rows.map(([place, exchange, worst, bankMs, isSealed, ...fits]) => {
            const isCertain = isSealed === 0 && !fits.includes(null);
            return { place, exchange, isCertain, worst, bankMs, fits: fits.map((one) => one === 1) };
          });
        },
        candidates: (tree, before = Number.MAX_SAFE_INTEGER, limit) => {
          const { sql, certain, values } = toSql(tree);
          // The index tells for certain where a text is not, and never where it is.
          const certainValues = hasText(tree) ? [] : values;
          const rows = db
            .prepare(
              `SELECT place, exchange, ${hasText(tree) ? 'FALSE' : `(whole <> ${SEALED} AND (${certain}) IS TRUE)`} AS fits FROM exchanges
                 WHERE session = ? AND place < ? AND (whole = ${SEALED} OR ${sql}) ORDER BY place DESC LIMIT ?`,
            )
            .all(...certainValues, row.id, before, ...values, limit) as Row[];
          return rows.map((one): Candidate => ({ ...one, fits: one.fits === 1 }));
        },
      };
    },
  };
}

interface Condition {
  /** True for rows that may match; neither NULL nor false for any that does. */
  readonly sql: string;
  /** True for rows that match, false for those that do not, NULL where it does not tell; with the same values. */
  readonly certain: string;
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

const ofTime =
  (column: string): TermToSql =>
  (term, bind) =>
    term.operator === '='
      ? ofTexts(column)(term, bind)
      : `trim(${column}, char(10)) ${term.operator} ${bind(term.value)}`;

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
  at: ofTime(columnOf('at')),
  recorded: ofTime(columnOf('recorded')),
  text: ofText,
};

/**
 * What the columns do not tell is NULL, and SQL's own logic of three values does the rest: only a row for which the filter is
 * certainly false is passed over. Who searches compares the rest with the records.
 */
function toSql(tree: FilterTree): Condition {
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

  const certain = sqlOf(tree);
  return { sql: `(${certain}) IS NOT FALSE`, certain, values };
}
