/** The rows of a session as verifying its chain reads them. */
import { idOfNumber } from '../../exchange/index.js';
import { type ChainRows, type LinkedRow, type NoteRow, type Stray, soundTexts } from '../chain-rows.js';
import { linkAt } from '../ends.js';
import { numberOf } from '../tampered.js';
import type { Database } from './driver.js';
import { createEndRows } from './end-rows.js';
import { createChainNotes } from './notes.js';
import { behind, type FileEntry, PAGE, paged, type Rows } from './rows.js';

type NoteColumns = readonly [
  seq: number,
  link: string,
  at: number,
  kind: unknown,
  settings: unknown,
  id: number,
  turn: number | null,
];

export function createChainRows(db: Database, rows: Rows): ChainRows {
  const pageOfNotes = db
    .prepare(
      `SELECT seq, hash, at, kind, settings, id, turn FROM notes WHERE session = ? AND (seq, id) > (?, ?) ORDER BY seq, id LIMIT ${PAGE}`,
    )
    .raw();
  const strays = ['seq < 1', 'seq > @last', 'seq IS NULL'].map((place) =>
    db.prepare(
      `SELECT seq, id, NULL AS kind FROM exchanges WHERE session = @session AND ${place}
       UNION ALL SELECT seq, id, NULL FROM beginnings WHERE session = @session AND ${place}
       UNION ALL SELECT seq, NULL, kind FROM notes WHERE session = @session AND ${place} LIMIT ${PAGE}`,
    ),
  );
  const { created, removed } = createChainNotes(db);
  const ends = createEndRows(db);

  const linked = (name: string, { id, chain, texts, certificateOf, ...row }: FileEntry): LinkedRow => ({
    ...row,
    exchange: idOfNumber(id),
    session: chain,
    texts: () => soundTexts(texts(name), certificateOf),
  });

  function* all(name: string, found: Iterable<FileEntry>): IterableIterator<LinkedRow> {
    for (const row of found) yield linked(name, row);
  }

  function* notes(session: number, after: number): IterableIterator<NoteRow> {
    const found = paged(pageOfNotes, session, behind(after), (row: NoteColumns) => [row[0], row[5]]);
    for (const [seq, link, at, kind, settings, , turn] of found)
      yield { seq, turn, link, at, kind, settings };
  }

  const straysOf = (session: number, last: number): Stray[] =>
    strays
      .flatMap(
        (select) =>
          select.all({ session, last }) as { seq: unknown; id: number | null; kind: Stray['kind'] }[],
      )
      .map(({ seq, id, kind }) => ({ seq, exchange: id === null ? null : idOfNumber(id), kind }));

  return {
    nameOf: rows.nameOf,
    created,
    removed,
    notes,
    chainsOf: (session) => rows.chains(session).map(({ id }) => id),
    start: (id) =>
      db.transaction(() => {
        const row = rows.chain(id);
        if (row === undefined) return null;
        const last = numberOf(row.last);
        const isOrdered = row.store !== null;
        return { row, isOrdered, created: created(id), removed: removed(id), strays: straysOf(id, last) };
      })(),
    storeOf: (id) => rows.chain(id)?.storeName ?? '',
    find: (exchangeId) => {
      const row = rows.find(exchangeId);
      return row === undefined ? undefined : linked(rows.nameOf(row.chain) ?? '', row);
    },
    exchanges: (name, session, after) => all(name, rows.exchanges(session, behind(after))),
    beginnings: (name, session, after) => all(name, rows.beginnings(session, behind(after))),
    linkAt: (session, place) => linkAt(ends, session, place),
  };
}
