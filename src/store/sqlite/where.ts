/** What the columns of `exchanges` tell of a filter. */
import { EXCHANGE_FORMAT, idOfNumber, numberOfId } from '../../exchange/index.js';
import { type Condition, type Dialect, type TermToSql, toSql } from '../filter/to-sql.js';
import type { FilterTree } from '../filter/tree.js';

/** What a condition is asked of. */
export const WITH_PARTS =
  'exchanges LEFT JOIN parts shapes ON shapes.id = shape LEFT JOIN parts found ON found.id = findings';
const SHAPE = 'coalesce(shapes.content, shape)';
const FINDINGS = 'coalesce(found.content, findings)';

export const whereOf = (tree: FilterTree): Condition =>
  toSql(tree, { columns: COLUMNS, placeholder: () => '?' });

/**
 * SQLite folds ASCII alone, JavaScript all letters; to an ASCII one come, besides, the Kelvin sign (k) and the I with
 * a dot (i).
 */
const likePattern = (value: string): string =>
  value
    .replaceAll(/[\\%_]/g, '\\$&')
    .replaceAll(/[ki]/gi, '_')
    .replaceAll('*', '%');

const ASCII = /^[ -~]*$/;

/** A member of the shape; `absent` is what it is where it is null. What JSON escapes, SQL may end at or read otherwise. */
const inShape =
  (member: string, absent?: string): TermToSql =>
  ({ operator, value }, bind) => {
    if (operator !== '=' || !ASCII.test(value)) return undefined;
    const text = `${SHAPE} ->> '$.${member}'`;
    const column = absent === undefined ? text : `coalesce(${text}, '${absent}')`;
    const fits = `coalesce((${column}) LIKE ${bind(likePattern(value))} ESCAPE '\\', FALSE)`;
    return {
      sql: ifShape(`CASE WHEN instr(coalesce(${SHAPE} -> '$.${member}', ''), '\\') = 0 THEN ${fits} END`),
    };
  };

const ifShape = (test: string): string =>
  `CASE WHEN json_valid(${SHAPE}) AND ${SHAPE} ->> '$.format' = ${EXCHANGE_FORMAT} THEN ${test} END`;

const ofStatus: TermToSql = ({ operator, value }, bind) => {
  const column = `(${SHAPE} ->> '$.answer.status')`;
  const fits =
    operator === '='
      ? `${column} LIKE ${bind(likePattern(value))} ESCAPE '\\'`
      : `${column} ${operator} ${bind(Number(value))}`;
  return {
    sql: ifShape(
      `CASE WHEN ${column} IS NULL THEN FALSE WHEN typeof(${column}) = 'integer' THEN ${fits} END`,
    ),
  };
};

/** Up to the year 9999, and of whole milliseconds. */
const ofTime: TermToSql = ({ operator, value }, bind) => {
  if (!ASCII.test(value)) return undefined;
  const ms = "(own ->> '$[0]')";
  const text = `strftime('%Y-%m-%dT%H:%M:%S', ${ms} / 1000, 'unixepoch') || printf('.%03dZ', ${ms} % 1000)`;
  const isTold = `json_valid(own) AND json_type(own, '$[0]') = 'integer' AND ${ms} BETWEEN 0 AND 253402300799999`;
  const fits =
    operator === '='
      ? `(${text}) LIKE ${bind(likePattern(value))} ESCAPE '\\'`
      : `(${text}) ${operator} ${bind(value)}`;
  return { sql: `CASE WHEN ${isTold} THEN ${fits} END` };
};

/** Of values that stand somewhere in a text of JSON: where the longest piece of the pattern does not, none fits. */
const within =
  (column: string): TermToSql =>
  ({ operator, value }, bind) => {
    const [piece = ''] = value.split('*').sort((a, b) => b.length - a.length);
    // Several headers of a name are read with a comma and a blank between them; an empty path is read as `/`.
    const isPlain = operator === '=' && piece.length > 1 && /^[!#-+\--[\]-~]+$/.test(piece);
    const isOut = isPlain ? `${column} NOT LIKE ${bind(`%${likePattern(piece)}%`)} ESCAPE '\\'` : 'FALSE';
    return { sql: `CASE WHEN ${column} IS NULL OR typeof(${column}) = 'text' AND ${isOut} THEN FALSE END` };
  };

/** `ms` is not among them: SQLite reads the last digit of a fraction in a way of its own. */
const COLUMNS: Dialect['columns'] = {
  id: ({ operator, value }, bind) => {
    const number = numberOfId(value);
    if (number === null || idOfNumber(number) !== value) return undefined;
    return { sql: `exchanges.id ${operator} ${bind(number)}`, isSure: true };
  },
  at: ofTime,
  status: ofStatus,
  source: inShape('answer.source'),
  method: inShape('method'),
  listener: inShape('listener'),
  fault: inShape('fault'),
  operation: inShape('operation', 'none'),
  tpp: inShape('tpp', 'none'),
  path: within('own'),
  consent: within('own'),
  payment: within('own'),
  account: within('own'),
  'request-id': within('own'),
  rule: within(FINDINGS),
  severity: within(FINDINGS),
  judges: within(FINDINGS),
};
