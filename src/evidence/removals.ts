/** Holds removals that chains note against the retention that was configured, and noted, at their time. */
import { timeOfId } from '../exchange/index.js';
import { DAY_MS } from '../spec/index.js';
import { type ChainBreak, type ChainNote, type Removed, readRemoved, type Store } from '../store/index.js';

/** Retention by size spares what was recorded so lately. */
export const SPARED_MS = 600_000;
/** The clock of a machine may be set back while exchanges are removed. */
const SLACK_MS = 300_000;

type Retention = { readonly keepDays?: number; readonly keepSize: number };

/**
 * Removals that no gateway of the session was set up for. Of its settings only those count that `covers` says yes to; where
 * an earlier version recorded, its retention is not known, and nothing is said of its removals.
 */
export async function removalsAmiss(
  store: Pick<Store, 'chains'>,
  session: string,
  covers: (note: ChainNote) => boolean,
): Promise<ChainBreak[]> {
  const removals = await store.chains.notes(session, 'removed');
  if (removals.length === 0) return [];
  const starts = (await store.chains.notes(session, 'started')).filter(covers);
  return removals.flatMap((note): ChainBreak[] => {
    const removed = readRemoved(note.settings);
    const inForce = startsBefore(note, starts).map(({ settings }) => retentionIn(settings));
    const isKnown = inForce.length > 0 && !inForce.includes(null);
    if (removed === null || !isKnown || inForce.some((one) => one && allows(one, removed, note.at)))
      return [];
    const { seq } = note;
    return [{ kind: 'removed', seq, exchange: null, note: 'removed', missing: removed.exchanges }];
  });
}

/** The newest start of each chain: in the note’s own chain by place, in others by the machine’s time. */
function startsBefore(note: ChainNote, starts: readonly ChainNote[]): ChainNote[] {
  const before = starts.filter(({ store, seq, at }) =>
    store === note.store ? seq < note.seq : at <= note.at,
  );
  return [...new Map(before.map((one) => [one.store, one])).values()];
}

function retentionIn({ retention }: ChainNote['settings']): Retention | null {
  const { keepDays, keepSize } = (retention ?? {}) as Partial<Retention>;
  if (typeof keepSize !== 'number') return null;
  return typeof keepDays === 'number' ? { keepDays, keepSize } : { keepSize };
}

function allows({ keepDays, keepSize }: Retention, { to, by }: Removed, at: number): boolean {
  if (by === undefined) return false;
  const age = at + SLACK_MS - (timeOfId(to) ?? 0);
  if ('keepDays' in by) return by.keepDays === keepDays && age > by.keepDays * DAY_MS;
  return by.keepSize === keepSize && by.size > keepSize && age > SPARED_MS;
}
