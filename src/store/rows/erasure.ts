/**
 * Erases contents, and what names people besides. First a chain notes which entries lose their content, with a digest of what
 * stays; then they lose it: so the chain is sound at every moment, and what a crash leaves undone is done by the next erasure.
 */
import { erasedDigest, exchangeLink, noteLink } from '../chain.js';
import { ERASABLE_NOTES, type Erased, type ErasedEntries } from '../chain-notes.js';
import { writeText } from '../columns.js';
import type { Awaitable, ErasePlan } from '../port.js';
import { keyIn, type RecordTexts, readRecordTexts, withheldTexts } from '../record-codec.js';
import type { RecordedExchange } from '../recorded.js';
import type { SharedText } from '../shared-text.js';
import { nextOf, type Steps, wait } from '../steps.js';
import { readSettings } from '../tampered.js';
import { isOfOne } from '../vault.js';
import type { Chain } from './chains.js';
import type { Database, Query } from './database.js';
import { ENTRY_TABLES, type Entry, type EntryTable } from './entries.js';
import type { Erasures, NoteRow } from './linked.js';
import type { Queries } from './queries.js';

export type KeepNote = (erased: Erased) => Awaitable<void>;

/** An entry that is to lose its content; `digest`: null where that is noted already. */
interface Doomed {
  readonly seq: number;
  readonly isExchange: boolean;
  readonly digest: string | null;
  readonly rewrite: (query: Query) => Awaitable<unknown>;
}

/** Entries of one step: some ten ms, one note and one commit. */
const STEP = 256;

/** Goes along all chains of a session; yields how many exchanges, or notes, each step erased. */
export function* eraseContents(
  queries: Queries,
  session: string,
  plan: ErasePlan,
  keepNote: KeepNote,
): Steps<{ readonly exchanges: number; readonly notes: number }> {
  const { db, chains, chainRows } = queries;
  const { ofChain, keys: destroyed } = yield* chainRows.erasures(session);
  for (const chain of yield* wait(chains.of(session))) {
    const noted = ofChain.get(chain.storeName) ?? new Map();
    const keys = createDoomedKeys(destroyed);
    const sources = [
      ...ENTRY_TABLES.map((table) => doomedEntries(queries, session, chain, table, plan, noted, keys)),
      doomedNotes(queries, session, chain, plan, noted),
    ];
    for (const [i, source] of sources.entries())
      for (
        let step = yield* nextOf<readonly Doomed[]>(source);
        step.done !== true;
        step = yield* nextOf<readonly Doomed[]>(source)
      ) {
        const doomed = step.value;
        const fresh = doomed.flatMap(({ digest, ...one }) => (digest === null ? [] : { ...one, digest }));
        const exchanges = fresh.filter(({ isExchange }) => isExchange).length;
        if (fresh.length > 0)
          yield* wait(
            keepNote({
              of: chain.storeName,
              exchanges,
              entries: fresh.map(({ seq, digest }) => [seq, digest]),
            }),
          );
        yield* wait(
          db.inTransaction(function* (query): Steps<never, void> {
            for (const { rewrite } of doomed) yield* wait(rewrite(query));
          }),
        );
        yield { exchanges, notes: i === ENTRY_TABLES.length ? fresh.length : 0 };
      }
    yield* destroyKeys(db, chain, keys, keepNote);
    queries.forget();
  }
}

/** Keys of one consent or payment each: with one, all goes that it enciphered. */
function createDoomedKeys(destroyed: Erasures['keys']) {
  const exchanges = new Map<string, number>();
  const doomed = new Set<string>();
  return {
    /** False of an entry that has no such key. */
    took: (key: string | undefined, isWanted: boolean, isExchange: boolean): boolean => {
      if (key === undefined || !isOfOne(key)) return false;
      if (isExchange) exchanges.set(key, (exchanges.get(key) ?? 0) + 1);
      if (isWanted || destroyed.has(key)) doomed.add(key);
      return true;
    },
    all: () => [...doomed],
    /** Without those that are noted already. */
    fresh: () => [...doomed].filter((key) => !destroyed.has(key)),
    count: (key: string): number => exchanges.get(key) ?? 0,
  };
}

type DoomedKeys = ReturnType<typeof createDoomedKeys>;

