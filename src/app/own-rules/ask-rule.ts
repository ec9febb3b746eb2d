/** Asks a rule of the user's own, and takes nothing for granted of what it gives. Imports little: a thread runs it. */
import type { OwnViolation, Said } from '../../rules/own/index.js';

export type Check = (seen: unknown) => unknown;

const MOST_VIOLATIONS = 20;
/** Findings are cut to less once they are free of secrets. */
const LONGEST = 1_000;
const PLACE =
  /^(?:connection|method|status|certificate|path|query|header|body|answer(?: (?:status|header|body))?)(?:[ .[]|$)/;

/** Never throws. */
export function askRule(check: Check, seen: unknown): Said {
  try {
    return readOutcome(check(seen));
  } catch (error) {
    return { broken: `it threw ${textOf(error)}` };
  }
}

function textOf(error: unknown): string {
  try {
    return String(error).slice(0, LONGEST);
  } catch {
    return 'something without a text';
  }
}

function readOutcome(given: unknown): Said {
  if (given === true || given === 'not-applicable' || given === 'not-observed') return { outcome: given };
  if (!isObject(given)) return { broken: `it gave ${nameOf(given)}` };
  if (given instanceof Promise) {
    // One that nobody waits for would end the process when it rejects.
    given.catch(() => {});
    return { broken: 'it gave a promise; a rule must answer at once' };
  }
  const violations: OwnViolation[] = [];
  for (const one of Array.isArray(given) ? given.slice(0, MOST_VIOLATIONS) : [given]) {
    const read = readViolation(one);
    if (typeof read === 'string') return { broken: read };
    violations.push(read);
  }
  return { outcome: violations };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const nameOf = (given: unknown): string =>
  typeof given === 'object' || typeof given === 'undefined' || typeof given === 'boolean'
    ? String(given)
    : `a ${typeof given}`;

function readViolation(given: unknown): OwnViolation | string {
  if (!isObject(given)) return `it gave a list with ${nameOf(given)}`;
  const { place, expected, actual, atMost } = given;
  if (typeof place !== 'string' || !PLACE.test(place))
    return 'it gave a violation without a place such as “header X-Request-ID” or “body validUntil”';
  if (typeof expected !== 'string' || expected.trim() === '')
    return 'it gave a violation that does not say what is expected';
  if (actual !== undefined && typeof actual !== 'string')
    return 'it gave a violation whose actual is not a text';
  if (atMost !== undefined && atMost !== 'should' && atMost !== 'note')
    return 'it gave a violation whose atMost is neither should nor note';
  return {
    place: place.slice(0, LONGEST),
    expected: expected.slice(0, LONGEST),
    ...(actual === undefined ? {} : { actual: actual.slice(0, LONGEST) }),
    ...(atMost === undefined ? {} : { atMost }),
  };
}
