/** Reads where the steps of a session stand among its entries, over its chains. */
import { idOfNumber, isStep, readNote } from '../../exchange/index.js';
import type { PlacedStep } from '../port.js';
import { turnOf } from '../records.js';
import { readSettings, readTime } from '../tampered.js';
import type { Database } from './driver.js';
import { idsOf, NOTES_IN_ORDER } from './notes.js';
import type { FileChain } from './rows.js';

type NoteRow = [chain: number, seq: number, turn: number | null, at: number, kind: string, settings: string];
type Found = readonly [id: number, turn: number | null];

/** What is behind a place: in its own chain, in another one that was copied, or in that of this store, which came after. */
const BEHIND = { own: 'seq > ?', copied: 'turn > ?', later: 'seq > ? AND turn IS NULL' } as const;
type Side = keyof typeof BEHIND;

export function readSteps(db: Database, chains: readonly FileChain[]): PlacedStep[] {
  const notes = db
    .prepare(
      `SELECT session, seq, turn, at, kind, settings FROM notes
         WHERE session IN (SELECT value FROM json_each(?)) AND kind IN ('bank', 'started') AND seq > 0
         ORDER BY ${NOTES_IN_ORDER}`,
    )
    .raw()
    .all(idsOf(chains)) as NoteRow[];
  const first = (side: Side) =>
    db
      .prepare(
        `SELECT id, turn FROM exchanges WHERE session = ? AND ${BEHIND[side]} ORDER BY seq, id LIMIT 1`,
      )
      .raw();
  const begun = (side: Side) =>
    db.prepare(`SELECT id FROM beginnings WHERE session = ? AND ${BEHIND[side]} AND id < ?`).pluck();
  const firsts = { own: first('own'), copied: first('copied'), later: first('later') };
  const beginnings = { own: begun('own'), copied: begun('copied'), later: begun('later') };

  return notes.flatMap(([chain, seq, turn, at, kind, settings]) => {
    const [note] = readNote(readTime(at), kind, readSettings(settings)).filter(isStep);
    if (note === undefined) return [];
    const places = chains.flatMap(({ id, store }): [side: Side, chain: number, place: number][] => {
      if (id === chain) return [['own', id, seq]];
      if (store === null) return [['later', id, 0]];
      return turn === null ? [] : [['copied', id, turn]];
    });
    const found = places
      .map(([side, ...place]) => firsts[side].get(...place) as Found | undefined)
      .filter((one) => one !== undefined)
      .reduce<Found | null>(
        (least, one) => (least && turnOf(least[1]) <= turnOf(one[1]) ? least : one),
        null,
      );
    const most = found?.[0] ?? Number.MAX_SAFE_INTEGER;
    const before = places.flatMap(([side, ...place]) => beginnings[side].all(...place, most) as number[]);
    return [{ note, before: [...(found === null ? [] : [found[0]]), ...before].map(idOfNumber) }];
  });
}
