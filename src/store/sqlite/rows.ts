/** Rows of exchanges and of their beginnings, a page at a time: nothing is held open between two pages. */
import { idOfNumber, numberOfId } from '../../exchange/index.js';
import { createCertificateReader } from '../certificates.js';
import { type Column, createColumnReader, readText } from '../columns.js';
import { type ChainRow, type Entry, type EntryTable, turnOf } from '../records.js';
import type { SharedText } from '../shared-text.js';
import type { Database, Statement } from './driver.js';

type Row = readonly [
  id: number,
  session: number,
  seq: number,
  turn: number | null,
  hash: string,
  own: string | Uint8Array,
  shape: Column,
  verdicts: Column,
  findings: Column,
  requestBody: Column,
  answerBody: Column,
  isBegun: 0 | 1,
];

export interface FileEntry extends Entry {
  readonly seq: number;
  /** null where this store recorded it. */
  readonly turn: number | null;
  readonly isBegun: boolean;
}

export interface FileChain extends ChainRow {
  /** What it calls the store that it was copied from; null: it is of this one. */
  readonly store: string | null;
}

/** Place and id of a row: others may stand at the same place, put there by somebody else. */
export type Place = readonly [seq: number, id: number];

/** Behind all rows at a place. */
export const behind = (place: number): Place => [place, Number.MAX_SAFE_INTEGER];

/** The order in which chains began. */
export const IN_ORDER = 'first_turn IS NULL, first_turn, id';

const COLUMNS = 'id, session, seq, turn, hash, own, shape, verdicts, findings, request_body';
const EXCHANGES = `SELECT ${COLUMNS}, answer_body, 0 FROM exchanges`;
const BEGINNINGS = `SELECT ${COLUMNS}, NULL, 1 FROM beginnings`;
/** Rows of a page; with the largest bodies they are some ten MB. */
export const PAGE = 64;

const CHAINS = `SELECT id, started_at, last_at, last, head, exchanges, begun, store, turn,
  coalesce(store, (SELECT store FROM identity)) AS storeName FROM sessions`;

export type Rows = ReturnType<typeof createRows>;

export function createRows(db: Database) {
  const pageOf = (rows: string, where: string, order: string) =>
    db.prepare(`${rows} WHERE session = ? AND ${where} ORDER BY ${order} LIMIT ${PAGE}`).raw();
  const page = pageOf(EXCHANGES, '(seq, id) > (?, ?)', 'seq, id');
  const pageBack = pageOf(EXCHANGES, '(seq, id) < (?, ?)', 'seq DESC, id DESC');
  const pageOfBegun = pageOf(BEGINNINGS, '(seq, id) > (?, ?)', 'seq, id');
  const one = {
    exchanges: db.prepare(`${EXCHANGES} WHERE id = ?`).raw(),
    beginnings: db.prepare(`${BEGINNINGS} WHERE id = ?`).raw(),
  };
  const openWhere = (where: string) =>
    db
      .prepare(
        `${BEGINNINGS} WHERE ${where} AND NOT EXISTS (
          SELECT 1 FROM exchanges JOIN sessions ON sessions.id = exchanges.session
          WHERE exchanges.id = beginnings.id AND sessions.name = @name) ORDER BY seq`,
      )
      .raw();
  const open = openWhere('session = @id');
  // By the ids alone: those of a session are most of all there are.
  const openSince = openWhere('+session = @id AND id > @since');
  const ofSession = db.prepare(`${CHAINS} WHERE name = ? ORDER BY ${IN_ORDER}`);
  const chain = db.prepare(`${CHAINS} WHERE id = ? AND name IS NOT NULL`);
  const name = db.prepare('SELECT name FROM sessions WHERE id = ?').pluck();
  const part = db.prepare('SELECT content FROM parts WHERE id = ?').pluck();
  const readColumn = createColumnReader((id) => part.get(id) as string | Uint8Array | undefined);
  const facts = db.prepare('SELECT facts FROM certificates WHERE session = ? AND reference = ?').pluck();
  const certificateOf = createCertificateReader(
    (session, reference) => facts.get(session, reference) as string | undefined,
  );
  const startsOf = createStarts(db);

  function entryOf(row: Row): FileEntry {
    const [id, chain, seq, turn, link, own, shape, verdicts, findings, requestBody, answerBody, isBegun] =
      row;
    return {
      id,
      chain,
      seq,
      turn,
      link,
      isBegun: isBegun === 1,
      texts: (session, isBrief) => ({
        id: idOfNumber(id),
        session,
        own: readText(own),
        shape: readColumn(shape) as SharedText,
        verdicts: readColumn(verdicts),
        findings: readColumn(findings),
        requestBody: readColumn(requestBody, isBrief),
        answerBody: readColumn(answerBody, isBrief),
      }),
      certificateOf: (reference) => certificateOf(chain, reference),
    };
  }

  function* entries(pages: Statement, chain: number, from: Place): IterableIterator<FileEntry> {
    for (const row of paged(pages, chain, from, (row: Row) => [row[2], row[0]])) yield entryOf(row);
  }
  const exchanges = (chain: number, from: Place) => entries(page, chain, from);
  const byIds = (table: EntryTable, ids: readonly number[]): FileEntry[] =>
    ids.flatMap((id) => {
      const row = one[table].get(id) as Row | undefined;
      return row === undefined ? [] : entryOf(row);
    });

  return {
    exchanges,
    beginnings: (chain: number, from: Place) => entries(pageOfBegun, chain, from),
    chains: (session: string) => ofSession.all(session) as FileChain[],
    /** undefined where it is gone, or its session is being removed. */
    chain: (id: number) => chain.get(id) as FileChain | undefined,
    nameOf: (id: number) => (name.get(id) as string | null | undefined) ?? null,
    byIds,
    find: (exchangeId: string): FileEntry | undefined => {
      const id = numberOfId(exchangeId);
      return id === null ? undefined : (byIds('exchanges', [id])[0] ?? byIds('beginnings', [id])[0]);
    },
    unfinished: (session: string, chains: readonly FileChain[], since: number): FileEntry[] => {
      const openIn = (id: number): Row[] =>
        (since < 0 ? open.all({ id, name: session }) : openSince.all({ id, name: session, since })) as Row[];
      return [
        ...inOrder(
          chains.map(({ id }) => openIn(id).map(entryOf).values()),
          false,
        ),
      ];
    },
    /** See `RecordRows`. */
    pages: (chains: readonly FileChain[], from: FileEntry | null, isBack: boolean) => {
      const found = startsOf(chains, from, isBack).map((start, i) =>
        entries(isBack ? pageBack : page, (chains[i] as FileChain).id, start),
      );
      const all = inOrder(found, isBack);
      return (): FileEntry[] =>
        Array.from({ length: PAGE }, () => all.next().value).filter((one) => one !== undefined);
    },
  };
}

