/** Percentiles of durations in bounded memory: counted in steps of two per cent, so a figure is within one per cent. */
import type { Percentiles, Report } from '../model.js';

type Speed = Report['availability']['services'][number]['total']['lastByte'];

const STEP = Math.log(1.02);
/** The smallest duration told apart, in ms. */
const SMALLEST = 0.001;

export function createDurations() {
  const counts = new Map<number, number>();
  let count = 0;
  let sum = 0;
  let max = 0;
  const at = (share: number): number => {
    let left = Math.ceil(count * share);
    for (const step of [...counts.keys()].sort((a, b) => a - b)) {
      left -= counts.get(step) ?? 0;
      if (left <= 0) return Math.min(max, step === 0 ? 0 : SMALLEST * Math.exp((step - 0.5) * STEP));
    }
    return max;
  };
  return {
    add(ms: number): void {
      const step = ms <= SMALLEST ? 0 : Math.ceil(Math.log(ms / SMALLEST) / STEP);
      counts.set(step, (counts.get(step) ?? 0) + 1);
      count++;
      sum += ms;
      if (ms > max) max = ms;
    },
    percentiles: (): Percentiles =>
      count === 0
        ? { count, p50: null, p90: null, p99: null, max: null }
        : { count, p50: rounded(at(0.5)), p90: rounded(at(0.9)), p99: rounded(at(0.99)), max: rounded(max) },
    speed: (): Speed =>
      count === 0
        ? { count, averageMs: null, p95Ms: null }
        : { count, averageMs: rounded(sum / count), p95Ms: rounded(at(0.95)) },
  };
}

const rounded = (ms: number): number => Number(ms.toPrecision(3));