function* destroyKeys(
  { query }: Database,
  { id, storeName }: Chain,
  keys: DoomedKeys,
  keepNote: KeepNote,
): Steps<{ readonly exchanges: number; readonly notes: number }> {
  const fresh = keys.fresh();
  const exchanges = fresh.reduce((sum, key) => sum + keys.count(key), 0);
  if (keys.all().length === 0) return;
  if (fresh.length > 0) yield* wait(keepNote({ of: storeName, exchanges, entries: [], keys: fresh }));
  yield* wait(query('DELETE FROM keys WHERE chain = $1::int8 AND key = ANY ($2::text[])', [id, keys.all()]));
  yield { exchanges, notes: 0 };
}

/** Whatever a row holds, one that cannot be read has nothing to erase. */
function recordIn(entry: Entry, texts: RecordTexts): RecordedExchange | null {
  try {
    return readRecordTexts(texts, entry.certificateOf);
  } catch {
    return null;
  }
}

function textsIn(entry: Entry, session: string): RecordTexts | null {
  try {
    return entry.texts(session);
  } catch {
    return null;
  }
}

function* doomedEntries(
  { db, pages, chainRows }: Queries,
  session: string,
  chain: Chain,
  table: EntryTable,
  plan: ErasePlan,
  noted: ErasedEntries,
  keys: DoomedKeys,
): Steps<readonly Doomed[]> {
  const nextPage = pages.walk(table, chain.id, 0);
  let before: Entry | undefined;
  for (let page = yield* wait(nextPage()); page.length > 0; page = yield* wait(nextPage())) {
    const doomed: Doomed[] = [];
    for (const entry of page) {
      const last = before;
      before = entry;
      const texts = textsIn(entry, session);
      const record = texts === null ? null : recordIn(entry, entry.opened(texts));
      if (texts === null || record === null || record.exchange.withheld !== undefined) continue;
      const isNoted = noted.has(entry.seq);
      const isWanted = isNoted || plan.ofRecord(record);
      if (keys.took(keyIn(texts.own), isWanted, !entry.isBegun) || !isWanted) continue;
      const left = withheldTexts(record, 'erased');
      const previous =
        last?.seq === entry.seq - 1
          ? last.link
          : ((yield* wait(chainRows.linkAt(chain.id, entry.seq - 1, entry.turn ?? undefined))) ?? '');
      const over = (link: string): string => exchangeLink(link, entry.seq, left, entry.isBegun);
      doomed.push({
        seq: entry.seq,
        isExchange: !entry.isBegun,
        digest: isNoted ? null : erasedDigest(previous, entry.link, over),
        rewrite: (query) => rewriteEntry(db, query, table, entry, texts, left),
      });
    }
    if (doomed.length > 0) yield doomed;
  }
}

/** A shape that stays as it was keeps its place; another one is seldom shared. */
function rewriteEntry(
  { dialect }: Database,
  query: Query,
  table: EntryTable,
  entry: Entry,
  before: RecordTexts,
  left: RecordTexts,
): Awaitable<unknown> {
  const { valueOf: stored, order } = dialect;
  const columnOf = (shared: SharedText | null) => stored(shared === null ? null : writeText(shared.text));
  const answer = table === 'exchanges' ? ', answer_body = NULL' : '';
  const ofTurn = order === 'turn' ? `AND turn = ${entry.turn}` : '';
  return query(
    `UPDATE ${table} SET own = $1::bytea, shape = coalesce($2::bytea, shape), findings = $3::bytea, request_body = NULL${answer}
       WHERE chain = $4::int8 AND seq = $5::int8 AND id = $6::int8 ${ofTurn}`,
    [
      stored(writeText(left.own)),
      before.shape.text === left.shape.text ? null : columnOf(left.shape),
      columnOf(left.findings),
      ...[entry.chain, entry.seq, entry.id],
    ],
  );
}

/** The rest of a note, which still reads as one of its kind. */
function leftOf(kind: unknown, settings: unknown): string {
  const { action, step, exchange, operation } = readSettings(settings);
  if (kind === 'mark') return JSON.stringify({ text: 'erased' });
  return JSON.stringify(kind === 'bank' ? { action, step } : { exchange, operation, differences: [] });
}

