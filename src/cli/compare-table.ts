/** Prints a comparison of two recordings as text: a row for each difference, then what was not compared. */
import {
  type Carried,
  CHANGE_CLASSES,
  type Change,
  type Comparison,
  type NotCompared,
} from '../app/compare/index.js';
import { counted } from '../spec/index.js';
import { oneLine, printable } from './output.js';
import { renderTable } from './table.js';

const COLUMNS = ['class', 'call', { right: 'status' }, 'place', 'was', 'now'] as const;

/** `width` in characters; undefined in a pipe: nothing is cut. */
export function renderComparison(comparison: Comparison, width?: number): string {
  const { changes, was, now } = comparison;
  const parts = [
    changes.length === 0 ? '' : renderTable(COLUMNS, changes.map(rowOf), width),
    notCompared(comparison.notCompared),
    [was, now].flatMap(limitsOf).join(''),
    `${summaryOf(comparison)}\n`,
  ];
  return parts.filter((part) => part !== '').join('\n');
}

const callOf = ({ operation, variant }: Pick<Change, 'operation' | 'variant'>): string =>
  variant === '' ? operation : `${operation} (${variant})`;

function rowOf({ class: kind, status, place, was, now, ...call }: Change): string[] {
  return [kind, callOf(call), String(status ?? '-'), place, sideText(was), sideText(now)];
}

/** `date, 4 of 6` */
const sideText = ({ says, seen, of }: Carried): string => `${says}, ${seen} of ${of}`;

const MOST_NAMED = 12;

/** One line for each reason. */
function notCompared(all: readonly NotCompared[]): string {
  const byReason = new Map<string, string[]>();
  for (const { reason, status, place, ...call } of all) {
    const what = [callOf(call), String(status ?? ''), place].filter((part) => part !== '').join(' ');
    byReason.set(reason, [...(byReason.get(reason) ?? []), what]);
  }
  if (byReason.size === 0) return '';
  const lines = [...byReason].map(([reason, list]) => {
    const more = list.length > MOST_NAMED ? `, and ${list.length - MOST_NAMED} more (see --json)` : '';
    return `${reason}: ${list.slice(0, MOST_NAMED).join(', ')}${more}`;
  });
  return `Not compared:\n${lines.map((line) => `    ${oneLine(line)}\n`).join('')}`;
}

function limitsOf({ recording, unknownCalls, isCut }: Comparison['was']): string[] {
  const unknown = `${recording}: ${counted(unknownCalls, 'call')} of no known operation; --bank-profile names the interface.`;
  const cut = `${recording} has more places than are kept; some were not compared.`;
  return [unknownCalls > 0 ? unknown : '', isCut ? cut : '']
    .filter((text) => text !== '')
    .map((text) => `${printable(text)}\n`);
}

/** `monday (120 answers) and tuesday (98 answers): 1 breaking, 2 value; 14 statuses of operations compared.` */
function summaryOf({ was, now, counts }: Comparison): string {
  const told = CHANGE_CLASSES.filter((kind) => counts[kind] > 0).map((kind) => `${counts[kind]} ${kind}`);
  const names = [was, now].map(({ recording, answers }) => `${recording} (${counted(answers, 'answer')})`);
  const compared = counted(counts.compared, 'status of an operation was', 'statuses of operations were');
  return printable(
    `${names.join(' and ')}: ${told.join(', ') || 'no difference'} in what both show; ${compared} compared.`,
  );
}
