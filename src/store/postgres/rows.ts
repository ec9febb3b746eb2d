/** Rows of what was recorded, a page at a time, with the parts and certificates that they name. */
import type { CertificateFacts } from '../../certificate/index.js';
import { idOfNumber, numberOfId } from '../../exchange/index.js';
import { DAY_MS } from '../../spec/index.js';
import { readText } from '../columns.js';
import type { RecordTexts } from '../record-codec.js';
import type { SharedText } from '../shared-text.js';
import { turnAt } from '../turns.js';
import { arrayOf, arraysOf } from './arrays.js';
import type { Connection, Row } from './client.js';
import { bytesIn, columnOf, contentOf } from './column-bytes.js';
import { type EntryTable, pageStatement, selectWhere } from './entry-queries.js';
import { createSharedTexts } from './shared-texts.js';

/** A row of `exchanges`, or of `beginnings`. */
export interface Entry {
  readonly chain: number;
  readonly turn: number;
  readonly seq: number;
  readonly id: number;
  readonly link: string;
  readonly isBegun: boolean;
  /** Throws where something cannot be read. */
  readonly texts: (session: string, isBrief?: boolean) => RecordTexts;
  readonly certificateOf: (reference: string) => CertificateFacts;
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
  ) => () => Promise<readonly Entry[]>;
  /** Of several exchanges by their ids. */
  readonly byIds: (table: EntryTable, ids: readonly string[]) => Promise<Entry[]>;
  /** What a query on these columns finds. */
  readonly found: (table: EntryTable, where: string, values: readonly unknown[]) => Promise<Entry[]>;
}

export function createEntryRows(query: Connection['query']): EntryRows {
  const shared = createSharedTexts(query);

  async function entriesOf(table: EntryTable, rows: readonly Row[]): Promise<Entry[]> {
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
      } as Entry;
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
      const statement = pageStatement(table, backwards);
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
    byIds: async (table, ids) => {
      const numbers = ids.map(numberOfId).filter((id) => id !== null);
      if (numbers.length === 0) return [];
      const least = Math.min(...numbers) - SLACK;
      return found(table, 'id = ANY ($1::int8[]) AND turn >= $2::int8', [arrayOf('int8', numbers), least]);
    },
    found,
  };
}
