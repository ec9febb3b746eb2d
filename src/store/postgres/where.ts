/**
 * What the columns of an entry tell of a filter: its id, its own text, and the texts that it may share with others: its
 * shape and its findings. What is compressed tells nothing.
 */
import { EXCHANGE_FORMAT, idOfNumber, numberOfId } from '../../exchange/index.js';
import { type Condition, type TermToSql, toSql } from '../filter/to-sql.js';
import type { FilterTerm, FilterTree } from '../filter/tree.js';

/** `first` is the number of the first placeholder. */
export const whereOf = (tree: FilterTree, first: number): Condition =>
  toSql(tree, { columns: COLUMNS, placeholder: (place) => `$${first + place - 1}` });

/** Bytes that are no ASCII are written as numbers: whatever somebody put there, nothing fails. */
const textOf = (column: string): string => `encode(substr(${column}, 2), 'escape')`;
const isText = (column: string): string => `length(${column}) > 0 AND get_byte(${column}, 0) = 0`;
const OWN = textOf('own');
const IS_TEXT = isText('own');

/** The number of a part out of the bits of a double (column-bytes.ts): numbers of parts are whole, and less than 2 ** 53. */
const partIn = (column: string): string => {
  const bits = `('x' || encode(substr(${column}, 2), 'hex'))::bit(64)::int8`;
  return `((${bits} & 4503599627370495) | 4503599627370496) >> (1075 - ((${bits} >> 52) & 2047)::int4)`;
};
const shared = (column: string): string => `CASE WHEN ${isText(column)} THEN ${textOf(column)}
  WHEN length(${column}) = 9 AND get_byte(${column}, 0) = 2 THEN (
    SELECT CASE WHEN ${isText('content')} THEN ${textOf('content')} END
      FROM parts WHERE parts.chain = page.chain AND part = ${partIn(column)}) END`;

/** As it is, or is no shape of ours. */
const SHAPE = `(SELECT CASE WHEN text LIKE '{"format":${EXCHANGE_FORMAT},%' THEN text END FROM (SELECT ${shared('shape')} AS text) AS read)`;
/** What is there in place of a member that an exchange has not; no member holds a quote. */
const NONE = '"';
/** Members of a shape. Quotes are escaped in its texts: what is looked for with them is a member. */
const MEMBERS = {
  status: `CASE WHEN position('"answer":null' in form) > 0 THEN '${NONE}' ELSE substring(form from '"status":(\\d{1,9}),') END`,
  method: memberOf('method'),
  listener: memberOf('listener'),
  source: memberOf('source'),
  fault: memberOf('fault'),
  operation: memberOf('operation', 'none'),
  tpp: memberOf('tpp', 'none'),
} as const;

/** One that escapes something tells nothing. */
function memberOf(name: string, absent = NONE): string {
  const found = `substring(form from '"${name}":"([^"\\\\]*)"')`;
  return `CASE WHEN position('"${name}":"' in form) = 0 THEN '${absent}' ELSE ${found} END`;
}

const memberColumn = (name: string): string => `form_${name}`;

/**
 * A query of rows `page`, with what a condition asks of them besides their columns. Many rows share a shape: each is
 * read once.
 */
export function withTold(page: string, sql: string): { readonly before: string; readonly rows: string } {
  const members = Object.entries(MEMBERS).filter(([name]) => sql.includes(memberColumn(name)));
  const findings = sql.includes('findings_text')
    ? ` CROSS JOIN LATERAL (SELECT ${shared('findings')} AS findings_text OFFSET 0) AS found`
    : '';
  if (members.length === 0) return { before: '', rows: `(${page}) AS page${findings}` };
  const columns = members.map(([name, member]) => `lower(${member} COLLATE "C") AS ${memberColumn(name)}`);
  return {
    before: `WITH page AS MATERIALIZED (${page}), forms AS MATERIALIZED (
      SELECT of_chain, of_shape, ${columns.join(', ')} FROM (
        SELECT chain AS of_chain, shape AS of_shape, ${SHAPE} AS form FROM (SELECT DISTINCT chain, shape FROM page) AS page OFFSET 0
      ) AS read)`,
    rows: `page LEFT JOIN forms ON of_chain = chain AND of_shape = shape${findings}`,
  };
}

