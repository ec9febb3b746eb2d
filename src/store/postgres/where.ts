/** What the columns of an entry tell of a filter: its id, and its own text. What it shares with others lies elsewhere. */
import { idOfNumber, numberOfId } from '../../exchange/index.js';
import { type Condition, type TermToSql, toSql } from '../filter/to-sql.js';
import type { FilterTree } from '../filter/tree.js';

/** `first` is the number of the first placeholder. */
export const whereOf = (tree: FilterTree, first: number): Condition =>
  toSql(tree, { columns: COLUMNS, placeholder: (place) => `$${first + place - 1}` });

/** Bytes that are no ASCII are written as numbers: whatever somebody put there, nothing fails. */
const OWN = "encode(substr(own, 2), 'escape')";
const IS_TEXT = 'length(own) > 0 AND get_byte(own, 0) = 0';
const ASCII = /^[ -~]*$/;

/** To an ASCII letter come, in JavaScript, the Kelvin sign (k) and the I with a dot (i). */
const likePattern = (value: string): string => value.replaceAll(/[\\%_]/g, '\\$&').replaceAll(/[ki*]/gi, '%');

/** Of values that stand somewhere in a text of JSON: where the longest piece of the pattern does not, none fits. */
const within: TermToSql = ({ operator, value }, bind) => {
  const [piece = ''] = value.split('*').sort((a, b) => b.length - a.length);
  // Several headers of a name are read with a comma and a blank between them; an empty path is read as `/`.
  if (operator !== '=' || piece.length < 2 || !/^[!#-+\--[\]-~]+$/.test(piece)) return undefined;
  const isOut = `${OWN} NOT ILIKE ${bind(`%${likePattern(piece)}%`)}::text ESCAPE '\\'`;
  return { sql: `CASE WHEN ${IS_TEXT} AND ${isOut} THEN FALSE END` };
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
  ...{ at: ofTime, path: within, consent: within, payment: within, account: within, 'request-id': within },
};