function* doomedNotes(
  { chainRows }: Queries,
  session: string,
  chain: Chain,
  plan: ErasePlan,
  noted: ErasedEntries,
): Steps<readonly Doomed[]> {
  const notes = chainRows.notes(chain.id, 0);
  let doomed: Doomed[] = [];
  for (let next = yield* nextOf<NoteRow>(notes); next.done !== true; next = yield* nextOf<NoteRow>(notes)) {
    const { seq, turn, link, at, kind, settings } = next.value;
    const leftSettings = leftOf(kind, settings);
    if (!ERASABLE_NOTES.has(kind) || settings === leftSettings) continue;
    const isNoted = noted.has(seq);
    if (!isNoted && !plan.ofText(String(settings))) continue;
    const previous = (yield* wait(chainRows.linkAt(chain.id, seq - 1, turn ?? undefined))) ?? '';
    const left = { session, at, kind: String(kind), settings: leftSettings };
    doomed.push({
      seq,
      isExchange: false,
      digest: isNoted ? null : erasedDigest(previous, link, (before) => noteLink(before, seq, left)),
      rewrite: (query) =>
        query('UPDATE notes SET settings = $1 WHERE chain = $2::int8 AND seq = $3::int8 AND hash = $4', [
          leftSettings,
          ...[chain.id, seq, link],
        ]),
    });
    if (doomed.length < STEP) continue;
    yield doomed;
    doomed = [];
  }
  if (doomed.length > 0) yield doomed;
}

const PAGE = 1_000;

/**
 * Removes the facts that `isOf` says yes to, from all layers of all worlds, and has gateways load these worlds anew. With
 * them go texts that no entry shares any more. Gives how many facts.
 */
export function* eraseFacts(
  query: Query,
  { dialect }: Database,
  isOf: (text: string) => boolean,
  isDry: boolean,
): Steps<never, number> {
  const { factKey, facts, renewWorld } = dialect;
  const names = Object.keys(factKey);
  const types = Object.values(factKey).map(([type]) => type);
  const keys = names.map((name) => `facts.${name}`).join(', ');
  const given = types.map((type, i) => `$${i + 1}::${type}`);
  const select = `SELECT ${keys}, world, family, key, fact FROM ${facts} WHERE (${keys}) > (${given.join(', ')}) ORDER BY ${keys} LIMIT ${PAGE}`;
  const remove = `DELETE FROM facts WHERE ${names.map((name, i) => `${name} = ${given[i]}`).join(' AND ')}`;
  const touched = new Set<string>();
  let count = 0;
  let place: readonly unknown[] = Object.values(factKey).map(([, before]) => before);
  for (;;) {
    const page = yield* wait(query(select, place));
    for (const row of page) {
      const [world, family, key, fact] = row.slice(names.length).map((value) => String(value ?? ''));
      if (!isOf(`${family}\n${key}\n${fact}`)) continue;
      count += 1;
      touched.add(world ?? '');
      if (!isDry) yield* wait(query(remove, row.slice(0, names.length)));
    }
    place = page.at(-1)?.slice(0, names.length) ?? [];
    if (page.length < PAGE) break;
  }
  if (isDry) return count;
  for (const [world, partition] of yield* wait(query('SELECT world, partition FROM partitions')))
    if (isOf(String(partition))) {
      touched.add(String(world));
      yield* wait(query('DELETE FROM partitions WHERE world = $1 AND partition = $2', [world, partition]));
    }
  for (const world of touched) yield* wait(query(renewWorld, [world]));
  yield* dropUnsharedTexts(query, dialect);
  return count;
}

const SHARING: Readonly<Record<EntryTable, readonly string[]>> = {
  exchanges: ['shape', 'verdicts', 'findings', 'request_body', 'answer_body'],
  beginnings: ['shape', 'verdicts', 'findings', 'request_body'],
};

function* dropUnsharedTexts(query: Query, { isPart, part }: Database['dialect']): Steps<never, void> {
  const shared = ENTRY_TABLES.flatMap((table) =>
    SHARING[table].map(
      (column) => `SELECT ${column} FROM ${table} WHERE chain = $1::int8 AND ${isPart(column)}`,
    ),
  ).join(' UNION ');
  for (const [chain] of yield* wait(query('SELECT DISTINCT chain FROM parts')))
    yield* wait(query(`DELETE FROM parts WHERE chain = $1::int8 AND ${part} NOT IN (${shared})`, [chain]));
}
