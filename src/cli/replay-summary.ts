/** Prints the summary of a replay when its gateway stops. */

import type { ReplayReport } from '../answer/index.js';
import { counted } from '../spec/index.js';
import { renderTable } from './table.js';

const MOST_ROWS = 20;

/** Ends with a line end. `width` in characters; absent in a pipe. */
export function renderReplaySummary(report: ReplayReport, width?: number): string {
  const { recording, exchanges, used, unused, undecided, misses, missed } = report;
  const text = `${recording}: ${used.length} of ${counted(exchanges, 'recorded exchange')} used, ${unused.length} not, ${counted(misses, 'call')} without a recorded answer.\n`;
  return [
    text,
    listOf(
      'Not used:',
      unused.map(({ method, path, status }) => [method, path, String(status)]),
      width,
    ),
    listOf(
      'Calls without a recorded answer:',
      missed.map(({ method, path, text: why }) => [method, path, why]),
      width,
    ),
    ...undecided.slice(0, MOST_ROWS).map((sentence) => `\n${sentence}\n`),
  ].join('');
}

function listOf(title: string, rows: readonly (readonly string[])[], width: number | undefined): string {
  if (rows.length === 0) return '';
  const columns = ['method', 'path', ''];
  const more = rows.length > MOST_ROWS ? `and ${rows.length - MOST_ROWS} more\n` : '';
  return `\n${title}\n${renderTable(columns, rows.slice(0, MOST_ROWS), width)}${more}`;
}
