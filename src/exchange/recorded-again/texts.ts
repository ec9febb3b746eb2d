/** Replaces random names and dates of a new recording by those of the older one. */
import { DAY_MS, dateAt, isDate, isSandboxResource, SANDBOX_AUTHORISATIONS } from '../../spec/index.js';
import { memberOf } from '../members.js';

interface SteadyText {
  /** Learns names from values that stand at one place in both; the whole files tell which names both have. */
  readonly learn: (pairs: readonly (readonly [unknown, unknown])[], is: unknown, was: unknown) => void;
  /** A value of the new file; `was` is what stands in its place in the older one, if anything does. */
  readonly write: (is: unknown, was: unknown) => unknown;
}

/**
 * Names that mean something only to those who gave them: fingerprints, UUIDs, random texts, and whatever stands as
 * `state` or `code_challenge`; and the ports of this machine. One random text in a thousand holds no digit, and cannot be told from a word.
 */
export const NAME =
  /(?<=[?&](?:state|code_challenge)=)[^&#\s"]+|(?<=%[0-9A-F]{2}|(?<![\w-]))(?<!%.?)(?:fp_[\w-]{22}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32,}|(?=[\w-]*\d)(?=[\w-]*[a-z])(?=[\w-]*[A-Z])[\w-]{22,})(?![\w-])|(?<=(?:localhost|127\.0\.0\.1)(?::|%3A))\d{4,5}(?!\d)/g;
const DEEPEST = 60;

/** Values printed in the specification mean themselves. */
export const isFixed = (name: string): boolean =>
  isSandboxResource(name) || Object.hasOwn(SANDBOX_AUTHORISATIONS, name);

export function createSteadyText(starts: Starts): SteadyText {
  const names = new Map<string, string>();

  const learnText = (is: string, was: string, taken: Set<string>, known: ReadonlySet<string>): void => {
    if (skeletonOf(is) !== skeletonOf(was)) return;
    const before = was.match(NAME) ?? [];
    for (const [i, name] of (is.match(NAME) ?? []).entries()) {
      const other = before[i] ?? name;
      // One that both files have names the same in both.
      if (known.has(name) || names.has(name) || taken.has(other) || isFixed(name) || isFixed(other)) continue;
      names.set(name, other);
      taken.add(other);
    }
  };
  return {
    learn: (pairs, is, was) => {
      const known = namesIn(was);
      // A name of the new file keeps its meaning: nothing else is renamed to it.
      const taken = namesIn(is);
      const learn = zip((a, b) => learnText(a, b, taken, known));
      for (const [now, before] of pairs) learn(now, before, 0);
    },
    write: (is, was) => {
      const write = (now: unknown, before: unknown, depth: number): unknown => {
        if (typeof now === 'string') return writeText(now, typeof before === 'string' ? before : undefined);
        if (typeof now !== 'object' || now === null || depth > DEEPEST) return now;
        if (Array.isArray(now)) {
          const others = Array.isArray(before) && before.length === now.length ? before : [];
          return now.map((entry, i) => write(entry, others[i], depth + 1));
        }
        return Object.fromEntries(
          Object.entries(now).map(([name, value]) => [
            name,
            writeMember(name, value, memberOf(before, name), depth),
          ]),
        );
      };
      const writeMember = (name: string, now: unknown, before: unknown, depth: number): unknown =>
        isWait(name, now) && isWait(name, before) ? before : write(now, before, depth + 1);
      return write(is, was, 0);
    },
  };

  function writeText(is: string, was: string | undefined): string {
    const named = is.replace(NAME, (name) => names.get(name) ?? name);
    if (!DATED.test(named)) return named;
    const before = was !== undefined && skeletonOf(was) === skeletonOf(is) ? was : undefined;
    return moveDated(named, before, starts);
  }
}

/** Says how long to wait from now on: another number with every call. */
export const isWait = (name: string, value: unknown): boolean =>
  name.toLowerCase() === 'retry-after' && typeof value === 'string' && /^\d+$/.test(value);

const skeletonOf = (text: string): string =>
  text.replace(NAME, '\u0001').replace(new RegExp(DATED, 'g'), '\u0002');

/** Walks two values side by side, and hands over the texts that stand at one place in both. */
function zip(onTexts: (is: string, was: string) => void): (is: unknown, was: unknown, depth: number) => void {
  const walk = (is: unknown, was: unknown, depth: number): void => {
    if (typeof is === 'string' && typeof was === 'string') onTexts(is, was);
    else if (Array.isArray(is) && Array.isArray(was)) {
      if (is.length === was.length && depth < DEEPEST)
        for (const [i, entry] of is.entries()) walk(entry, was[i], depth + 1);
    } else if (typeof is === 'object' && is !== null && depth < DEEPEST)
      for (const [name, value] of Object.entries(is)) walk(value, memberOf(was, name), depth + 1);
  };
  return walk;
}

function namesIn(value: unknown): Set<string> {
  return new Set(JSON.stringify(value).match(NAME) ?? []);
}

export interface Starts {
  readonly is: number;
  readonly was: number;
}

/** Dates and times with or without offset; not inside of longer numbers or of ids. */
export const DATED =
  /(?<![\w-])\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?(?![\w-])/;
/** Runs of one journey differ in a moment by the speed of the machine. */
const SAME_MOMENT_MS = 60_000;
const END_OF_TIME = '9999';

/** `was`: the older text, alike but for names and dates; undefined where there is none. */
function moveDated(text: string, was: string | undefined, { is: start, was: before }: Starts): string {
  const days = Math.floor(before / DAY_MS) - Math.floor(start / DAY_MS);
  const all = new RegExp(DATED, 'g');
  const others = was?.match(all) ?? [];
  let i = 0;
  return text.replace(all, (found) => {
    const other = others[i++];
    if (found === other || found.startsWith(END_OF_TIME) || !isDate(found.slice(0, 10))) return found;
    if (other !== undefined && isSameMoment(found, other, start - before)) return other;
    return dateAt(Date.parse(found.slice(0, 10)) + days * DAY_MS) + found.slice(10);
  });
}

function isSameMoment(is: string, was: string, apart: number): boolean {
  if (is.length <= 10 || was.length <= 10) return false;
  return Math.abs(Date.parse(is) - Date.parse(was) - apart) < SAME_MOMENT_MS;
}
