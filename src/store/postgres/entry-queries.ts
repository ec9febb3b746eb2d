/** Queries of entries: pages in the order of recording over several chains, and by other columns. */
import type { Statement } from './client.js';

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
 * A page. Its values are the ids of chains, the first turn of each, the turn and the chain of a point, and the number of rows. It is
 * planned once for each connection.
 */
export const pageStatement = (table: EntryTable, backwards: boolean): Statement =>
  PAGES[`${table} ${backwards}`] as Statement;
