/** The layout of a journey's steps along its line. */
import type { Journey, Step } from '../../model.js';
import { grouped, lasting } from '../text.js';

/** Equal steps in a row, none with a finding, are drawn as one. */
export interface Segment {
  readonly first: Step;
  readonly count: number;
  /** Epoch ms of the first and of the last one. */
  readonly from: number;
  readonly to: number;
}

export interface Placed extends Segment {
  readonly x: number;
  readonly label: Label | null;
  /** Time since the segment before, written between the two where there is room. */
  readonly pause: { readonly text: string; readonly x: number } | null;
}

/** `x`: of its beginning, middle or end. */
export interface Label {
  readonly text: string;
  readonly x: number;
  readonly anchor: 'start' | 'middle' | 'end';
  readonly row: number;
}

export const JOURNEY_WIDTH = 780;
const PAD = 44;
/** Of the widest fonts that systems have for it. */
const LETTER = 7;
const LABEL_ROWS = 2;
const PAUSE_ROOM = 46;

function segmentsOf(steps: readonly Step[]): readonly Segment[] {
  const segments: Segment[] = [];
  for (const step of steps) {
    const at = Date.parse(step.at);
    const last = segments.at(-1);
    if (last !== undefined && isSame(last.first, step)) {
      segments[segments.length - 1] = { ...last, count: last.count + 1, to: at };
    } else segments.push({ first: step, count: 1, from: at, to: at });
  }
  return segments;
}

const isSame = (a: Step, b: Step) =>
  a.stage === b.stage &&
  a.label === b.label &&
  a.status === b.status &&
  a.attended === b.attended &&
  a.findings.length + b.findings.length === 0;

/** The distance of two steps grows with the logarithm of the time between them: milliseconds and months fit one journey. */
export function layOutJourney({ steps }: Pick<Journey, 'steps'>): readonly Placed[] {
  const segments = segmentsOf(steps);
  const gaps = segments.map(({ from }, i) => {
    const before = segments[i - 1];
    return before === undefined ? 0 : 1 + Math.log10(1 + Math.max(0, from - before.to) / 100);
  });
  const whole = gaps.reduce((sum, gap) => sum + gap, 0);
  const unit = whole === 0 ? 0 : (JOURNEY_WIDTH - 2 * PAD) / whole;
  const ends = new Array<number>(LABEL_ROWS).fill(Number.NEGATIVE_INFINITY);
  let x = PAD;
  return segments.map((segment, i) => {
    const width = (gaps[i] ?? 0) * unit;
    x += width;
    const before = segments[i - 1];
    return {
      ...segment,
      x,
      label: labelOf(segment, x, ends),
      pause: before === undefined ? null : pauseOf(segment.from - before.to, x, width),
    };
  });
}

/** In the first row that has room; none where neither has: the table of steps has them all. */
function labelOf({ first, count }: Segment, x: number, ends: number[]): Placed['label'] {
  const text = count === 1 ? first.label : `${first.label} × ${grouped(count)}`;
  const half = (text.length * LETTER) / 2;
  const middle = Math.min(Math.max(x, half), JOURNEY_WIDTH - half);
  const row = ends.findIndex((end) => middle - half > end + 8);
  if (row < 0) return null;
  ends[row] = middle + half;
  // Whatever the font, nothing is cut off at the edges.
  if (middle > x) return { text, x: 0, anchor: 'start', row };
  return middle < x ? { text, x: JOURNEY_WIDTH, anchor: 'end', row } : { text, x, anchor: 'middle', row };
}

function pauseOf(ms: number, x: number, width: number): Placed['pause'] {
  return ms < 1000 || width < PAUSE_ROOM ? null : { text: lasting(ms), x: x - width / 2 };
}
