/** Counts: of the session, as the gateway tells them, and of the last minute, as calls come. */
import { signal } from '@preact/signals';
import type { Counts, Summary } from '../../admin/index.js';

/** null: not known yet. */
export const sessionCounts = signal<Counts | null>(null);

const SECONDS = 60;

/** `seconds`: of a clock that only goes forward. */
export function createCounts(seconds: () => number) {
  const calls = new Map<number, { all: number; errors: number }>();
  const sum = (which: 'all' | 'errors'): number => {
    const oldest = Math.floor(seconds()) - SECONDS;
    for (const second of calls.keys()) if (second <= oldest) calls.delete(second);
    return [...calls.values()].reduce((total, one) => total + one[which], 0);
  };
  const addMany = (exchanges: number, errors: number): void => {
    const now = Math.floor(seconds());
    const known = calls.get(now) ?? { all: 0, errors: 0 };
    calls.set(now, { all: known.all + exchanges, errors: known.errors + errors });
    sum('all');
  };
  return {
    /** Calls that are known by their number alone. */
    addMany,
    add: (fresh: readonly Summary[]): void =>
      addMany(fresh.length, fresh.filter(({ status }) => status === null || status >= 400).length),
    callsAMinute: () => sum('all'),
    errorsAMinute: () => sum('errors'),
  };
}

export const mustsOf = (calls: readonly Summary[]): number =>
  calls.reduce(
    (sum, { findings }) =>
      sum + findings.filter(({ severity, waived }) => severity === 'must' && !waived).length,
    0,
  );
