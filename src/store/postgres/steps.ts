/** Reads where the steps of a session stand among its entries, over its chains. */
import { idOfNumber, isStep, readNote } from '../../exchange/index.js';
import type { PlacedStep } from '../port.js';
import { readSettings, readTime } from '../tampered.js';
import { arrayOf } from './arrays.js';
import type { Connection } from './client.js';

const STEPS = `SELECT notes.at, notes.kind, notes.settings, ended.id,
    (SELECT json_agg(id)::text FROM beginnings
       WHERE chain = ANY ($1::int8[]) AND turn > notes.turn AND (ended.id IS NULL OR id < ended.id))
  FROM notes LEFT JOIN LATERAL (
    SELECT id FROM exchanges WHERE chain = ANY ($1::int8[]) AND (turn, chain) > (notes.turn, notes.chain)
      ORDER BY turn, chain LIMIT 1
  ) AS ended ON true
  WHERE notes.chain = ANY ($1::int8[]) AND kind IN ('bank', 'started') ORDER BY notes.turn, notes.chain`;

export async function readSteps(
  query: Connection['query'],
  chains: readonly { readonly id: number }[],
): Promise<PlacedStep[]> {
  const ids = arrayOf(
    'int8',
    chains.map(({ id }) => id),
  );
  return (await query(STEPS, [ids])).flatMap(([at, kind, settings, ended, begun]) =>
    readNote(readTime(at), kind, readSettings(settings))
      .filter(isStep)
      .map((note) => {
        const before = [...(ended === null ? [] : [Number(ended)]), ...JSON.parse(String(begun ?? '[]'))];
        return { note, before: before.map(idOfNumber) };
      }),
  );
}
