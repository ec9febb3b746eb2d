/** Draws the journey of a consent or payment over time, with the findings at each step. */
import type { Journey, Step } from '../../model.js';
import { Picture } from '../parts.js';
import { counted, grouped, lasting, stamp } from '../text.js';

const LINE = 40;
const HEIGHT = 92;

export function JourneyPicture({ journey }: { journey: Journey }) {
  const placed = layOutJourney(journey);
  const found = journey.steps.reduce((sum, { findings }) => sum + findings.length, 0);
  const first = placed[0];
  const last = placed.at(-1);
  return (
    <Picture
      id={`journey-picture-${journey.id}`}
      title={`Steps of the ${journey.kind} over time`}
      description={`${counted(journey.steps.length, 'step')} from ${stamp(journey.from)} to ${stamp(journey.to)}; ${counted(found, 'finding')}. Reached: ${journey.reached.join(', ') || 'nothing'}. The table of steps tells them one by one.`}
      width={JOURNEY_WIDTH}
      height={HEIGHT}
    >
      {first === undefined || last === undefined ? null : (
        <line class="lane" x1={first.x} x2={last.x} y1={LINE} y2={LINE} />
      )}
      {placed.map((one) => (
        <JourneyStep key={one.first.exchange} placed={one} />
      ))}
    </Picture>
  );
}

function JourneyStep({ placed }: { placed: Placed }) {
  const { first, x, label, pause } = placed;
  const flag = flagOf(first);
  return (
    <g class={first.ok ? undefined : 'failed'}>
      {pause === null ? null : (
        <text class="axis middle" x={pause.x} y={LINE - 6}>
          {pause.text}
        </text>
      )}
      <g transform={`translate(${x.toFixed(1)} ${LINE})`}>
        <StageMark stage={first.stage} attended={first.attended} />
        {first.ok ? null : <path class="strike" d="M-7 7 7-7" />}
      </g>
      {flag === null ? null : (
        <text class={`flag middle ${flag.tone}`} x={x} y={LINE - 14}>
          {flag.text}
        </text>
      )}
      {label === null ? null : (
        <text class={`axis ${label.anchor}`} x={label.x} y={LINE + 24 + label.row * 15}>
          {label.text}
        </text>
      )}
    </g>
  );
}

export function StageMark({ stage, attended = null }: { stage: Step['stage']; attended?: boolean | null }) {
  switch (stage) {
    case 'created':
      return <circle class="mark open" r={7} />;
    case 'authorised':
      return <path class="mark" d="M0-8 8 0 0 8-8 0Z" />;
    case 'token':
      return <rect class="mark" x={-6} y={-6} width={12} height={12} rx={2} />;
    case 'access':
      return <circle class={attended === true ? 'mark' : 'mark open'} r={4.5} />;
    case 'status':
      return <path class="tick" d="M0-6V6" />;
    case 'revoked':
      return <path class="tick" d="M-6-6 6 6M6-6-6 6" />;
    case 'notified':
      return <path class="mark" d="M0-7 7 6H-7Z" />;
  }
}

const GRAVITY = ['must', 'should', 'note'] as const;
const MARKS = { must: '■', should: '◆', note: '○', waived: '◌' } as const;

/** The gravest finding of the step decides; waived ones come last. */
function flagOf({ findings }: Step): { text: string; tone: keyof typeof MARKS } | null {
  if (findings.length === 0) return null;
  const tone =
    GRAVITY.find((one) => findings.some(({ severity, waived }) => severity === one && !waived)) ?? 'waived';
  return { text: `${MARKS[tone]} ${findings.length > 1 ? findings.length : ''}`.trimEnd(), tone };
}

/** Equal steps in a row, none with a finding, are drawn as one. */
interface Segment {
  readonly first: Step;
  readonly count: number;
  readonly from: number;
  readonly to: number;
}

type Placed = ReturnType<typeof layOutJourney>[number];

const JOURNEY_WIDTH = 780;
const PAD = 44;
/** In px, of the widest fonts that systems have for it. */
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
function layOutJourney({ steps }: Pick<Journey, 'steps'>) {
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

/** The label stands in the first row with room, or nowhere: the table of steps has them all. */
function labelOf({ first, count }: Segment, x: number, ends: number[]) {
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

/** Time since the segment before, written between the two where there is room. */
function pauseOf(ms: number, x: number, width: number) {
  return ms < 1000 || width < PAUSE_ROOM ? null : { text: lasting(ms), x: x - width / 2 };
}
