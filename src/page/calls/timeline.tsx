/** The session as a strip of time: calls with their findings, the bank's times, and what was done. A range of it filters all. */
import type { TargetedPointerEvent } from 'preact';
import { useState } from 'preact/hooks';
import type { ShownTimeline } from '../../admin/index.js';
import { counted, grouped, millis, minute, span, timeOfDay } from '../format.js';
import { range, select, timeline } from '../state/timeline.js';

const HEIGHT = 40;
/** A short session does not fill the strip. */
const FEWEST = 60;
/** The gateway makes no more slots; marks that came much later stand at the end. */
const MOST = 300;

type Slot = ShownTimeline['slots'][number];
/** The first and the last slot, counted from the oldest. */
type Span = readonly [from: number, to: number];

interface Strip {
  readonly first: number;
  readonly width: number;
  readonly count: number;
  readonly placed: readonly (Slot & { readonly x: number })[];
}

function stripOf({ width, slots, marks }: ShownTimeline): Strip | null {
  const first = Date.parse(slots[0]?.at ?? '');
  if (Number.isNaN(first)) return null;
  const placed = slots.map((slot) => ({ ...slot, x: (Date.parse(slot.at) - first) / width }));
  const lastMark = (Date.parse(marks.at(-1)?.at ?? '') - first) / width || 0;
  // What stands last has room beside it.
  const end = Math.ceil(Math.max(placed.at(-1)?.x ?? 0, Math.min(lastMark, MOST))) + 2;
  return { first, width, count: Math.max(FEWEST, end), placed };
}

const iso = (at: number): string => new Date(at).toISOString();
const rangeOf = ({ first, width }: Strip, [from, to]: Span) => ({
  from: iso(first + Math.min(from, to) * width),
  to: iso(first + (Math.max(from, to) + 1) * width),
});

/** With the day where it is not the same. */
function period(from: string, to: string): string {
  const isOfDay = from.slice(0, 10) === iso(Date.parse(to) - 1).slice(0, 10);
  const short = (time: string) => (isOfDay ? timeOfDay(time).slice(0, 8) : minute(time));
  return `${short(from)} to ${short(to)}`;
}

function words(shown: ShownTimeline, from: string, to: string): string {
  const within = ({ at }: { at: string }) => at >= from && at < to;
  const slots = shown.slots.filter(within);
  const sum = (of: 'calls' | 'must' | 'should') => slots.reduce((all, one) => all + one[of], 0);
  const said = [
    counted(sum('calls'), 'call'),
    `${grouped(sum('must'))} must`,
    `${grouped(sum('should'))} should`,
  ];
  const marks = shown.marks.filter(within).map(({ text }) => text);
  return `${period(from, to)}: ${[...said, ...marks.slice(-3)].join(', ')}`;
}

export function Timeline() {
  const shown = timeline.value;
  const strip = shown === null ? null : stripOf(shown);
  if (shown === null || strip === null) return null;
  const all = rangeOf(strip, [0, strip.placed.at(-1)?.x ?? 0]);
  const most = Math.max(...shown.slots.map(({ calls }) => calls));
  const slowest = Math.max(0, ...shown.slots.map(({ bank }) => bank?.ms ?? 0));
  return (
    <section class="timeline" aria-label="Time">
      <p class="soft num">
        <span class="scale">
          {period(all.from, all.to)}
          <br />
          up to {counted(most, 'call')} in {span(strip.width).replace('.0', '')}
          {slowest === 0 ? null : (
            <>
              , <span class="bank">bank up to {millis(slowest)}</span>
            </>
          )}
        </span>
        <Chosen shown={shown} />
      </p>
      <Drawn {...{ shown, strip, most, slowest }} />
    </section>
  );
}

function Chosen({ shown }: { shown: ShownTimeline }) {
  if (range.value === null) return null;
  const { from, to } = range.value;
  return (
    <button type="button" class="chip" title="Show the whole session again" onClick={() => select(null)}>
      <span>{words(shown, from, to)}</span> <b aria-hidden="true">×</b>
      <span class="hidden">, show all</span>
    </button>
  );
}

interface Scale {
  readonly shown: ShownTimeline;
  readonly strip: Strip;
  readonly most: number;
  readonly slowest: number;
}

/** Times, since slots move as a session grows. */
interface Held {
  readonly from: number;
  readonly to: number;
  readonly isDrag: boolean;
}

