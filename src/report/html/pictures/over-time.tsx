/** Draws calls over the time of the session, with errors at the foot of each bar. */
import type { Report } from '../../model.js';
import { Picture } from '../parts.js';
import { counted, grouped, lasting, stamp } from '../text.js';

type OverTime = Report['traffic']['overTime'];

const WIDTH = 780;
const PLOT = 80;
const TOP = 16;

export function OverTimePicture({ overTime: { spanSeconds, spans } }: { overTime: OverTime }) {
  const most = Math.max(1, ...spans.map(({ calls }) => calls));
  const width = WIDTH / Math.max(1, spans.length);
  const busiest = spans.find(({ calls }) => calls === most);
  const first = spans[0];
  const last = spans.at(-1);
  return (
    <Picture
      id="over-time"
      title="Calls over time"
      description={`${counted(spans.length, 'span')} of ${lasting(spanSeconds * 1000)}; at most ${counted(most, 'call')} in one${busiest === undefined ? '' : `, from ${stamp(busiest.at)} on`}; ${counted(
        spans.reduce((sum, { errors }) => sum + errors, 0),
        'error',
      )} in all.`}
      width={WIDTH}
      height={TOP + PLOT + 24}
    >
      {spans.map(({ at, calls, errors }, i) => (
        <SpanBar key={at} x={i * width} width={width} calls={calls} errors={errors} most={most} />
      ))}
      <line class="base" x1={0} x2={WIDTH} y1={TOP + PLOT} y2={TOP + PLOT} />
      <text class="axis" x={0} y={11}>
        {grouped(most)}
      </text>
      <text class="axis" x={0} y={TOP + PLOT + 18}>
        {first === undefined ? '' : stamp(first.at)}
      </text>
      <text class="axis end" x={WIDTH} y={TOP + PLOT + 18}>
        {last === undefined || last === first ? '' : stamp(last.at)}
      </text>
    </Picture>
  );
}

function SpanBar(parts: { x: number; width: number; calls: number; errors: number; most: number }) {
  const { x, width, calls, errors, most } = parts;
  if (calls === 0) return null;
  const bar = Math.min(width - Math.min(2, width / 4), 48);
  const height = (n: number) => Math.max(1.5, (n / most) * PLOT);
  return (
    <>
      <rect class="bar bank" x={x} y={TOP + PLOT - height(calls)} width={bar} height={height(calls)} />
      {errors === 0 ? null : (
        <rect class="bar errors" x={x} y={TOP + PLOT - height(errors)} width={bar} height={height(errors)} />
      )}
    </>
  );
}
