/** Draws the journey of a consent or payment over time, with the findings at each step. */
import type { Journey, Step } from '../../model.js';
import { Picture } from '../parts.js';
import { counted, stamp } from '../text.js';
import { JOURNEY_WIDTH, layOutJourney, type Placed } from './journey-layout.js';

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

/** Each stage by its shape. */
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
