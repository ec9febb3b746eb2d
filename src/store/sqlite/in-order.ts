/** The order of recording over the chains of a session: those that were copied by their turns, then that of this store. */
import type { Database } from './driver.js';
import { behind, type ChainRow, type ExchangeRow, type Place } from './rows.js';

/** What this store records itself comes after all that was copied into it. */
export const turnOf = (turn: number | null): number => turn ?? Number.POSITIVE_INFINITY;

/** The rows of several chains, each of them in order, as one sequence. */
export function* inOrder(
  chains: readonly Iterator<ExchangeRow>[],
  isBack: boolean,
): IterableIterator<ExchangeRow> {
  const heads = chains.map((rows) => rows.next());
  for (;;) {
    let first = -1;
    for (const [i, head] of heads.entries()) {
      if (head.done === true) continue;
      const [a, b] = [turnOf(head.value[3]), turnOf(heads[first]?.value[3] ?? null)];
      if (first < 0 || (isBack ? a >= b : a < b)) first = i;
    }
    if (first < 0) return;
    yield heads[first]?.value as ExchangeRow;
    heads[first] = (chains[first] as Iterator<ExchangeRow>).next();
  }
}

/** An exchange from which reading goes on. */
export interface Found {
  readonly session: number;
  readonly seq: number;
  readonly id: number;
  readonly turn: number | null;
}

const FIRST: Place = [0, 0];
const LAST: Place = behind(Number.MAX_SAFE_INTEGER);

/** Where reading begins in each chain; from an exchange, or else from the first or the last one. */
export function createStarts(db: Database) {
  const before = db
    .prepare('SELECT seq, id FROM exchanges WHERE session = ? AND turn < ? ORDER BY turn DESC LIMIT 1')
    .raw();
  const from = db
    .prepare('SELECT seq, id FROM exchanges WHERE session = ? AND turn >= ? ORDER BY turn LIMIT 1')
    .raw();
  return (chains: readonly ChainRow[], found: Found | null, isBack: boolean): Place[] => {
    if (found === null) return chains.map(() => (isBack ? LAST : FIRST));
    const own = chains.findIndex(({ id }) => id === found.session);
    return chains.map(({ id, store }, i): Place => {
      if (i === own) return [found.seq, found.id];
      if (store === null) return FIRST;
      if (found.turn === null) return LAST;
      // Of two at one turn, that of the earlier chain comes first.
      const edge = i < own ? found.turn + 1 : found.turn;
      return ((isBack ? from : before).get(id, edge) as Place | undefined) ?? (isBack ? LAST : FIRST);
    });
  };
}
