/** Rows of what was recorded, a page at a time, with the parts and certificates that they name. */
import type { CertificateFacts } from '../../certificate/index.js';
import { createRecentCache, idOfNumber, numberOfId } from '../../exchange/index.js';
import { DAY_MS, SandgateError } from '../../spec/index.js';
import { createCertificateReader } from '../certificates.js';
import { type Column, LEFT_OUT, readText } from '../columns.js';
import type { Condition } from '../filter/to-sql.js';
import type { RecordTexts } from '../record-codec.js';
import { type SharedText, share } from '../shared-text.js';
import { turnAt } from '../turns.js';
import { arrayOf } from './arrays.js';
import type { Connection, Row } from './client.js';
import { bytesIn, columnOf, contentOf } from './column-bytes.js';
import { withTold } from './where.js';

/** A row of `exchanges`, or of `beginnings`. */
export interface Entry {
  readonly chain: number;
  readonly turn: number;
  readonly seq: number;
  readonly id: number;
  readonly link: string;
  readonly isBegun: boolean;
  /** Its columns tell that it does not match; they were not read. */
  readonly isPassed: boolean;
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

const COLUMNS = 'chain, turn, seq, id, hash, own, shape, verdicts, findings, request_body';
const SELECT = {
  exchanges: `SELECT ${COLUMNS}, answer_body FROM exchanges`,
  beginnings: `SELECT ${COLUMNS}, NULL::bytea FROM beginnings`,
} as const;
export type EntryTable = keyof typeof SELECT;
export const ENTRY_TABLES = Object.keys(SELECT) as EntryTable[];

/** Rows of a page; of large ones fewer, so that a page is some MB. */
const PAGE = 256;
const LEAST_PAGE = 8;
const PAGE_BYTES = 4_194_304;
/** Of parts, in characters. */
const CACHED = 4_194_304;
/** Of certificates. */
const REMEMBERED = 1_024;
/** An id may be that much later than what it was recorded in: clocks are set back. */
const SLACK = turnAt(2 * DAY_MS);

export interface EntryRows {
  /** In the order of recording over these chains, from behind a point, either way: a page with each call, none at the end. */
  readonly pages: (
    table: EntryTable,
    chains: readonly Chain[],
    from: Point,
    backwards: boolean,
    condition?: Pick<Condition, 'sql' | 'values'>,
  ) => () => Promise<readonly Entry[]>;
  /** Of several exchanges by their ids. */
  readonly byIds: (table: EntryTable, ids: readonly string[]) => Promise<Entry[]>;
  /** What a query on these columns finds. */
  readonly found: (table: EntryTable, where: string, values: readonly unknown[]) => Promise<Entry[]>;
}

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

const PAGES = Object.fromEntries(
  ENTRY_TABLES.flatMap((table) =>
    [false, true].map((backwards) => {
      const name = `sandgate_${table}_${backwards ? 'back' : 'on'}`;
      return [`${table} ${backwards}`, { name, text: pageOf(table, backwards) }];
    }),
  ),
);

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

export function createEntryRows(query: Connection['query']): EntryRows {
  const parts = createRecentCache<number, SharedText>(CACHED);
  const certificates = createRecentCache<string, string>(REMEMBERED);
  const certificateOf = createCertificateReader((chain, reference) =>
    certificates.get(`${chain} ${reference}`),
  );
  /** By the shapes that name them. */
  const references = new WeakMap<SharedText, string>();

  function sharedOf(column: Column): SharedText | null {
    if (column === null) return null;
    if (typeof column !== 'number') return share(readText(column));
    const part = parts.get(column);
    if (part === undefined) throw new SandgateError('record.text-gone', { column });
    return part;
  }

  const bodyOf = (column: Column, isBrief: boolean): SharedText | null =>
    isBrief && column instanceof Uint8Array ? LEFT_OUT : sharedOf(column);

  async function fetchParts(rows: readonly Columns[]): Promise<void> {
    const missing = new Map<number, number>();
    for (const { chain, columns } of rows)
      for (const column of columns)
        if (typeof column === 'number' && parts.get(column) === undefined) missing.set(column, chain);
    if (missing.size === 0) return;
    const found = await query(
      `SELECT part, content FROM unnest($1::int8[], $2::int8[]) AS given (chain_, part_)
         JOIN parts ON chain = chain_ AND part = part_`,
      [arrayOf('int8', [...missing.values()]), arrayOf('int8', [...missing.keys()])],
    );
    for (const [part, content] of found as unknown as [number, Buffer][]) {
      const shared = sharedIfReadable(contentOf(content));
      if (shared !== null) parts.set(part, shared, shared.text.length);
    }
  }

  function referenceOf(shape: SharedText): string {
    let reference = references.get(shape);
    if (reference === undefined) {
      reference = certificateIn(shape.text);
      references.set(shape, reference);
    }
    return reference;
  }

  async function fetchCertificates(rows: readonly Columns[]): Promise<void> {
    const missing = new Map<string, readonly [chain: number, reference: string]>();
    for (const { chain, shape } of rows) {
      const read = shape();
      const reference = read === null ? '' : referenceOf(read);
      const name = `${chain} ${reference}`;
      if (reference !== '' && certificates.get(name) === undefined) missing.set(name, [chain, reference]);
    }
    if (missing.size === 0) return;
    const wanted = [...missing.values()];
    const found = await query(
      `SELECT chain, reference, facts FROM unnest($1::int8[], $2::text[]) AS given (chain_, reference_)
         JOIN certificates ON chain = chain_ AND reference = reference_`,
      [
        arrayOf(
          'int8',
          wanted.map(([chain]) => chain),
        ),
        arrayOf(
          'text',
          wanted.map(([, reference]) => reference),
        ),
      ],
    );
    for (const [chain, reference, facts] of found) certificates.set(`${chain} ${reference}`, String(facts));
  }

  interface Columns {
    readonly chain: number;
    readonly columns: readonly Column[];
    /** null where it cannot be read. */
    readonly shape: () => SharedText | null;
  }

  async function entriesOf(table: EntryTable, rows: readonly Row[]): Promise<Entry[]> {
    const all = rows.map((row) => {
      const columns = row.slice(6).map((bytes) => columnOf(bytes as Buffer | null));
      return {
        chain: row[0] as number,
        columns,
        shape: () => readOrNull(() => sharedOf(columns[0] ?? null)),
      };
    });
    await fetchParts(all);
    await fetchCertificates(all);
    return rows.map(([chain, turn, seq, id, link, own], i) => {
      const [shape, verdicts, findings, requestBody, answerBody] = all[i]?.columns ?? [];
      return {
        ...{
          chain,
          turn,
          seq,
          id,
          link: String(link),
          isBegun: table === 'beginnings',
          isPassed: own === null,
        },
        texts: (session: string, isBrief = false): RecordTexts => ({
          ...{ id: idOfNumber(id as number), session, own: readText(contentOf(own as Buffer)) },
          shape: sharedOf(shape ?? null) as SharedText,
          verdicts: sharedOf(verdicts ?? null),
          findings: sharedOf(findings ?? null),
          requestBody: bodyOf(requestBody ?? null, isBrief),
          answerBody: bodyOf(answerBody ?? null, isBrief),
        }),
        certificateOf: (reference: string) => certificateOf(chain as number, reference),
      } as Entry;
    });
  }

  const found: EntryRows['found'] = async (table, where, values) =>
    entriesOf(table, await query(selectWhere(table, where), values));

  return {
    pages: (table, chains, from, backwards, condition) => {
      const ids = [
        arrayOf(
          'int8',
          chains.map(({ id }) => id),
        ),
        arrayOf(
          'int8',
          chains.map(({ from: first }) => first),
        ),
      ];
      const statement =
        condition === undefined
          ? (PAGES[`${table} ${backwards}`] as { name: string; text: string })
          : pageWhere(table, backwards, condition.sql);
      const values = condition?.values ?? [];
      let point: Point | null = from;
      let size = PAGE;
      return async () => {
        if (point === null || chains.length === 0) return [];
        const rows = await query(statement, [...ids, point.turn, point.chain, size, ...values]);
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

function readOrNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

const sharedIfReadable = (content: string | Uint8Array): SharedText | null =>
  readOrNull(() => share(readText(content)));

/** Empty where it names none. */
function certificateIn(shape: string): string {
  const read = readOrNull(() => JSON.parse(shape) as { certificate?: unknown });
  const name = String(read?.certificate ?? '');
  return name === 'absent' || name === 'not-observed' ? '' : name;
}
