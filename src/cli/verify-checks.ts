/** Prints the checks of `sandgate verify`. */
import { type Check, statusOf } from '../app/verify/index.js';
import type { CliContext } from './context.js';
import { printJson, printLine } from './output.js';

const MARKS = { true: 'sound', false: 'FAILED', null: 'not checked' } as const;
const MOST_SHOWN = 20;

export function printChecks(
  report: string,
  checks: readonly Check[],
  asJson: boolean,
  { stdout }: CliContext,
): void {
  if (asJson) {
    printJson(stdout, { report, sound: statusOf(checks) === 0, checks });
    return;
  }
  const width = Math.max(...checks.map(({ what }) => what.length));
  for (const { what, sound, text, details } of checks) {
    printLine(stdout, `${what.padEnd(width)}  ${MARKS[`${sound}`].padEnd(11)}  ${text}`);
    for (const detail of details.slice(0, MOST_SHOWN)) printLine(stdout, `  - ${detail.text}`);
    const more = details.length - MOST_SHOWN;
    if (more > 0) printLine(stdout, `  - and ${more} more`);
  }
  printLine(stdout, lastLine(checks));
}

function lastLine(checks: readonly Check[]): string {
  const left = checks.flatMap(({ what, sound, open = [] }) => (sound === null ? [what, ...open] : open));
  const unchecked = left.length === 0 ? '' : ` Not checked: ${left.join(', ')}.`;
  const status = statusOf(checks);
  if (status === 1) return `Verification failed.${unchecked}`;
  if (status === 2) return 'Nothing was checked: give the recording, or --key with a key that you trust.';
  return left.length === 0 ? 'All checks passed.' : `What was checked is sound.${unchecked}`;
}
