/** The gate of `sandgate report`: what makes the exit status 1, told on standard error. */
import { findingsAtGate, isUntested, type Report } from '../report/index.js';
import { counted } from '../spec/index.js';
import type { CliContext } from './context.js';
import { printLine } from './output.js';

export interface GateFlags {
  readonly failOn?: 'must' | 'should';
  readonly of?: 'tpp' | 'aspsp';
  readonly newOnly?: true;
  readonly require?: (typeof REQUIRED)[number];
}

/** Levels of evidence that may be required, the higher first: each includes those before it. */
export const REQUIRED = ['witnessed', 'consistent'] as const;

export const isBroken = ({ evidence }: Report): boolean => evidence.level === 'broken';

export function applyGate(made: Report, flags: GateFlags & { readonly sign?: string }, context: CliContext) {
  const failures = [...ofEvidence(made, flags), ...ofFindings(made, flags)];
  for (const failure of failures) printLine(context.stderr, `Failed${failure}`);
  if (failures.length > 0) context.exitWith(1);
}

/** A report on a broken chain proves nothing, whatever it found: no option lets it pass. */
function ofEvidence(made: Report, { require, sign }: GateFlags & { readonly sign?: string }): string[] {
  const { level } = made.evidence;
  if (isBroken(made))
    return [`: the chain of the recording is broken.${sign === undefined ? '' : ' Nothing was signed.'}`];
  if (require === undefined) return [];
  const accepted: readonly string[] = REQUIRED.slice(0, REQUIRED.indexOf(require) + 1);
  return accepted.includes(level) ? [] : [` (--require ${require}): the recording is ${level}.`];
}

function ofFindings(made: Report, { failOn, of, newOnly }: GateFlags): string[] {
  if (failOn === undefined) return [];
  const untested = isUntested(made, of);
  const found = findingsAtGate(made, { failOn, newOnly: newOnly === true, of });
  if (!untested && found === 0) return [];
  return [` (--fail-on ${failOn}): ${untested ? 'nothing was judged' : counted(found, 'finding')}.`];
}