export function* paged<R>(
  pages: Statement,
  session: number,
  from: Place,
  placeOf: (row: R) => Place,
): IterableIterator<R> {
  for (let place = from; ; ) {
    const found = pages.all(session, ...place) as R[];
    yield* found;
    const last = found.at(-1);
    if (last === undefined || found.length < PAGE) return;
    place = placeOf(last);
  }
}

/** The rows of several chains, each of them in order, as one sequence. */
function* inOrder(chains: readonly Iterator<FileEntry>[], isBack: boolean): IterableIterator<FileEntry> {
  const heads = chains.map((rows) => rows.next());
  for (;;) {
    let first = -1;
    for (const [i, head] of heads.entries()) {
      if (head.done === true) continue;
      const [a, b] = [turnOf(head.value.turn), turnOf(heads[first]?.value.turn ?? null)];
      if (first < 0 || (isBack ? a >= b : a < b)) first = i;
    }
    if (first < 0) return;
    yield heads[first]?.value as FileEntry;
    heads[first] = (chains[first] as Iterator<FileEntry>).next();
  }
}

const FIRST: Place = [0, 0];
const LAST: Place = behind(Number.MAX_SAFE_INTEGER);

/** The place in each chain at which reading begins: behind an exchange, or else at the first or the last one. */
function createStarts(db: Database) {
  const before = db
    .prepare('SELECT seq, id FROM exchanges WHERE session = ? AND turn < ? ORDER BY turn DESC LIMIT 1')
    .raw();
  const from = db
    .prepare('SELECT seq, id FROM exchanges WHERE session = ? AND turn >= ? ORDER BY turn LIMIT 1')
    .raw();
  return (chains: readonly FileChain[], found: FileEntry | null, isBack: boolean): Place[] => {
    if (found === null) return chains.map(() => (isBack ? LAST : FIRST));
    const own = chains.findIndex(({ id }) => id === found.chain);
    return chains.map(({ id, store }, i): Place => {
      if (i === own) return [found.seq, found.id];
      if (store === null) return FIRST;
      if (found.turn === null) return LAST;
      // At one turn, the entry of the earlier chain comes first.
      const edge = i < own ? found.turn + 1 : found.turn;
      return ((isBack ? from : before).get(id, edge) as Place | undefined) ?? (isBack ? LAST : FIRST);
    });
  };
}
