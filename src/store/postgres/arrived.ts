/** What came to a store behind a position: how far each chain of another gateway was read. */
import type { Arrived } from '../port.js';
import type { RecordedExchange } from '../recorded.js';
import { turnAt } from '../turns.js';
import { arraysOf } from './arrays.js';
import type { Connection } from './client.js';
import type { Chain, EntryRows, PostgresEntry } from './rows.js';

interface Position {
  readonly store: string;
  /** The last turn that was read, by chains with one behind `floor`. */
  readonly turns: ReadonlyMap<number, number>;
  readonly floor: number;
}

/** A commit shows later than its turn says: by no more than a statement may take. */
const SLACK = turnAt(300_000);
const CHAINS = `SELECT id, session, turn FROM chains
  WHERE session IS NOT NULL AND writer <> $1::int8
    AND turn > coalesce($2::int8, (SELECT max(turn) FROM chains) - ${SLACK})`;

/** `writer`: whose chains are not looked at. `recordOf` gives undefined for what cannot be read. */
export async function readArrived(
  query: Connection['query'],
  rows: Pick<EntryRows, 'pages'>,
  { store, writer }: { readonly store: string; readonly writer: number },
  recordOf: (session: string, entry: PostgresEntry) => RecordedExchange | undefined,
  position: unknown,
): Promise<Arrived> {
  const given = position as Position | undefined;
  const known = given?.store === store ? given : undefined;
  // What another database holds came all of it.
  const bound = known?.floor ?? (given === undefined ? null : -1);
  const found = (await query(CHAINS, [writer, bound])) as unknown as [number, string, number][];
  const names = new Map(found.map(([id, name]) => [id, name]));
  const ends = new Map(found.map(([id, , turn]) => [id, turn]));
  if (given === undefined)
    return { records: [], hasNotes: false, position: settled(store, ends, -1), isMore: false };
  const from = (id: number): number => known?.turns.get(id) ?? bound ?? -1;
  const grown = found.filter(([id, , turn]) => turn > from(id)).map(([id]) => ({ id, from: from(id) + 1 }));
  const turns = new Map(found.map(([id]) => [id, from(id)]));
  const hasNotes = grown.length > 0 && (await areNoted(query, grown));
  const page = grown.length === 0 ? [] : await rows.pages('exchanges', grown, START, false)();
  for (const { chain, turn } of page) turns.set(chain, turn);
  if (page.length === 0) for (const [id, end] of ends) turns.set(id, Math.max(end, from(id)));
  const records = page.flatMap((entry) => recordOf(names.get(entry.chain) ?? '', entry) ?? []);
  return { records, hasNotes, position: settled(store, turns, bound ?? -1), isMore: page.length > 0 };
}

const START = { turn: -1, chain: 0 };

async function areNoted(query: Connection['query'], chains: readonly Chain[]): Promise<boolean> {
  const [row] = await query(
    `SELECT EXISTS (SELECT FROM unnest($1::int8[], $2::int8[]) AS given (id, first)
       WHERE EXISTS (SELECT FROM notes WHERE chain = given.id AND turn >= given.first))`,
    arraysOf(
      ['int8', 'int8'],
      chains.map(({ id, from }) => [id, from]),
    ),
  );
  return row?.[0] === true;
}

/** Chains that have rested for long need not be remembered. */
function settled(store: string, turns: ReadonlyMap<number, number>, before: number): Position {
  const floor = Math.max(before, Math.max(-1, ...turns.values()) - SLACK);
  return { store, floor, turns: new Map([...turns].filter(([, turn]) => turn > floor)) };
}
