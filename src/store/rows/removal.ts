/**
 * Removes sessions, and the oldest exchanges of chains that go on, in small steps that are each a commit. First a chain notes
 * what will be gone, then it goes, the newest of it first: so the chain is sound at every moment, and what a crash leaves
 * undone goes with the next removal.
 */
import { idOfNumber, numberOfId } from '../../exchange/index.js';
import { noteLink } from '../chain.js';
import { PASSING_NOTES, type Removed } from '../chain-notes.js';
import { type Awaitable, after, type RemoveOptions } from '../port.js';
import { nextOf, outcome, type Steps, wait } from '../steps.js';
import type { NewNote, Tail } from '../tails.js';
import { type Database, first } from './database.js';
import type { ChainRows } from './linked.js';
import type { Queries } from './queries.js';

type Queried = Pick<Queries, 'db' | 'chains' | 'chainRows'>;

/** An exchange, or its beginning, by the number of its id. */
type EntryRow = readonly [id: number, seq: number, isBegun: 0 | 1];

/** Rows of one step: some ten ms in a large store (performance.md). */
const STEP = 100;
const PAGE = 2_000;
const PASSING = PASSING_NOTES.map((kind) => `'${kind}'`).join(', ');
const TABLES = ['exchanges', 'beginnings'] as const;

/** Goes along the chains of a session, the oldest one first; `mark` notes in one that this process adds to. */
export function* removeOldestOf(
  queries: Queried,
  session: string,
  options: RemoveOptions,
  markOwn: (chain: number) => Mark | null,
): Steps<number> {
  let left = options.most ?? Number.POSITIVE_INFINITY;
  for (const { id } of yield* wait(queries.chains.of(session))) {
    const steps = removeOldest(
      queries,
      { ...options, most: left },
      markOwn(id) ?? markOf(queries.db, session, id),
    );
    for (let step = yield* nextOf(steps); step.done !== true; step = yield* nextOf(steps)) {
      left -= step.value;
      yield step.value;
    }
  }
}

/** Notes at the end of a chain that nobody adds to any more; nothing where its writer lives, who looks after it. */
const markOf =
  ({ inTransaction, dialect }: Database, session: string, chain: number): Mark =>
  (work) =>
    inTransaction(function* (query) {
      const row = yield* first(
        query,
        `SELECT last, head, last_at, turn, ${dialect.isLeft} FROM chains WHERE id = $1::int8 AND session = $2 FOR UPDATE`,
        [chain, session],
      );
      const [last, head, lastAt, turn, isLeft] = (row ?? []) as [number, string, number, number, unknown];
      const note: NewNote | null = isLeft ? yield* wait(work({ row: chain, last, lastAt })) : null;
      if (note === null) return;
      const settings = JSON.stringify(note.settings);
      const link = noteLink(head, last + 1, { session, at: note.at, kind: note.kind, settings });
      yield* wait(
        query(
          'INSERT INTO notes (chain, turn, seq, hash, at, kind, settings) VALUES ($1::int8, $2::int8, $3::int8, $4, $5::int8, $6, $7)',
          [chain, turn + 1, last + 1, link, note.at, note.kind, settings],
        ),
      );
      yield* wait(
        query('UPDATE chains SET last = last + 1, turn = turn + 1, head = $2 WHERE id = $1::int8', [
          chain,
          link,
        ]),
      );
    });

/** Exchanges that are noted at once: looking for more would hold up others for more than some ten ms. */
const MOST = 20_000;

/** The end of the chain that something is removed from. */
export type ChainTail = Pick<Tail, 'row' | 'last' | 'lastAt'>;

/** Works on the end of a chain, and notes there what comes of it; null notes nothing. */
export type Mark = (work: (tail: ChainTail) => Awaitable<NewNote | null>) => Awaitable<void>;

