/** Whoever holds a store of SQLite and no key: changes rows, and makes the links that need no key anew. */
import { createHash } from 'node:crypto';
import Sqlite from 'better-sqlite3';

interface Entry {
  readonly table: 'exchanges' | 'notes';
  readonly id: number;
  readonly seq: number;
  readonly hash: string;
}

export function attackerOf(path: string) {
  const db = new Sqlite(path);
  const { id: chain } = db.prepare('SELECT id FROM chains').get() as { id: number };
  const entries = () =>
    db
      .prepare(
        `SELECT 'exchanges' AS "table", id, seq, hash FROM exchanges WHERE chain = @chain
           UNION ALL SELECT 'notes', id, seq, hash FROM notes WHERE chain = @chain ORDER BY seq`,
      )
      .all({ chain }) as Entry[];
  const end = () => db.prepare('SELECT last, head FROM chains').get() as { last: number; head: string };
  const linkOf = (previous: string, seq: number, at: number, kind: string, settings: string): string => {
    const { name } = db.prepare('SELECT session AS name FROM chains').get() as { name: string };
    return createHash('sha256')
      .update(`note\n${previous}\n${seq}\n${at}\n${kind.length}:${kind}\n${name.length}:${name}\n${settings}`)
      .digest('base64url');
  };
  return {
    db,
    entries,
    end,
    /** All notes of a kind, with their settings. */
    notes: (kind: string) =>
      db
        .prepare('SELECT seq, at, settings FROM notes WHERE chain = ? AND kind = ? ORDER BY seq')
        .all(chain, kind)
        .map((row) => row as { seq: number; at: number; settings: string })
        .map(({ settings, ...row }) => ({ ...row, settings: JSON.parse(settings) })),
    /** Writes a note behind the last entry, as the gateway would. */
    addNote: (kind: string, settings: Record<string, unknown>, at = Date.now()): number => {
      const { last, head } = end();
      const text = JSON.stringify(settings);
      const link = linkOf(head, last + 1, at, kind, text);
      db.prepare('INSERT INTO notes (chain, seq, hash, at, kind, settings) VALUES (?, ?, ?, ?, ?, ?)').run(
        chain,
        last + 1,
        link,
        at,
        kind,
        text,
      );
      db.prepare('UPDATE chains SET last = last + 1, head = ?').run(link);
      return last + 1;
    },
    /** Says something else in a note, and makes its own link anew; gives that. */
    rewriteNote: (seq: number, change: (settings: Record<string, unknown>) => Record<string, unknown>) => {
      const row = db.prepare('SELECT at, kind, settings FROM notes WHERE seq = ?').get(seq) as {
        at: number;
        kind: string;
        settings: string;
      };
      const settings = JSON.stringify(change(JSON.parse(row.settings)));
      const previous = entries().find((one) => one.seq === seq - 1)?.hash ?? '';
      const link = linkOf(previous, seq, row.at, row.kind, settings);
      db.prepare('UPDATE notes SET settings = ?, hash = ? WHERE seq = ?').run(settings, link, seq);
      return link;
    },
    /** Takes out entries, and makes the counts fit. */
    drop: (seqs: readonly number[]): void => {
      for (const seq of seqs)
        for (const table of ['exchanges', 'notes'])
          db.prepare(`DELETE FROM ${table} WHERE chain = ? AND seq = ?`).run(chain, seq);
      db.exec('UPDATE chains SET exchanges = (SELECT count(*) FROM exchanges WHERE chain = chains.id)');
    },
    close: () => {
      const at = `(SELECT max(at) FROM (SELECT at FROM notes WHERE kind NOT IN ('created', 'removed', 'disturbed', 'checkpoint', 'timestamp')))`;
      db.exec(`UPDATE chains SET last_at = max(last_at, ${at})`);
      db.close();
    },
  };
}

/** What a note on a removal says, over the entries as they are before it. */
export function removedNote(
  entries: readonly Entry[],
  places: readonly number[],
  idOf: (id: number) => string,
) {
  const gone = entries.filter(({ seq, table }) => places.includes(seq) && table === 'exchanges');
  const gaps: [number, number, string, string][] = [];
  for (const place of [...places].sort((a, b) => a - b)) {
    const link = entries.find(({ seq }) => seq === place)?.hash ?? '';
    const last = gaps.at(-1);
    if (last?.[1] === place - 1) [last[1], last[2]] = [place, link];
    else gaps.push([place, place, link, entries.find(({ seq }) => seq === place - 1)?.hash ?? '']);
  }
  return {
    exchanges: gone.length,
    from: idOf(gone[0]?.id ?? 0),
    to: idOf(gone.at(-1)?.id ?? 0),
    through: Math.max(...places),
    gaps,
    lost: 0,
    lastAt: 0,
  };
}
