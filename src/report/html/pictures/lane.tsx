/** Draws the journey of a consent or payment over time, with the findings at each step. */
import type { Lane, Step } from '../../model.js';
import { Picture } from '../parts.js';
import { counted, stamp } from '../text.js';
import { LANE_WIDTH, layLane, type Placed } from './lane-layout.js';

const LINE = 40;
const HEIGHT = 92;

export function LanePicture({ lane }: { lane: Lane }) {
  const placed = layLane(lane);
  const found = lane.steps.reduce((sum, { findings }) => sum + findings.length, 0);
  const first = placed[0];
  const last = placed.at(-1);
  return (
    <Picture
      id={`lane-${lane.id}`}
      title={`Steps of the ${lane.kind} over time`}
      description={`${counted(lane.steps.length, 'step')} from ${stamp(lane.from)} to ${stamp(lane.to)}; ${counted(found, 'finding')}. Reached: ${lane.reached.join(', ') || 'nothing'}. The table of steps tells them one by one.`}
      width={LANE_WIDTH}
      height={HEIGHT}
    >
      {first === undefined || last === undefined ? null : (
        <line class="lane" x1={first.x} x2={last.x} y1={LINE} y2={LINE} />
      )}
      {placed.map((one) => (
        <LaneStep key={one.first.exchange} placed={one} />
      ))}
    </Picture>
  );
}

function LaneStep({ placed }: { placed: Placed }) {
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
        <text class="axis middle" x={label.x} y={LINE + 24 + label.row * 15}>
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
