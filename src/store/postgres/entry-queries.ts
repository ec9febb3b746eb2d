/** Queries of entries: pages in the order of recording over several chains, and what a condition finds. */
import type { Statement } from './client.js';
import { withTold } from './where.js';

const COLUMNS = 'chain, turn, seq, id, hash, own, shape, verdicts, findings, request_body';
const SELECT = {
  exchanges: `SELECT ${COLUMNS}, answer_body FROM exchanges`,
  beginnings: `SELECT ${COLUMNS}, NULL::bytea FROM beginnings`,
} as const;
export type EntryTable = keyof typeof SELECT;
export const ENTRY_TABLES = Object.keys(SELECT) as EntryTable[];

/** From the table on whose columns `where` is, in the order of recording. */
export const selectWhere = (table: EntryTable, where: string): string =>
  `${SELECT[table]} AS entry WHERE ${where} ORDER BY turn, chain`;

function pageOf(table: EntryTable, backwards: boolean): string {
  const [than, order, edge] = backwards ? ['<', 'DESC', '<'] : ['>', 'ASC', '>'];
  const shift = backwards ? '+' : '-';
  return `SELECT entry.* FROM unnest($1::int8[], $2::int8[]) AS given (id, first)
    CROSS JOIN LATERAL (
      ${SELECT[table]} WHERE chain = given.id AND turn >= given.first
        AND turn ${than} $3::int8 ${shift} (given.id ${edge} $4::int8)::int4 ORDER BY turn ${order} LIMIT $5::int8
    ) AS entry ORDER BY turn ${order}, chain ${order} LIMIT $5::int8`;
}

const PAGES: Readonly<Record<string, Statement>> = Object.fromEntries(
  ENTRY_TABLES.flatMap((table) =>
    [false, true].map((backwards) => {
      const name = `sandgate_${table}_${backwards ? 'back' : 'on'}`;
      return [`${table} ${backwards}`, { name, text: pageOf(table, backwards) }];
    }),
  ),
);

/**
 * Of the ids of chains, the first turn of each, a point by turn and chain, and how many rows; behind them, from `FIRST_VALUE`
 * on, the values of a condition. Without one it is planned once for each connection.
 */
export function pageStatement(
  table: EntryTable,
  backwards: boolean,
  sql: string | undefined,
): Statement | string {
  if (sql !== undefined) return pageWhere(table, backwards, sql);
  return PAGES[`${table} ${backwards}`] as Statement;
}

/** Behind those that tell a page. */
export const FIRST_VALUE = 6;

/** Of what is passed over, its place alone is read. */
function pageWhere(table: EntryTable, backwards: boolean, sql: string): string {
  const order = backwards ? 'DESC' : 'ASC';
  const read = `${COLUMNS}, answer_body`
    .split(', ')
    .map((name, i) => (i < 5 ? name : `CASE WHEN fits THEN ${name} END`));
  const { before, rows } = withTold(pageOf(table, backwards), sql);
  return `${before} SELECT ${read.join(', ')} FROM ${rows} CROSS JOIN LATERAL (SELECT ${sql} AS fits) AS told
    ORDER BY turn ${order}, chain ${order}`;
}
