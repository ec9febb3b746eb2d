/** Reads the other chains of sessions, for those notes of a batch that name them (`Beside`). */
import type { Beside } from '../chain-notes.js';
import type { Batch } from '../port.js';
import { arrayOf } from './arrays.js';
import type { Row } from './client.js';

/** The writer of a chain; `store`: the chain was copied out of that store. */
interface WriterOf {
  readonly writer: number;
  readonly store: string | null;
}

/** By what a chain names its store: which of its writers it is of, too, so that their checkpoints are told apart. */
export const storeOf = (own: string, { writer, store }: WriterOf): string => store ?? `${own}-${writer}`;

/** By session, the chains of others, with their rows. */
export type Others = ReadonlyMap<string, readonly (readonly [id: number, beside: Beside])[]>;

/** Sessions that a batch begins a chain in, as far as this process knows, or signs a checkpoint of. */
export function sessionsToName(batch: Batch, isKnown: (session: string) => boolean): Set<string> {
  const found = new Set<string>();
  const add = (session: string) => isKnown(session) || found.add(session);
  for (const { session, note } of batch.notes ?? [])
    if (note.kind === 'checkpoint') found.add(session);
    else add(session);
  for (const { exchange } of batch.begun ?? []) add(exchange.call.session);
  for (const { exchange } of batch.records) add(exchange.call.session);
  return found;
}

export async function readOthers(
  query: (text: string, values: readonly unknown[]) => Promise<Row[]>,
  sessions: ReadonlySet<string>,
  own: number,
  nameOf: (chain: WriterOf) => string,
): Promise<Others> {
  const others = new Map<string, [number, Beside][]>();
  const rows = (await query(
    'SELECT session, id, writer, store, last, head FROM chains WHERE session = ANY ($1::text[]) AND writer <> $2::int8 ORDER BY first_turn, id',
    [arrayOf('text', [...sessions]), own],
  )) as unknown as [
    session: string,
    id: number,
    writer: number,
    store: string | null,
    last: number,
    head: string,
  ][];
  for (const [session, id, writer, store, last, head] of rows) {
    const list = others.get(session) ?? [];
    others.set(session, list);
    list.push([id, [nameOf({ writer, store }), last, head]]);
  }
  return others;
}
