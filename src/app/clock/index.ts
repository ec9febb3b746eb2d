/** The clock by which calls are judged and answered. */
export type { Clock } from './clock.js';
export { showClock } from './clock-settings.js';
