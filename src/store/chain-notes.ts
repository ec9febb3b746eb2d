/** The notes about a chain itself: its beginning, what was removed, what others did to it. */
import type { NoteKind } from '../exchange/index.js';
import { counted, dateAt } from '../spec/index.js';

/** `checkpoint` and `timestamp` are of the recorder's key and of a time stamping authority (src/evidence/). */
export const CHAIN_NOTES = ['created', 'removed', 'disturbed', 'erased', 'checkpoint', 'timestamp'] as const;
export type ChainNoteKind = (typeof CHAIN_NOTES)[number];

/** Notes that go with the exchanges around them: later notes say the same, or it is of no use any more. */
export const PASSING_NOTES: readonly ChainNoteKind[] = ['removed', 'checkpoint', 'timestamp'];

/** Kinds with texts of people: no other note can be erased. */
export const ERASABLE_NOTES: ReadonlySet<unknown> = new Set<NoteKind>(['bank', 'mark', 'shadow']);

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
}

/**
 * How far another chain of the session had come: the id of its store, its entries, and the link of the last one. A chain
 * says so of all others, as `beside`, when it begins, and with each checkpoint of those that have gone on since, so that
 * none can be taken out unnoticed.
 */
export type Beside = readonly [store: string, entries: number, link: string];

/**
 * The first and the last place of a run of entries that are gone, and the link of the last; and that of the note in front
 * of the run, which nothing else holds once the entries behind it are gone.
 */
export type Gap = readonly [from: number, to: number, link: string, before: string];

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
  /** The cause of the newest removal, where it follows from a setting. */
  readonly by?: Retained;
}

/** Entries of one chain whose content was erased. Of whom, nothing says. */
export interface Erased {
  /** Id of the chain's store, see `ChainHead`. */
  readonly of: string;
  readonly exchanges: number;
  /** A digest of what is left of each, by its place: `erasedDigest`. */
  readonly entries: readonly (readonly [seq: number, digest: string])[];
  /** Keys that were destroyed: what they enciphered stays, and nobody can read it. */
  readonly keys?: readonly string[];
}

/** An entry in the words of the note that erased it, which is at a place of a chain. */
export interface ErasedEntry {
  readonly digest: string;
  readonly store: string;
  readonly seq: number;
}

/** By the places of a chain. */
export type ErasedEntries = ReadonlyMap<number, ErasedEntry>;

type Plain = Readonly<Record<string, unknown>>;

const isNumber = (value: unknown): value is number => Number.isSafeInteger(value);

/** null where it is none. */
export function readCreated(settings: Plain): Created | null {
  const { session, store, startedAt, origin } = settings as Partial<Created>;
  const isOne = typeof session === 'string' && typeof store === 'string' && isNumber(startedAt);
  if (!isOne || (origin !== 'gateway' && origin !== 'file')) return null;
  return { session, store, startedAt, origin };
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

/** null where it is none. */
export function readErased(settings: Plain): Erased | null {
  const { of, exchanges, entries, keys = [] }: Plain = settings;
  if (typeof of !== 'string' || !isNumber(exchanges) || !Array.isArray(entries) || !Array.isArray(keys))
    return null;
  return { of, exchanges, entries: entries.filter(isErasedEntry), keys: keys.map(String) };
}

const isErasedEntry = (one: unknown): one is Erased['entries'][number] =>
  Array.isArray(one) && isNumber(one[0]) && typeof one[1] === 'string';

const isGaps = (gaps: unknown): gaps is Removed['gaps'] =>
  Array.isArray(gaps) && gaps.every((gap) => Array.isArray(gap) && typeof gap[2] === 'string');

/** In sentences: how many exchanges lost their content on which days; empty where none did. */
export function erasedText(notes: readonly Pick<ChainNote, 'at' | 'kind' | 'settings'>[]): string {
  const days = new Map<string, number>();
  for (const { at, kind, settings } of notes) {
    const erased = kind === 'erased' ? readErased(settings) : null;
    if (erased !== null) days.set(dateAt(at), (days.get(dateAt(at)) ?? 0) + erased.exchanges);
  }
  const said = [...days].sort().map(([day, exchanges]) => `of ${counted(exchanges, 'exchange')} on ${day}`);
  return said.length === 0 ? '' : `Content was erased: ${said.join(', ')}.`;
}

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
