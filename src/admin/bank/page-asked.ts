/** Which page of a list is asked for: `?from=&limit=`. */
import { SandgateError } from '../../spec/index.js';

const PAGE = 100;
const LARGEST_PAGE = 1_000;

export interface PageAsked {
  readonly from: number;
  readonly limit: number;
}

/** Throws a SandgateError for what is no number of entries. */
export function pageAsked({ query }: { readonly query: unknown }): PageAsked {
  const { from, limit } = query as Readonly<Record<string, unknown>>;
  return {
    from: wholeOf('from', from, 0, Number.MAX_SAFE_INTEGER),
    limit: wholeOf('limit', limit, PAGE, LARGEST_PAGE),
  };
}

function wholeOf(name: string, typed: unknown, fallback: number, most: number): number {
  if (typed === undefined) return fallback;
  const value = /^\d{1,16}$/.test(String(typed)) ? Number(typed) : Number.NaN;
  if (value <= most) return value;
  const problems = `${name}=${String(typed).slice(0, 100)}: a whole number of ${most} at most is expected`;
  throw new SandgateError('config.invalid', { problems });
}
