/** Rows of what was recorded, a page at a time, with the parts and certificates that they name. */
import { idOfNumber } from '../../exchange/index.js';
import { DAY_MS } from '../../spec/index.js';
import { readText } from '../columns.js';
import type { RecordTexts } from '../record-codec.js';
import { ENTRY_TABLES, type Entry, type EntryTable } from '../records.js';
import type { SharedText } from '../shared-text.js';
import { turnAt } from '../turns.js';
import { arrayOf, arraysOf } from './arrays.js';
import type { Connection, Row, Statement } from './client.js';
import { bytesIn, columnOf, contentOf } from './column-bytes.js';
import { createSharedTexts } from './shared-texts.js';

export interface PostgresEntry extends Entry {
  readonly turn: number;
  readonly seq: number;
  readonly isBegun: boolean;
}

/** A place in the order of recording over all chains. */
export interface Point {
  readonly turn: number;
  readonly chain: number;
}

export interface Chain {
  readonly id: number;
  /** The first turn that is in it. */
  readonly from: number;
}

const COLUMNS = 'chain, turn, seq, id, hash, own, shape, verdicts, findings, request_body';
const SELECT = {
  exchanges: `SELECT ${COLUMNS}, answer_body FROM exchanges`,
  beginnings: `SELECT ${COLUMNS}, NULL::bytea FROM beginnings`,
} as const;

/** From the table on whose columns `where` is, in the order of recording. */
const selectWhere = (table: EntryTable, where: string): string =>
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

/** Rows of a page; of large ones fewer, so that a page is some MB. */
const PAGE = 256;
const LEAST_PAGE = 8;
const PAGE_BYTES = 4_194_304;
/** An id may be that much later than what it was recorded in: clocks are set back. */
const SLACK = turnAt(2 * DAY_MS);

export interface EntryRows {
  /** In the order of recording over these chains, from behind a point, either way: a page with each call, none at the end. */
  readonly pages: (
    table: EntryTable,
    chains: readonly Chain[],
    from: Point,
    backwards: boolean,
  ) => () => Promise<readonly PostgresEntry[]>;

  readonly byIds: (table: EntryTable, ids: readonly number[]) => Promise<PostgresEntry[]>;
  /** What a query on these columns finds. */
  readonly found: (table: EntryTable, where: string, values: readonly unknown[]) => Promise<PostgresEntry[]>;
}

export function createEntryRows(query: Connection['query']): EntryRows {
  const shared = createSharedTexts(query);

  async function entriesOf(table: EntryTable, rows: readonly Row[]): Promise<PostgresEntry[]> {
    const all = rows.map((row) => {
      const columns = row.slice(6).map((bytes) => columnOf(bytes as Buffer | null));
      return { chain: row[0] as number, columns, shape: columns[0] ?? null };
    });
    const named = await shared.fetch(all);
    return rows.map(([chain, turn, seq, id, link, own], i) => {
      const [shape, verdicts, findings, requestBody, answerBody] = all[i]?.columns ?? [];
      return {
        chain,
        turn,
        seq,
        id,
        link: String(link),
        isBegun: table === 'beginnings',
        texts: (session: string, isBrief = false): RecordTexts => ({
          id: idOfNumber(id as number),
          session,
          own: readText(contentOf(own as Buffer)),
          shape: named.textOf(shape ?? null) as SharedText,
          verdicts: named.textOf(verdicts ?? null),
          findings: named.textOf(findings ?? null),
          requestBody: named.bodyOf(requestBody ?? null, isBrief),
          answerBody: named.bodyOf(answerBody ?? null, isBrief),
        }),
        certificateOf: (reference: string) => shared.certificateOf(chain as number, reference),
      } as PostgresEntry;
    });
  }

  const found: EntryRows['found'] = async (table, where, values) =>
    entriesOf(table, await query(selectWhere(table, where), values));

  return {
    pages: (table, chains, from, backwards) => {
      const ids = arraysOf(
        ['int8', 'int8'],
        chains.map(({ id, from: first }) => [id, first]),
      );
      const statement = PAGES[`${table} ${backwards}`] as Statement;
      let point: Point | null = from;
      let size = PAGE;
      return async () => {
        if (point === null || chains.length === 0) return [];
        const rows = await query(statement, [...ids, point.turn, point.chain, size]);
        const last = rows.at(-1);
        point =
          rows.length < size || last === undefined
            ? null
            : { chain: last[0] as number, turn: last[1] as number };
        const bytes = rows.reduce((sum, row) => sum + bytesIn(row), 1);
        size = Math.max(LEAST_PAGE, Math.min(PAGE, Math.floor((PAGE_BYTES * rows.length) / bytes)));
        return entriesOf(table, rows);
      };
    },
    byIds: async (table, ids) =>
      ids.length === 0
        ? []
        : found(table, 'id = ANY ($1::int8[]) AND turn >= $2::int8', [
            arrayOf('int8', ids),
            Math.min(...ids) - SLACK,
          ]),
    found,
  };
}
