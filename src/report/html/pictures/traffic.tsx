/** The pictures of the traffic: answer times, the gateway’s share beside the bank’s, and calls over time. */
import type { Report } from '../../model.js';
import { Picture } from '../parts.js';
import { counted, grouped, lasting, stamp } from '../text.js';

type Bin = Report['traffic']['latency']['histogram'][number];

const WIDTH = 780;
const PLOT = 150;
const TOP = 24;
const HEIGHT = TOP + PLOT + 26;
const FEWEST = 6;

export function Histogram({ bins: all }: { bins: readonly Bin[] }) {
  const bins = shownOf(all);
  const most = Math.max(1, ...bins.flatMap(({ gateway, bank }) => [gateway, bank]));
  const width = WIDTH / Math.max(1, bins.length);
  return (
    <Picture
      id="latency"
      title="Distribution of latency"
      description={`${bins.map((bin) => `${rangeOf(bin)}: gateway ${bin.gateway}, bank ${bin.bank}`).join('; ')}.`}
      width={WIDTH}
      height={HEIGHT}
    >
      {bins.map((bin, i) => (
        <BinBars key={bin.from} bin={bin} x={i * width} width={width} most={most} />
      ))}
      <line class="base" x1={0} x2={WIDTH} y1={TOP + PLOT} y2={TOP + PLOT} />
    </Picture>
  );
}

function BinBars({ bin, x, width, most }: { bin: Bin; x: number; width: number; most: number }) {
  const bar = Math.min(28, width / 2 - 6);
  const middle = x + width / 2;
  return (
    <g>
      <Bar x={middle - bar - 1} width={bar} value={bin.gateway} most={most} tone="gateway" />
      <Bar x={middle + 1} width={bar} value={bin.bank} most={most} tone="bank" />
      <text class="axis middle" x={middle} y={TOP + PLOT + 18}>
        {rangeOf(bin)}
      </text>
    </g>
  );
}

function Bar(parts: { x: number; width: number; value: number; most: number; tone: string }) {
  const { x, width, value, most, tone } = parts;
  if (value === 0) return null;
  const height = Math.max(2, (value / most) * PLOT);
  return (
    <>
      <rect class={`bar ${tone}`} x={x} y={TOP + PLOT - height} width={width} height={height} />
      <text class="axis middle" x={x + width / 2} y={TOP + PLOT - height - 5}>
        {grouped(value)}
      </text>
    </>
  );
}

/** `5–10 ms`; from half a second on, in seconds. */
function rangeOf({ from, to }: Bin): string {
  const inSeconds = from >= 500;
  const [low, high] = inSeconds ? [from / 1000, to === null ? null : to / 1000] : [from, to];
  const range = high === null ? `${low}+` : low === 0 ? `< ${high}` : `${low}–${high}`;
  return `${range} ${inSeconds ? 's' : 'ms'}`;
}

function shownOf(bins: readonly Bin[]): readonly Bin[] {
  const last = bins.findLastIndex(({ gateway, bank }) => gateway + bank > 0);
  return bins.slice(0, Math.max(last + 1, FEWEST));
}

type OverTime = Report['traffic']['overTime'];

const SPANS_HEIGHT = 80;
const SPANS_TOP = 16;

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
      height={SPANS_TOP + SPANS_HEIGHT + 24}
    >
      {spans.map(({ at, calls, errors }, i) => (
        <SpanBar key={at} x={i * width} width={width} calls={calls} errors={errors} most={most} />
      ))}
      <line class="base" x1={0} x2={WIDTH} y1={SPANS_TOP + SPANS_HEIGHT} y2={SPANS_TOP + SPANS_HEIGHT} />
      <text class="axis" x={0} y={11}>
        {grouped(most)}
      </text>
      <text class="axis" x={0} y={SPANS_TOP + SPANS_HEIGHT + 18}>
        {first === undefined ? '' : stamp(first.at)}
      </text>
      <text class="axis end" x={WIDTH} y={SPANS_TOP + SPANS_HEIGHT + 18}>
        {last === undefined || last === first ? '' : stamp(last.at)}
      </text>
    </Picture>
  );
}

function SpanBar(parts: { x: number; width: number; calls: number; errors: number; most: number }) {
  const { x, width, calls, errors, most } = parts;
  if (calls === 0) return null;
  const bar = Math.min(width - Math.min(2, width / 4), 48);
  const height = (n: number) => Math.max(1.5, (n / most) * SPANS_HEIGHT);
  return (
    <>
      <rect
        class="bar bank"
        x={x}
        y={SPANS_TOP + SPANS_HEIGHT - height(calls)}
        width={bar}
        height={height(calls)}
      />
      {errors === 0 ? null : (
        <rect
          class="bar errors"
          x={x}
          y={SPANS_TOP + SPANS_HEIGHT - height(errors)}
          width={bar}
          height={height(errors)}
        />
      )}
    </>
  );
}
