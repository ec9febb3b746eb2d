/** Renders a rerun as JUnit XML: each call a test, each breaking difference a failure. */

import { operatorText } from './operator-actions.js';
import { differenceText, OUTCOMES, type RerunCall, type RerunReport } from './result.js';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\t': '&#9;',
};
/** What XML 1.0 cannot hold at all: control characters, and halves of characters. */
const FORBIDDEN = /[^\P{Cc}\t\n]|\p{Cs}|[\ufffe\uffff]/gu;

function xml(text: string): string {
  return text.replace(FORBIDDEN, '\uFFFD').replace(/[&<>"\n\t]/g, (sign) => ENTITIES[sign] as string);
}

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

export function renderJunit(report: RerunReport): string {
  const { calls, counts, recording, against, at } = report;
  const time = seconds(calls.reduce((sum, { took }) => sum + took.now, 0));
  const skipped = counts.skipped + counts.sent;
  const numbers = `tests="${calls.length}" failures="${counts.breaking}" errors="0" skipped="${skipped}" time="${time}"`;
  const properties = [
    ['recording', recording],
    ['against', against],
    ['operators', operatorText(report.operators)],
    ...OUTCOMES.map((outcome) => [outcome, String(counts[outcome])]),
  ].map(([name = '', value = '']) => `      <property name="${xml(name)}" value="${xml(value)}"/>\n`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    `<testsuites name="sandgate rerun" ${numbers}>\n`,
    `  <testsuite name="${xml(`${recording} against ${against}`)}" ${numbers} timestamp="${at.slice(0, 19)}">\n`,
    `    <properties>\n${properties.join('')}    </properties>\n`,
    ...calls.map(renderCase),
    '  </testsuite>\n</testsuites>\n',
  ].join('');
}

function renderCase(call: RerunCall): string {
  const { number, attempt, operation, method, path, took } = call;
  // A name that stands twice counts as one test on many servers.
  const name = `${number} ${method} ${path}${attempt === 1 ? ' (cut)' : ''}`.trim();
  const head = `    <testcase classname="${xml(operation ?? 'unknown')}" name="${xml(name)}" time="${seconds(took.now)}"`;
  const inside = insideOf(call);
  return inside === '' ? `${head}/>\n` : `${head}>\n${inside}    </testcase>\n`;
}

function insideOf({ outcome, reason, differences }: RerunCall): string {
  if (outcome === 'skipped' || outcome === 'sent')
    return `      <skipped message="${xml(reason ?? 'sent only because other calls need it')}"/>\n`;
  const lines = (breaks: boolean) =>
    differences.filter((one) => (one.class === 'breaking') === breaks).map(differenceText);
  const [breaking, others] = [lines(true), lines(false)];
  const failure =
    breaking.length === 0
      ? ''
      : `      <failure message="${xml(breaking[0] ?? '')}" type="breaking">${xml(breaking.join('\n'))}</failure>\n`;
  const rest = others.length === 0 ? '' : `      <system-out>${xml(others.join('\n'))}</system-out>\n`;
  return failure + rest;
}
