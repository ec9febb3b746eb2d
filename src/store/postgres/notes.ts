/** Reads notes of chains; one that was tampered with must not make the others unreadable. */
import { CHAIN_NOTES, type ChainNote, type Removed, readCreated, readRemoved } from '../chain-notes.js';
import type { FoundCreated } from '../chain-rows.js';
import { readSettings, readTime } from '../tampered.js';
import { arrayOf } from './arrays.js';
import type { Connection } from './client.js';

type Query = Connection['query'];

/** In the order of recording; `chains` by their rows, with what they call their store. */
export async function readChainNotes(
  query: Query,
  chains: ReadonlyMap<number, string>,
  kinds: readonly ChainNote['kind'][] = CHAIN_NOTES,
): Promise<ChainNote[]> {
  const rows = await query(
    'SELECT chain, seq, at, kind, settings FROM notes WHERE chain = ANY ($1::int8[]) AND kind = ANY ($2::text[]) ORDER BY turn, chain',
    [arrayOf('int8', [...chains.keys()]), arrayOf('text', kinds)],
  );
  return rows.map(([chain, seq, at, kind, settings]) => ({
    store: chains.get(chain as number) ?? '',
    seq: seq as number,
    at: readTime(at),
    kind: kind as ChainNote['kind'],
    settings: readSettings(settings),
  }));
}

export async function readCreatedOf(query: Query, chain: number): Promise<FoundCreated | null> {
  const [row] = await query(
    "SELECT seq, settings FROM notes WHERE chain = $1::int8 AND kind = 'created' ORDER BY turn LIMIT 1",
    [chain],
  );
  const created = row === undefined ? null : readCreated(readSettings(row[1]));
  return row === undefined || created === null ? null : { seq: row[0] as number, created };
}

/** The newest one. */
export async function readRemovedOf(query: Query, chain: number): Promise<Removed | null> {
  const [row] = await query(
    "SELECT settings FROM notes WHERE chain = $1::int8 AND kind = 'removed' ORDER BY turn DESC LIMIT 1",
    [chain],
  );
  return row === undefined ? null : readRemoved(readSettings(row[0]));
}
