/** How far a gateway knows a world that others move on as well. */
import type { Reads } from '../bank/index.js';
import type { Standing } from '../store/index.js';

export interface Known {
  standing: Omit<Standing, 'versions'>;
  readonly versions: Map<string, number>;
  /** What the store said when it was last asked. */
  stamp: unknown;
  /** Counts how often others were caught up with. */
  turn: number;
  /** By partition, what the count was when it moved on. */
  readonly movedAt: Map<string, number>;
  /** The same of the world as a whole. */
  anewAt: number;
  readonly reads: Reads;
}

export const knownOf = ({ versions, ...standing }: Standing, stamp: unknown, reads: Reads): Known => ({
  standing,
  stamp,
  reads,
  turn: 0,
  anewAt: 0,
  versions: new Map(versions),
  movedAt: new Map(),
});

/** Whether others moved on, since a turn, what somebody looked at. */
export function hasMoved({ anewAt, movedAt }: Known, looked: Iterable<string>, since: number): boolean {
  if (anewAt > since) return true;
  for (const partition of looked) if ((movedAt.get(partition) ?? 0) > since) return true;
  return false;
}