/** Yields the number of exchanges that each step removed; each step is a commit of its own. */
function* removeOldest(
  queries: Queried,
  { before, at, by, most = Number.POSITIVE_INFINITY }: RemoveOptions,
  mark: Mark,
): Steps<number> {
  for (let left = most; left > 0; ) {
    let [through, row, isNew] = [0, 0, false];
    const noted = mark((tail) =>
      after(outcome(plan(queries, tail, numberOfId(before) ?? 0, Math.min(left, MOST))), (removed) => {
        row = tail.row;
        ({ through } = removed);
        isNew = removed.note !== null;
        return removed.note === null
          ? null
          : { at, kind: 'removed', settings: { ...removed.note, ...(by && { by }) } };
      }),
    );
    yield* wait(noted);
    const steps = through === 0 ? [].values() : removeThrough(queries.db, row, through);
    for (let step = yield* nextOf<number>(steps); step.done !== true; step = yield* nextOf<number>(steps)) {
      yield step.value;
      left -= step.value;
    }
    if (!isNew) return;
  }
}

interface Plan {
  readonly through: number;
  readonly note: Removed | null;
}

/** Plans the next removal; if an earlier one is unfinished, nothing is added. */
function* plan({ db, chainRows }: Queried, tail: ChainTail, below: number, most: number): Steps<never, Plan> {
  const earlier = yield* wait(chainRows.removed(tail.row));
  const start = earlier?.through ?? 0;
  let [exchanges, going, through] = [0, 0, start];
  let first: number | null = null;
  let last: number | null = null;
  const found = entriesOf(db, tail.row, start, tail.last);
  for (let next = yield* nextOf(found); next.done !== true; next = yield* nextOf(found)) {
    const [id, seq, isBegun] = next.value;
    if (id >= below || exchanges >= most) break;
    going += 1;
    through = seq;
    if (isBegun === 1) continue;
    exchanges += 1;
    first ??= id;
    last = id;
  }
  found.return?.();
  if (through === start) return { through, note: null };
  const note: Removed = {
    exchanges: (earlier?.exchanges ?? 0) + exchanges,
    from: earlier?.from ?? idOf(first),
    to: last === null ? (earlier?.to ?? '') : idOf(last),
    through,
    gaps: yield* gapsOf(db, chainRows, tail.row, through),
    lost: through - start - going - (yield* countNotes(db, tail.row, start, through)),
    lastAt: tail.lastAt,
  };
  return { through, note };
}

const idOf = (id: number | null): string => (id === null ? '' : idOfNumber(id));

/** The runs between the notes that stay, each with the link of its last entry. */
function* gapsOf(
  { query, dialect }: Database,
  { linkAt }: ChainRows,
  chain: number,
  through: number,
): Steps<never, Removed['gaps']> {
  const gaps: [number, number, string, string][] = [];
  let from = 1;
  const staying = yield* wait(
    query(
      `SELECT seq FROM notes WHERE chain = $1::int8 AND seq <= $2::int8 AND kind NOT IN (${PASSING}) ORDER BY ${dialect.order}`,
      [chain, through],
    ),
  );
  for (const place of [...staying.map(([seq]) => seq as number), through + 1]) {
    if (place > from) {
      const link = (yield* wait(linkAt(chain, place - 1))) ?? '';
      const before = from === 1 ? '' : ((yield* wait(linkAt(chain, from - 1))) ?? '');
      gaps.push([from, place - 1, link, before]);
    }
    from = place + 1;
  }
  return gaps;
}

/** Exchanges and beginnings behind the place `after`, up to `last`, in order. */
function* entriesOf(
  { query, dialect }: Database,
  chain: number,
  after: number,
  last: number,
): Steps<EntryRow> {
  const { order } = dialect;
  const text = `${TABLES.map(
    (table, i) =>
      `SELECT id, seq, ${i}::int4 AS is_begun, ${order} AS place FROM ${table} WHERE chain = $1::int8 AND ${order} > $2::int8`,
  ).join(' UNION ALL ')} ORDER BY place LIMIT ${PAGE}`;
  for (let from = order === 'seq' ? after : -1; ; ) {
    const page = (yield* wait(query(text, [chain, from]))) as unknown as [...EntryRow, number][];
    for (const [id, seq, isBegun] of page) {
      if (seq > last) return;
      if (seq > after) yield [id, seq, isBegun];
    }
    const end = page.at(-1);
    if (end === undefined || page.length < PAGE) return;
    from = end[3];
  }
}

function* countNotes(
  { query }: Database,
  chain: number,
  after: number,
  through: number,
): Steps<never, number> {
  const text = 'SELECT count(*) FROM notes WHERE chain = $1::int8 AND seq > $2::int8 AND seq <= $3::int8';
  return Number((yield* first(query, text, [chain, after, through]))?.[0]);
}

