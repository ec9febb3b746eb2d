/** How the clock of a gateway is told to a person. */
import type { ShownClock } from '../admin/index.js';

/** `2026-01-31T09:00:00.000Z, frozen`. */
export function clockText({ now, mode, speed }: ShownClock): string {
  if (mode === 'real') return `${now}, the time of the machine`;
  const pace = mode === 'running' && speed !== '1' ? ` at ${speed}` : '';
  return `${now}, ${mode}${pace}`;
}
