/** The result of a rehearsal: a verdict for each cell, with what led to it. */
import type { Family } from './cells/cell.js';

export const VERDICTS = [
  'handled',
  'silently-wrong',
  'crashed',
  'hung',
  'stranded',
  'hammered',
  'not-recovered',
  'not-run',
] as const;
export type Verdict = (typeof VERDICTS)[number];

/** A call between application and bank, as a journey shows it. */
export interface ShownCall {
  readonly id: string;
  readonly from: 'application' | 'psu' | 'bank';
  /** `GET /accounts`, without what is secret. */
  readonly call: string;
  /** null where none was given. */
  readonly status: number | null;
  /** The fault that was injected, in words; empty: none. */
  readonly injected: string;
}

/** The end of an action as the PSU saw it, or whoever asked. */
export interface Saw {
  readonly action: string;
  readonly end: string;
  readonly url: string;
  readonly text: string;
  /** A picture of the browser, PNG in base64. */
  readonly picture?: string;
}

/** One line of belief against books. */
export interface Difference {
  readonly of: string;
  readonly believed: string;
  readonly booked: string;
}

export interface CellResult {
  readonly id: string;
  readonly family: Family;
  readonly verdict: Verdict;
  readonly why: string;
  readonly ms: number;
  readonly calls: readonly ShownCall[];
  readonly saw: readonly Saw[];
  readonly differences: readonly Difference[];
}

export interface Rehearsal {
  readonly plan: string;
  readonly seed: number;
  /** Epoch ms. */
  readonly at: number;
  readonly ms: number;
  readonly session: string;
  readonly cells: readonly CellResult[];
}

export type Counts = Readonly<Record<Verdict, number>>;

export function countsOf(cells: readonly Pick<CellResult, 'verdict'>[]): Counts {
  const counts = Object.fromEntries(VERDICTS.map((verdict) => [verdict, 0])) as Record<Verdict, number>;
  for (const { verdict } of cells) counts[verdict] += 1;
  return counts;
}

/** Whether every cell that ran was handled, and one ran. */
export const isHandled = (cells: readonly Pick<CellResult, 'verdict'>[]): boolean =>
  cells.some(({ verdict }) => verdict === 'handled') &&
  cells.every(({ verdict }) => verdict === 'handled' || verdict === 'not-run');

/** The form that scripts read. */
export function toJson({ seed, cells }: Rehearsal): object {
  return {
    seed,
    cells: cells.map(({ id, family, verdict, why, ms, calls }) => ({
      ...{ id, family, verdict, why, ms },
      exchanges: calls.map((call) => call.id),
    })),
    counts: countsOf(cells),
  };
}