/** The newest first, in steps that are each a commit: yields how many exchanges went with each. */
function* removeThrough(
  { query, inTransaction, dialect }: Database,
  chain: number,
  through: number,
): Steps<number> {
  const { order, lessBytes } = dialect;
  const newest = (table: string, isBegun: 0 | 1) =>
    `SELECT * FROM (SELECT ${order} AS place, ${isBegun}::int4 AS is_begun FROM ${table}
       WHERE chain = $1::int8 AND ${order} < $2::int8 ORDER BY ${order} DESC LIMIT ${STEP}) AS newest_${table}`;
  const NEWEST = `${newest('exchanges', 0)} UNION ALL ${newest('beginnings', 1)} ORDER BY place DESC LIMIT ${STEP}`;
  const BEHIND = ['exchanges', 'beginnings', 'notes']
    .map(
      (table) =>
        `SELECT * FROM (SELECT ${order} AS place FROM ${table} WHERE chain = $1::int8 AND seq > $2::int8 ORDER BY ${order} LIMIT 1) AS ${table}_behind`,
    )
    .join(' UNION ALL ');
  const found = order === 'seq' ? [[through + 1]] : yield* wait(query(BEHIND, [chain, through]));
  const end = Math.min(Number.MAX_SAFE_INTEGER, ...found.map(([place]) => place as number));
  const gone = 'WHERE chain = $1::int8 AND';
  for (;;) {
    const step = yield* wait(
      inTransaction(function* (now): Steps<never, number | null> {
        const rows = (yield* wait(now(NEWEST, [chain, end]))) as unknown as [number, number][];
        const from = rows.at(-1)?.[0] ?? 0;
        const within = `${gone} ${order} >= $2::int8 AND ${order} < $3::int8`;
        yield* wait(now(`DELETE FROM notes ${within} AND kind IN (${PASSING})`, [chain, from, end]));
        if (rows.length === 0) return null;
        for (const table of TABLES) yield* wait(now(`DELETE FROM ${table} ${within}`, [chain, from, end]));
        const begun = rows.filter(([, isBegun]) => isBegun === 1).length;
        yield* wait(
          now(
            `UPDATE chains SET exchanges = exchanges - $2::int8, begun = begun - $3::int8 ${lessBytes} WHERE id = $1::int8`,
            [chain, rows.length - begun, begun],
          ),
        );
        return rows.length - begun;
      }),
    );
    if (step === null) return;
    yield step;
  }
}

/**
 * With the world of its name. `onGone`: the name is free for a new session; `dropWhole`: what goes at once. What an interruption leaves goes
 * with the next removal. Yields how many exchanges each step removed.
 */
export function* removeSession(
  { query, inTransaction, dialect }: Database,
  session: string,
  onGone: () => void,
  dropWhole?: () => Steps<number>,
): Steps<number> {
  const isMarked = yield* wait(
    inTransaction(function* (now) {
      for (const lock of dialect.lockSession) yield* wait(now(lock, [session]));
      const marked = yield* wait(
        now('UPDATE chains SET session = NULL WHERE session = $1 RETURNING id', [session]),
      );
      if (marked.length === 0) return false;
      for (const forget of dialect.forgetWorld) yield* wait(now(forget, [session]));
      return true;
    }),
  );
  if (!isMarked) return;
  onGone();
  if (dropWhole !== undefined) yield* dropWhole();
  const { rowKey } = dialect;
  const keys = {
    exchanges: rowKey,
    beginnings: rowKey,
    parts: 'part',
    notes: rowKey,
    certificates: 'reference',
    keys: 'key',
  };
  for (const [chain] of yield* wait(query('SELECT id FROM chains WHERE session IS NULL ORDER BY id'))) {
    for (const [table, key] of Object.entries(keys))
      for (let gone = STEP; gone === STEP; ) {
        const some = `SELECT ${key} FROM ${table} WHERE chain = $1::int8 LIMIT ${STEP}`;
        gone = (yield* wait(
          query(`DELETE FROM ${table} WHERE chain = $1::int8 AND ${key} IN (${some}) RETURNING 1`, [chain]),
        )).length;
        if (gone > 0) yield table === 'exchanges' ? gone : 0;
      }
    yield* wait(query('DELETE FROM chains WHERE id = $1::int8 AND session IS NULL', [chain]));
  }
}
