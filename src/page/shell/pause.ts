/** Pause: new calls wait, and are counted. */
import { isPaused, rows, showNewest } from '../state/calls.js';

export function togglePause(): void {
  isPaused.value = !isPaused.value;
  if (!isPaused.value && rows.value.waiting() > 0) showNewest();
}
