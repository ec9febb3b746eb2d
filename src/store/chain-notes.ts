/** The notes about a chain itself: its beginning, what was removed, what others did to it. */
import type { NoteKind } from '../exchange/index.js';

/** `checkpoint` and `timestamp` are of the recorder's key and of a time stamping authority (src/evidence/). */
export const CHAIN_NOTES = ['created', 'removed', 'disturbed', 'checkpoint', 'timestamp'] as const;
export type ChainNoteKind = (typeof CHAIN_NOTES)[number];

/** Notes that go with the exchanges around them: later notes say the same, or it is of no use any more. */
export const PASSING_NOTES: readonly ChainNoteKind[] = ['removed', 'checkpoint', 'timestamp'];

export interface ChainNote {
  /** Id of its chain, see `ChainHead`. */
  readonly store: string;
  /** Its place in the chain. */
  readonly seq: number;
  /** Epoch ms. */
  readonly at: number;
  readonly kind: ChainNoteKind | NoteKind;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** The first entry of a session. */
export interface Created {
  /** Name of the session. */
  readonly session: string;
  /** Id of the store. */
  readonly store: string;
  /** Epoch ms. */
  readonly startedAt: number;
  /** `file`: it was imported. */
  readonly origin: 'gateway' | 'file';
  /** An earlier version began the session: the first kept entry, the link before it, the last time. */
  readonly earlier?: { readonly first: number; readonly previous: string; readonly lastAt: number };
}

/**
 * How far another chain of the session had come: the id of its store, its entries, and the link of the last one. A chain
 * says so of all others, as `beside`, when it begins, and with each checkpoint of those that have gone on since, so that
 * none can be taken out unnoticed.
 */
export type Beside = readonly [store: string, entries: number, link: string];

/**
 * The first and the last place of a run of entries that are gone, and the link of the last; and that of the note in front
 * of the run, which nothing else holds once the entries behind it are gone. Earlier versions did not write that one.
 */
export type Gap = readonly [from: number, to: number, link: string, before?: string];

/** The setting that a removal follows from, in its own unit, and for `keepSize` how large the store was, in bytes. */
export type Retained = { readonly keepDays: number } | { readonly keepSize: number; readonly size: number };

/** All removals from a session so far. The newest such note counts. */
export interface Removed {
  readonly exchanges: number;
  /** Ids of the first and the last exchange of them. */
  readonly from: string;
  readonly to: string;
  /** All entries up to here are gone, but notes on settings. */
  readonly through: number;
  readonly gaps: readonly Gap[];
  /** Entries that were gone already, and nobody knows why. */
  readonly lost: number;
  /** The latest time of any entry at the time of the removal, epoch ms. */
  readonly lastAt: number;
  /** The cause of the newest removal; earlier versions did not write it. */
  readonly by?: Retained;
}

type Plain = Readonly<Record<string, unknown>>;

const isNumber = (value: unknown): value is number => Number.isSafeInteger(value);

/** null where it is none. */
export function readCreated(settings: Plain): Created | null {
  const { session, store, startedAt, origin, earlier } = settings as Partial<Created>;
  const isOne = typeof session === 'string' && typeof store === 'string' && isNumber(startedAt);
  if (!isOne || (origin !== 'gateway' && origin !== 'file')) return null;
  if (earlier === undefined) return { session, store, startedAt, origin };
  const { first, previous, lastAt } = { ...earlier };
  if (!isNumber(first) || typeof previous !== 'string' || !isNumber(lastAt)) return null;
  return { session, store, startedAt, origin, earlier };
}

/** None where a note names none. */
export function readBeside({ beside }: Plain): readonly Beside[] {
  if (!Array.isArray(beside)) return [];
  return beside.filter((one): one is Beside => Array.isArray(one) && isNumber(one[1]));
}

/** null where it is none. */
export function readRemoved(settings: Plain): Removed | null {
  const { exchanges, from, to, through, gaps, lost, lastAt, by } = settings as Partial<Removed>;
  const numbers = isNumber(exchanges) && isNumber(through) && isNumber(lost) && isNumber(lastAt);
  if (!numbers || typeof from !== 'string' || typeof to !== 'string' || !isGaps(gaps)) return null;
  return { exchanges, from, to, through, gaps, lost, lastAt, ...(by === undefined ? {} : { by }) };
}

const isGaps = (gaps: unknown): gaps is Removed['gaps'] =>
  Array.isArray(gaps) && gaps.every((gap) => Array.isArray(gap) && typeof gap[2] === 'string');

/** Sums up all chains of a session; null if nothing was removed. */
export function removedOf(
  chains: readonly { readonly removed: Removed | null }[],
): Pick<Removed, 'exchanges' | 'from' | 'to'> | null {
  const all = chains.flatMap(({ removed }) => (removed === null || removed.exchanges === 0 ? [] : removed));
  if (all.length === 0) return null;
  const exchanges = all.reduce((sum, one) => sum + one.exchanges, 0);
  const firsts = all.map(({ from }) => from).sort();
  const lasts = all.map(({ to }) => to).sort();
  return { exchanges, from: firsts[0] ?? '', to: lasts.at(-1) ?? '' };
}