function Drawn(scale: Scale) {
  const { shown, strip } = scale;
  const { first, width, count, placed } = strip;
  const [held, hold] = useState<Held | null>(null);
  const slotAt = (time: number): number => Math.floor((time - first) / width);
  const newest = placed.at(-1)?.x ?? 0;
  const last = held === null ? newest : slotAt(held.to);
  const [cursor, within] = [rangeOf(strip, [last, last]), range.value];
  const chosen: Span | null =
    held?.isDrag === true
      ? [slotAt(held.from), last]
      : within && [slotAt(Date.parse(within.from)), slotAt(Date.parse(within.to) - 1)];
  const slotUnder = ({ clientX, currentTarget }: TargetedPointerEvent<HTMLElement>): number => {
    const { left, width: wide } = currentTarget.getBoundingClientRect();
    return Math.max(0, Math.min(count - 1, Math.floor(((clientX - left) / wide) * count)));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key, shiftKey } = event;
    const to = { ArrowLeft: last - 1, ArrowRight: last + 1, Home: 0, End: newest, Enter: last }[key];
    if (key === 'Escape' && within !== null) select(null);
    else if (to === undefined) return;
    else {
      const slot = Math.max(0, Math.min(newest, to));
      const from = shiftKey ? (held?.from ?? first + last * width) : first + slot * width;
      hold({ from, to: first + slot * width, isDrag: false });
      if (shiftKey || key === 'Enter') select(rangeOf(strip, [slotAt(from), slot]));
    }
    event.preventDefault();
  };
  const { from, to } = within ?? cursor;
  const said = words(shown, from, to);
  return (
    <div
      class="drawn"
      role="slider"
      tabIndex={0}
      aria-label="Range of time: arrows move, with Shift they select"
      aria-valuemin={0}
      aria-valuemax={newest}
      aria-valuenow={Math.min(last, newest)}
      aria-valuetext={said}
      onKeyDown={onKeyDown}
      onBlur={() => hold(null)}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        const from = first + slotUnder(event) * width;
        hold({ from, to: from, isDrag: true });
      }}
      onPointerMove={(event) => {
        if (held?.isDrag === true) hold({ ...held, to: first + slotUnder(event) * width });
      }}
      onPointerUp={(event) => {
        if (held?.isDrag !== true) return;
        const slot = slotUnder(event);
        hold({ ...held, to: first + slot * width, isDrag: false });
        select(rangeOf(strip, [slotAt(held.from), slot]));
      }}
      onPointerCancel={() => hold(null)}
    >
      <Picture {...scale} chosen={chosen} cursor={held === null || held.isDrag ? null : last} />
      <span class="hidden" aria-live="polite">
        {held === null ? '' : said}
      </span>
    </div>
  );
}

function Picture(parts: Scale & { chosen: Span | null; cursor: number | null }) {
  const { shown, strip, most, slowest, chosen, cursor } = parts;
  const { first, width, count, placed } = strip;
  return (
    <svg viewBox={`0 0 ${count} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {chosen === null ? null : (
        <rect
          class="range"
          x={Math.min(...chosen)}
          width={Math.abs(chosen[1] - chosen[0]) + 1}
          height={HEIGHT}
        />
      )}
      {placed.map((slot) => (
        <Bar key={slot.x} slot={slot} most={most} />
      ))}
      {slowest === 0 ? null : <path class="bank" d={latency(placed, slowest)} />}
      {shown.marks.map(({ at, kind, text }) => (
        <g key={`${at} ${text}`} class={`mark ${kind}`}>
          <title>{`${timeOfDay(at).slice(0, 8)} ${text}`}</title>
          <path d={`M${Math.min((Date.parse(at) - first) / width, count - 1)} 0v${HEIGHT}`} />
        </g>
      ))}
      {cursor === null ? null : <path class="cursor" d={`M${cursor + 0.5} 0v${HEIGHT}`} />}
    </svg>
  );
}

/** The gravest at the bottom. */
function Bar({
  slot: { x, calls, must, should, at },
  most,
}: {
  slot: Strip['placed'][number];
  most: number;
}) {
  const parts = [
    ['must', must],
    ['should', should],
    ['fine', calls - must - should],
  ] as const;
  let y = HEIGHT;
  return (
    <g>
      <title>{`${timeOfDay(at).slice(0, 8)}: ${counted(calls, 'call')}, ${must} must, ${should} should`}</title>
      {parts.map(([look, number]) => {
        if (number === 0) return null;
        // One call among many is seen, too.
        const height = Math.max(2, (number / most) * HEIGHT);
        y -= height;
        return <rect key={look} class={look} x={x} y={y} width={0.85} height={height} />;
      })}
    </g>
  );
}

/** Broken where no bank was asked. */
function latency(placed: Strip['placed'], slowest: number): string {
  let before = Number.NaN;
  return placed
    .flatMap(({ x, bank }) => {
      if (bank === null) return [];
      const y = (HEIGHT - 2 - (bank.ms / slowest) * (HEIGHT - 4)).toFixed(1);
      const joins = before === x - 1 ? 'L' : 'M';
      before = x;
      return [`${joins}${x} ${y}H${x + 1}`];
    })
    .join('');
}
