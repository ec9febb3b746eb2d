/** The timeline of the session, and the range of it that is looked at. */
import { computed, signal } from '@preact/signals';
import type { ShownTimeline } from '../../admin/index.js';
import { address, go } from '../address.js';
import { get } from '../api.js';

export const timeline = signal<ShownTimeline | null>(null);

interface Range {
  readonly from: string;
  readonly to: string;
}

/** By the clock of the machine; null: all of the session. */
export const range = computed((): Range | null => {
  const { from, to } = address.value;
  return from === null || to === null ? null : { from, to };
});

/** Going back leaves a range, and not each step by which it grew. */
export const select = (wanted: Range | null): void =>
  go({ from: wanted?.from ?? null, to: wanted?.to ?? null }, wanted !== null && range.peek() !== null);

/** OR binds less than what stands side by side. */
export const grouping = (q: string): string =>
  /\bOR\b/.test(q.replaceAll(/\([^()]*\)/g, '')) ? `(${q})` : q;

/** The filter of all that is shown. */
export function filterInForce(): string {
  const { q } = address.value;
  if (range.value === null) return q;
  const { from, to } = range.value;
  return `${grouping(q)} recorded>=${from} recorded<${to}`.trim();
}

/** In ms; in wide slots one more call is hardly seen. */
const PAUSE = { least: 1_000, most: 5_000, ofSlot: 0.2 };
const pauseBy = (width: number): number => Math.min(PAUSE.most, Math.max(PAUSE.least, width * PAUSE.ofSlot));

/** Asks now, and not again sooner than in a moment; the function given back ends it. */
export function createAskTime(session: string | null) {
  let pausing: ReturnType<typeof setTimeout> | undefined;
  let [isWanted, isOver] = [false, false];
  const ask = (): void => {
    isWanted = pausing !== undefined;
    if (isWanted || isOver) return;
    pausing = setTimeout(
      () => {
        pausing = undefined;
        if (isWanted) ask();
      },
      pauseBy(timeline.peek()?.width ?? 0),
    );
    void get<ShownTimeline>('/api/time', { session }).then(
      (now) => {
        if (!isOver) timeline.value = now;
      },
      () => {},
    );
  };
  return {
    ask,
    end: (): void => {
      isOver = true;
      clearTimeout(pausing);
    },
  };
}
