/** Prints a rerun and its plan as text: a row for each call with its worst difference, all differences below. */

import {
  differenceText,
  goneTexts,
  historyText,
  OUTCOMES,
  operatorText,
  type PlannedCall,
  type RerunCall,
  type RerunReport,
} from '../app/rerun/index.js';
import { counted } from '../spec/index.js';
import { printable } from './output.js';
import { renderTable } from './table.js';

const COLUMNS = [{ right: '#' }, 'result', 'status', { right: 'ms' }, 'call'] as const;

/** `width` in characters; undefined in a pipe: nothing is cut. */
export function renderRerun(report: RerunReport, width?: number): string {
  const rows = report.calls.map(rowOf);
  const operators = operatorText(report.operators);
  const parts = [
    renderTable(COLUMNS, rows, width),
    ...report.calls.map(detailsOf),
    goneText(report),
    skippedText(report.calls),
    operators === '' ? '' : `${oneLine(operators)}\n`,
    `${summaryOf(report)}\n`,
  ];
  return parts.filter((part) => part !== '').join('\n');
}

function rowOf({ number, outcome, was, now, took, method, path, operation }: RerunCall): string[] {
  const status = was === now || outcome === 'skipped' ? String(was ?? '-') : `${was ?? '-'} → ${now ?? '-'}`;
  const ms = outcome === 'skipped' ? '-' : String(Math.round(took.now));
  const call = method === '' ? '(no call)' : `${method} ${path}`;
  return [String(number), outcome, status, ms, operation === null ? `${call} (unknown)` : call];
}

function detailsOf({ number, method, path, differences, reason, outcome }: RerunCall): string {
  const telling = differences.filter((one) => one.class !== 'noise').map(differenceText);
  const lines = outcome === 'sent' && reason !== undefined ? [reason] : telling;
  if (lines.length === 0) return '';
  return `${[`#${number} ${method} ${path}`, ...lines.map((line) => `    ${line}`)].map(oneLine).join('\n')}\n`;
}

function goneText(report: RerunReport): string {
  const lines = goneTexts(report).map((text) => `    ${oneLine(text)}\n`);
  return lines.length === 0 ? '' : `Gone since the last run:\n${lines.join('')}`;
}

/** Calls that were left out for one reason stand together. */
function skippedText(calls: readonly RerunCall[]): string {
  const byReason = new Map<string, number[]>();
  for (const { outcome, reason = '', number } of calls) {
    if (outcome === 'skipped') byReason.set(reason, [...(byReason.get(reason) ?? []), number]);
  }
  if (byReason.size === 0) return '';
  const lines = [...byReason].map(
    ([reason, numbers]) => `    ${numbers.map((number) => `#${number}`).join(', ')}: ${reason}`,
  );
  return `${['Not sent, or not compared:', ...lines].map(oneLine).join('\n')}\n`;
}

const oneLine = (text: string): string => printable(text.replace(/[\t\r\n]+/g, ' '));

/** Calls that were not compared may differ. */
export function skippedAdvice({ counts: { skipped } }: RerunReport): string {
  const calls = counted(skipped, 'call was', 'calls were');
  return `${calls} skipped and so not compared: the exit status is 1; --allow-skipped makes it 0.`;
}

/** `12 calls of monday against emulator: 1 breaking, 11 same.` */
export function summaryOf(report: RerunReport): string {
  const { calls, counts, recording, against, requests } = report;
  const told = OUTCOMES.filter((outcome) => counts[outcome] > 0).map(
    (outcome) => `${counts[outcome]} ${outcome}`,
  );
  const twice = requests > calls.length - counts.skipped ? ` ${requests} requests were sent.` : '';
  return printable(
    `${counted(calls.length, 'call')} of ${recording} against ${against}: ${told.join(', ')}.${twice}${historyText(report)}`,
  );
}

const PLAN_COLUMNS = [{ right: '#' }, 'plan', 'call'] as const;

export function renderPlan(plan: readonly PlannedCall[], against: string): string {
  const rows = plan.map(({ number, plan: what, method, path, reason = '' }) => [
    String(number),
    what,
    what === 'skip' ? `${method} ${path} (${reason})`.trim() : `${method} ${path}`,
  ]);
  const held = plan.filter((call) => call.plan === 'hold back').length;
  const calls = counted(held, 'of them writes, and is', 'of them write, and are');
  return `${renderTable(PLAN_COLUMNS, rows)}\n${printable(
    `${counted(plan.length, 'call')} for ${against}: ${calls} held back. --send-writes sends all.`,
  )}\n\n`;
}
