/** Rows of exchanges and of their beginnings, with the parts and certificates that they name. */
import type { CertificateFacts } from '../../certificate/index.js';
import { idOfNumber, numberOfId } from '../../exchange/index.js';
import { DAY_MS } from '../../spec/index.js';
import { type Column, readText } from '../columns.js';
import type { Awaitable } from '../port.js';
import { keyIn, type RecordTexts } from '../record-codec.js';
import type { SharedText } from '../shared-text.js';
import { outcome, type Steps, wait } from '../steps.js';
import { turnAt } from '../turns.js';
import type { Chain } from './chains.js';
import type { Database, Row } from './database.js';
import type { Keys } from './keys.js';
import type { createSharedTexts } from './shared-texts.js';

export interface Entry {
  readonly id: number;
  readonly chain: number;
  readonly seq: number;
  /** Orders it among entries of other chains; null where a store with one chain a session recorded it. */
  readonly turn: number | null;
  readonly link: string;
  readonly isBegun: boolean;
  /** Throws where something cannot be read, as `certificateOf` does. */
  readonly texts: (session: string, isBrief?: boolean) => RecordTexts;
  readonly certificateOf: (reference: string) => CertificateFacts;
  /** The same texts with their content deciphered, where that is enciphered and can be. */
  readonly opened: (texts: RecordTexts) => RecordTexts;
}

export const ENTRY_TABLES = ['exchanges', 'beginnings'] as const;
export type EntryTable = (typeof ENTRY_TABLES)[number];

const COLUMNS = 'chain, turn, seq, id, hash, own, shape, verdicts, findings, request_body';
export const SELECT = {
  exchanges: `SELECT ${COLUMNS}, answer_body FROM exchanges`,
  beginnings: `SELECT ${COLUMNS}, NULL::bytea FROM beginnings`,
} as const;

export type EntriesOf = (table: EntryTable, rows: readonly Row[]) => Steps<never, Entry[]>;

export function createEntriesOf(
  db: Database,
  shared: ReturnType<typeof createSharedTexts>,
  keys: Keys,
): EntriesOf {
  const { columnOf } = db.dialect;
  /** null where it cannot be read. */
  const ownTextOf = (own: unknown): string | null => {
    const column = columnOf(own);
    try {
      return typeof column === 'string' || column instanceof Uint8Array ? readText(column) : null;
    } catch {
      return null;
    }
  };
  return function* (table, rows) {
    const all = rows.map((row) => {
      const columns = row.slice(6).map(columnOf);
      return { chain: row[0] as number, columns, shape: columns[0] ?? null };
    });
    const { textOf, bodyOf } = yield* shared.namedBy(all);
    const owns = rows.map((row) => ownTextOf(row[5]));
    const open = yield* keys.opening(owns.map((own, i) => [all[i]?.chain ?? 0, own ?? ''] as const));
    return rows.map(([chain, turn, seq, id, link, own], i): Entry => {
      const [shape, verdicts, findings, requestBody, answerBody] = (all[i]?.columns ?? []) as Column[];
      return {
        ...({ id, chain, seq, turn, link } as Pick<Entry, 'id' | 'chain' | 'seq' | 'turn' | 'link'>),
        isBegun: table === 'beginnings',
        texts: (session, isBrief = false) => ({
          id: idOfNumber(id as number),
          session,
          own: owns[i] ?? readText(columnOf(own) as string | Uint8Array),
          shape: textOf(shape ?? null) as SharedText,
          verdicts: textOf(verdicts ?? null),
          findings: textOf(findings ?? null),
          // All content stands there where it is enciphered.
          requestBody: bodyOf(requestBody ?? null, isBrief && keyIn(owns[i] ?? '') === undefined),
          answerBody: bodyOf(answerBody ?? null, isBrief),
        }),
        certificateOf: (reference) => shared.certificateOf(chain as number, reference),
        opened: (texts) => open(texts, table === 'beginnings'),
      };
    });
  };
}

export type NextPage = () => Awaitable<readonly Entry[]>;

/** How a driver goes along entries: a page with each call, and an empty one at the end. */
export interface EntryPages {
  /** The exchanges of several chains in the order of recording, from behind one of them, or from the first or the last. */
  readonly pages: (chains: readonly Chain[], from: Entry | null, backwards: boolean) => NextPage;
  /** The entries of one chain from a value of the column on that orders them. */
  readonly walk: (table: EntryTable, chain: number, from: number) => NextPage;
}

/** An id may be that much later than what it was recorded in: clocks are set back. */
const SLACK = turnAt(2 * DAY_MS);

export function createEntries(db: Database, entriesOf: EntriesOf) {
  const found = (table: EntryTable, where: string, values: readonly unknown[]): Awaitable<Entry[]> =>
    outcome(
      (function* () {
        const text = `${SELECT[table]} AS entry WHERE ${where} ORDER BY turn IS NULL, turn, chain, seq`;
        return yield* entriesOf(table, yield* wait(db.query(text, values)));
      })(),
    );
  const byIds = (table: EntryTable, ids: readonly number[]): Awaitable<Entry[]> =>
    ids.length === 0
      ? []
      : found(table, `id = ANY ($1::int8[]) AND ${db.dialect.mayHaveId}`, [ids, Math.min(...ids) - SLACK]);
  return {
    byIds,
    /** The row of its end, else that of its beginning. */
    *find(
      exchangeId: string,
      isWanted: (entry: Entry) => boolean = () => true,
    ): Steps<never, Entry | undefined> {
      const id = numberOfId(exchangeId);
      for (const table of id === null ? [] : ENTRY_TABLES) {
        const one = (yield* wait(byIds(table, [id as number]))).find(isWanted);
        if (one !== undefined) return one;
      }
      return undefined;
    },
    /** Beginnings with a greater id whose exchange has not ended in the session, of these chains. */
    unfinished: (session: string, chains: readonly Chain[], since: number): Awaitable<Entry[]> =>
      // By the ids alone where these are few: those of a session are most of all there are.
      found(
        'beginnings',
        `${since < 0 ? '' : '+'}chain = ANY ($1::int8[]) AND entry.id > $2::int8 AND NOT EXISTS (
           SELECT 1 FROM exchanges AS ended JOIN chains ON chains.id = ended.chain
             WHERE ended.id = entry.id AND ${db.dialect.mayEnd} AND chains.session = $3)`,
        [chains.map(({ id }) => id), since, session],
      ),
  };
}