const ASCII = /^[ -~]*$/;

/** To an ASCII letter come, in JavaScript, the Kelvin sign (k) and the I with a dot (i). */
const likePattern = (value: string): string => value.replaceAll(/[\\%_]/g, '\\$&').replaceAll(/[ki*]/gi, '%');

/** Of values that stand somewhere in a text of JSON: where the longest piece of the pattern does not, none fits. */
const isOutOf = (text: string, { operator, value }: FilterTerm, bind: Parameters<TermToSql>[1]) => {
  const [piece = ''] = value.split('*').sort((a, b) => b.length - a.length);
  // Several headers of a name are read with a comma and a blank between them; an empty path is read as `/`.
  if (operator !== '=' || piece.length < 2 || !/^[!#-+\--[\]-~]+$/.test(piece)) return undefined;
  return `${text} NOT ILIKE ${bind(`%${likePattern(piece)}%`)}::text ESCAPE '\\'`;
};

const within: TermToSql = (term, bind) => {
  const isOut = isOutOf(OWN, term, bind);
  return isOut === undefined ? undefined : { sql: `CASE WHEN ${IS_TEXT} AND ${isOut} THEN FALSE END` };
};

const ofFindings: TermToSql = (term, bind) => {
  const isOut = isOutOf('findings_text', term, bind) ?? 'FALSE';
  return { sql: `CASE WHEN findings IS NULL OR ${isOut} THEN FALSE END` };
};

/** Of what is told in small ASCII letters. */
const likeExactly = (value: string): string =>
  value
    .replaceAll(/[\\%_]/g, '\\$&')
    .replaceAll('*', '%')
    .toLowerCase();

const inShape =
  (name: keyof typeof MEMBERS): TermToSql =>
  ({ operator, value }, bind) => {
    const isTold = operator === '=' ? ASCII.test(value) : name === 'status' && !Number.isNaN(Number(value));
    if (!isTold) return undefined;
    const column = memberColumn(name);
    const fits =
      operator === '='
        ? `${column} LIKE ${bind(likeExactly(value))}::text ESCAPE '\\'`
        : `${column}::float8 ${operator} ${bind(Number(value))}::float8`;
    return { sql: `CASE WHEN ${column} = '${NONE}' THEN FALSE ELSE ${fits} END` };
  };

/** Up to the year 9999, and of whole milliseconds. */
const ofTime: TermToSql = ({ operator, value }, bind) => {
  if (!ASCII.test(value)) return undefined;
  const ms = `substring(${OWN} from '^\\[(\\d{1,15})[],]')::int8`;
  const seconds = `to_char(to_timestamp(${ms} / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS')`;
  const text = `(${seconds} || '.' || lpad((${ms} % 1000)::text, 3, '0') || 'Z') COLLATE "C"`;
  const fits =
    operator === '='
      ? `${text} ILIKE ${bind(likePattern(value))}::text ESCAPE '\\'`
      : `${text} ${operator} ${bind(value)}::text`;
  // A pattern with more places than were asked for tells only what does not fit.
  const told = operator === '=' ? `CASE WHEN ${fits} THEN NULL ELSE FALSE END` : fits;
  return { sql: `CASE WHEN ${IS_TEXT} AND ${ms} <= 253402300799999 THEN ${told} END` };
};

const COLUMNS: Parameters<typeof toSql>[1]['columns'] = {
  id: ({ operator, value }, bind) => {
    const number = numberOfId(value);
    if (number === null || idOfNumber(number) !== value) return undefined;
    return { sql: `id ${operator} ${bind(number)}::int8`, isSure: true };
  },
  at: ofTime,
  path: within,
  consent: within,
  payment: within,
  account: within,
  'request-id': within,
  status: inShape('status'),
  source: inShape('source'),
  method: inShape('method'),
  listener: inShape('listener'),
  fault: inShape('fault'),
  operation: inShape('operation'),
  tpp: inShape('tpp'),
  rule: ofFindings,
  severity: ofFindings,
  judges: ofFindings,
};
