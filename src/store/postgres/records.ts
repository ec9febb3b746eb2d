/** Reads of sessions that depend on a schema's order of entries. */
import { idOfNumber, isStep, readNote } from '../../exchange/index.js';
import type { Arrived } from '../port.js';
import type { RecordedExchange } from '../recorded.js';
import { type Chain, idsOf } from '../rows/chains.js';
import type { Entry } from '../rows/entries.js';
import { readSettings, readTime } from '../tampered.js';
import { turnAt } from '../turns.js';
import type { withLists } from './database.js';
import { type createPages, START } from './pages.js';

type AsyncQuery = ReturnType<typeof withLists>;

const STEPS = `SELECT notes.at, notes.kind, notes.settings, ended.id,
    (SELECT json_agg(id)::text FROM beginnings
       WHERE chain = ANY ($1::int8[]) AND turn > notes.turn AND (ended.id IS NULL OR id < ended.id))
  FROM notes LEFT JOIN LATERAL (
    SELECT id FROM exchanges WHERE chain = ANY ($1::int8[]) AND (turn, chain) > (notes.turn, notes.chain)
      ORDER BY turn, chain LIMIT 1
  ) AS ended ON true
  WHERE notes.chain = ANY ($1::int8[]) AND kind IN ('bank', 'started') ORDER BY notes.turn, notes.chain`;

/** Places the steps of a session among its entries, over its chains. */
export async function readSteps(query: AsyncQuery, chains: readonly Chain[]) {
  return (await query(STEPS, [idsOf(chains)])).flatMap(([at, kind, settings, ended, begun]) =>
    readNote(readTime(at), kind, readSettings(settings))
      .filter(isStep)
      .map((note) => {
        const before = [...(ended === null ? [] : [Number(ended)]), ...JSON.parse(String(begun ?? '[]'))];
        return { note, before: before.map(idOfNumber) };
      }),
  );
}

interface Position {
  readonly store: string;
  /** The last turn that was read, by chains with one behind `floor`. */
  readonly turns: ReadonlyMap<number, number>;
  readonly floor: number;
}

/** A commit shows later than its turn says: by no more than a statement may take. */
const SLACK = turnAt(300_000);
const GROWN = `SELECT id, session, turn FROM chains
  WHERE session IS NOT NULL AND writer <> $1::int8
    AND turn > coalesce($2::int8, (SELECT max(turn) FROM chains) - ${SLACK})`;

/** `writer`: whose chains are not looked at. `recordOf` gives undefined for what cannot be read. */
export async function readArrived(
  query: AsyncQuery,
  { between }: Pick<ReturnType<typeof createPages>, 'between'>,
  { store, writer }: { readonly store: string; readonly writer: number },
  recordOf: (session: string, entry: Entry) => RecordedExchange | undefined,
  position: unknown,
): Promise<Arrived> {
  const given = position as Position | undefined;
  const known = given?.store === store ? given : undefined;
  // Entries copied from another database arrived complete.
  const bound = known?.floor ?? (given === undefined ? null : -1);
  const found = (await query(GROWN, [writer, bound])) as unknown as [number, string, number][];
  const names = new Map(found.map(([id, name]) => [id, name]));
  const ends = new Map(found.map(([id, , turn]) => [id, turn]));
  if (given === undefined)
    return { records: [], hasNotes: false, position: settled(store, ends, -1), isMore: false };
  const from = (id: number): number => known?.turns.get(id) ?? bound ?? -1;
  const grown = found
    .filter(([id, , turn]) => turn > from(id))
    .map(([id]) => ({ id, firstTurn: from(id) + 1 }));
  const turns = new Map(found.map(([id]) => [id, from(id)]));
  const hasNotes = grown.length > 0 && (await areNoted(query, grown));
  const page = grown.length === 0 ? [] : await between('exchanges', grown, START, false)();
  for (const { chain, turn } of page) turns.set(chain, turn as number);
  if (page.length === 0) for (const [id, end] of ends) turns.set(id, Math.max(end, from(id)));
  const records = page.flatMap((entry) => recordOf(names.get(entry.chain) ?? '', entry) ?? []);
  return { records, hasNotes, position: settled(store, turns, bound ?? -1), isMore: page.length > 0 };
}

async function areNoted(
  query: AsyncQuery,
  chains: readonly { readonly id: number; readonly firstTurn: number }[],
): Promise<boolean> {
  const [row] = await query(
    `SELECT EXISTS (SELECT FROM unnest($1::int8[], $2::int8[]) AS given (id, first)
       WHERE EXISTS (SELECT FROM notes WHERE chain = given.id AND turn >= given.first))`,
    [chains.map(({ id }) => id), chains.map(({ firstTurn }) => firstTurn)],
  );
  return row?.[0] === true;
}

/** Chains that have rested for long need not be remembered. */
function settled(store: string, turns: ReadonlyMap<number, number>, before: number): Position {
  const floor = Math.max(before, Math.max(-1, ...turns.values()) - SLACK);
  return { store, floor, turns: new Map([...turns].filter(([, turn]) => turn > floor)) };
}
