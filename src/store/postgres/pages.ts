/** Goes along what was recorded, over all chains at once, a page at a time. */
import type { Chain } from '../rows/chains.js';
import {
  ENTRY_TABLES,
  type EntriesOf,
  type Entry,
  type EntryPages,
  type EntryTable,
  SELECT,
} from '../rows/entries.js';
import { outcome } from '../steps.js';
import { arraysOf } from './arrays.js';
import type { Connection, Statement } from './client.js';
import { bytesIn } from './column-bytes.js';

/** A place in the order of recording over all chains. */
export interface Point {
  readonly turn: number;
  readonly chain: number;
}

export const START: Point = { turn: -1, chain: 0 };
const END: Point = { turn: Number.MAX_SAFE_INTEGER - 1, chain: 0 };

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

export function createPages(query: Connection['query'], entriesOf: EntriesOf) {
  /** In the order of recording over these chains, each from its first turn on, from behind a point, either way. */
  function between(
    table: EntryTable,
    chains: readonly Pick<Chain, 'id' | 'firstTurn'>[],
    from: Point,
    backwards: boolean,
  ): () => Promise<readonly Entry[]> {
    const ids = arraysOf(
      ['int8', 'int8'],
      chains.map(({ id, firstTurn }) => [id, firstTurn]),
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
      return outcome(entriesOf(table, rows));
    };
  }
  const pages: EntryPages['pages'] = (chains, from, backwards) =>
    between('exchanges', chains, (from as Point | null) ?? (backwards ? END : START), backwards);
  const walk: EntryPages['walk'] = (table, chain, from) =>
    between(table, [{ id: chain, firstTurn: 0 }], { turn: from - 1, chain }, false);
  return { between, pages, walk };
}
