/**
 * How far the clock by which a call is served may be behind what was done before it, in ms: the call may have waited
 * for its body, or another gateway's machine may be ahead. It is a choice, as no limit in force bounds both together.
 * What is later was done before the clock was set backwards.
 */
const BEHIND_MS = 60_000;

/** Whether what was done `at` stands for who looks at `now`; epoch ms. */
export const hasHappened = (at: number, now: number): boolean => at <= now + BEHIND_MS;
