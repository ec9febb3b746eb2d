/** The plan of a rerun as text: what is sent to a bank, and what is held back. */

import type { PlannedCall } from '../app/rerun/index.js';
import { counted } from '../spec/index.js';
import { printable } from './output.js';
import { renderTable } from './table.js';

const COLUMNS = [{ right: '#' }, 'plan', 'call'] as const;

export function renderPlan(plan: readonly PlannedCall[], against: string): string {
  const rows = plan.map(({ number, plan: what, method, path, reason = '' }) => [
    String(number),
    what,
    what === 'skip' ? `${method} ${path} (${reason})`.trim() : `${method} ${path}`,
  ]);
  const held = plan.filter((call) => call.plan === 'hold back').length;
  const calls = counted(held, 'of them writes, and is', 'of them write, and are');
  return `${renderTable(COLUMNS, rows)}\n${printable(
    `${counted(plan.length, 'call')} for ${against}: ${calls} held back. --send-writes sends all.`,
  )}\n\n`;
}
