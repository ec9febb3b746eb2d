/** Brings an index up to what its store holds, a step at a time. */
import { SandgateError } from '../../spec/index.js';
import { FIELDS } from '../filter/fields.js';
import type { LocalStore, SessionInfo } from '../port.js';
import type { RecordedExchange } from '../recorded.js';
import type { Database } from '../sqlite/driver.js';
import { fold } from './fold.js';
import { COLUMN_FIELDS, columnOf, isTime, SEALED } from './index-file.js';
import { createIndexTexts, textOf } from './index-texts.js';

/** Exchanges of one step: some ten ms of work, one commit. */
export const STEP = 128;

interface SessionRow {
  readonly id: number;
  readonly name: string;
  readonly started_at: number;
  readonly end: string;
  readonly newest: string | null;
}

export function createIndexWriter(db: Database, store: Pick<LocalStore, 'sessions' | 'read'>) {
  const all = db.prepare('SELECT id, name, started_at, "end", newest FROM sessions');
  const create = db.prepare('INSERT INTO sessions (name, started_at, "end") VALUES (?, ?, \'\')');
  const update = db.prepare('UPDATE sessions SET "end" = ?, newest = ? WHERE id = ?');
  const forget = db.prepare('DELETE FROM sessions WHERE id = ?');
  const first = db.prepare('SELECT exchange FROM exchanges WHERE session = ? ORDER BY place LIMIT 1').pluck();
  const placeOf = db.prepare('SELECT place FROM exchanges WHERE exchange = ? AND session = ?').pluck();
  const oldest = db
    .prepare(`SELECT place FROM exchanges WHERE session = ? AND place < ? ORDER BY place LIMIT ${STEP}`)
    .pluck();
  const remove = db.prepare('DELETE FROM exchanges WHERE place = ?');
  const insert = db.prepare(
    `INSERT INTO exchanges (session, exchange, whole, shared, ${COLUMN_FIELDS.map(columnOf).join(', ')})
     VALUES (?, ?, ?, ?, ${COLUMN_FIELDS.map(() => '?').join(', ')})`,
  );
  const texts = createIndexTexts(db);

  const hasRemoved = db.prepare('SELECT has_removed FROM identity').pluck();
  const noteRemoved = db.prepare('UPDATE identity SET has_removed = ?');

  /** True where there is more of that to do. */
  function mergeRemoved(): boolean {
    if (hasRemoved.get() !== 1) return false;
    if (!texts.merge()) noteRemoved.run(0);
    return true;
  }

  /** True where something was removed. */
  function removeBefore(session: number, place: number): boolean {
    const places = oldest.all(session, place) as number[];
    if (places.length === 0) return false;
    noteRemoved.run(1);
    for (const one of places) remove.run(one);
    texts.remove(session, places);
    return true;
  }

  function add(session: number, record: RecordedExchange): void {
    const isSealed = record.exchange.withheld === 'enciphered';
    const text = isSealed ? null : textOf(record);
    const shared = text === null ? null : texts.share(session, text.shared);
    const values = COLUMN_FIELDS.map((field) =>
      isSealed ? null : columnValue(FIELDS[field].read(record), isTime(field)),
    );
    const { id } = record.exchange.call;
    const { lastInsertRowid } = insert.run(
      session,
      id,
      isSealed ? SEALED : text === null ? 0 : 1,
      shared,
      ...values,
    );
    if (text !== null) texts.add(Number(lastInsertRowid), text.own, shared);
  }

  /** Removes from the index what retention removed, oldest first. */
  function followRemovals({ id, name }: SessionRow): boolean {
    const known = first.get(id);
    if (known === undefined) return false;
    const [kept] = store.read(name, { limit: 1, onUnreadable: () => {} });
    const oldestKept = kept?.exchange.call.id;
    if (oldestKept === undefined || oldestKept === known) return false;
    const place = placeOf.get(oldestKept, id) as number | undefined;
    return place !== undefined && removeBefore(id, place);
  }

  /** How many exchanges it looked at. */
  function followGrowth({ id, newest }: SessionRow, info: SessionInfo): number {
    const { name } = info;
    let [last, count] = [newest, 0];
    const unreadable = (exchange: string) => {
      last = exchange;
      count++;
    };
    const options = { limit: STEP, onUnreadable: unreadable, ...(newest === null ? {} : { after: newest }) };
    for (const record of store.read(name, options)) {
      add(id, record);
      last = record.exchange.call.id;
      count++;
    }
    update.run(count < STEP ? endsOf(info) : '', last, id);
    return count;
  }

  function createSession({ name, startedAt }: SessionInfo): SessionRow {
    const id = Number(create.run(name, startedAt).lastInsertRowid);
    return { id, name, started_at: startedAt, end: '', newest: null };
  }

  function removeSession({ id }: SessionRow): void {
    if (!removeBefore(id, Number.MAX_SAFE_INTEGER)) forget.run(id);
  }

  function followSession(row: SessionRow, info: SessionInfo): number {
    // Entries indexed before the session began anew go first.
    if (row.newest === null && removeBefore(row.id, Number.MAX_SAFE_INTEGER)) return STEP;
    try {
      return followRemovals(row) ? STEP : followGrowth(row, info);
    } catch (error) {
      // The exchange that it went on from was removed: it begins anew.
      if (!(error instanceof SandgateError) || error.code !== 'exchange.unknown') throw error;
      update.run('', null, row.id);
      return STEP;
    }
  }

  return {
    /** Does a bounded piece of what is to be done; false where nothing is. */
    step: db.transaction((): boolean => {
      const infos = new Map(store.sessions().map((info) => [info.name, info]));
      const rows = all.all() as SessionRow[];
      const gone = rows.find(({ name, started_at }) => infos.get(name)?.startedAt !== started_at);
      if (gone !== undefined) {
        removeSession(gone);
        return true;
      }
      const known = new Map(rows.map((row) => [row.name, row]));
      let left = STEP;
      for (const info of [...infos.values()].reverse()) {
        const row = known.get(info.name) ?? createSession(info);
        if (row.end !== endsOf(info)) left -= Math.max(1, followSession(row, info));
        if (left <= 0) break;
      }
      return left < STEP || mergeRemoved();
    }) as () => boolean,
  };
}

/** Looks at all chains: copied ones, which grow no more, lose their oldest exchanges, too. */
const endsOf = ({ chains }: SessionInfo): string => chains.map(({ head }) => head).join(' ');

/** Values stand each between line ends. */
function columnValue(
  values: readonly (string | number | undefined)[],
  isCompared: boolean,
): string | number | null {
  const there = values.filter((value) => value !== undefined);
  const [value] = there;
  if (typeof value === 'number') return value;
  if (value === undefined) return null;
  return isCompared ? `\n${value}\n` : `\n${there.map((one) => fold(String(one))).join('\n')}\n`;
}

export type IndexWriter = ReturnType<typeof createIndexWriter>;
