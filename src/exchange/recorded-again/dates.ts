/** Moves the dates of a new recording so that they are as far from its beginning as in the older one. */
import { DAY_MS, dateAt, isDate } from '../../spec/index.js';

/** Epoch ms of the beginning of the new file and of the older one. */
export interface Starts {
  readonly is: number;
  readonly was: number;
}

/** Dates and times with or without offset; not inside of longer numbers or of ids. */
export const DATED =
  /(?<![\w-])\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?(?![\w-])/;
/** Of two runs of one journey the same moment differs by what the machine was slower. */
const SAME_MOMENT_MS = 60_000;
const END_OF_TIME = '9999';

/** `was`: the older text, alike but for names and dates; undefined where there is none. */
export function moveDated(text: string, was: string | undefined, { is: start, was: before }: Starts): string {
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
