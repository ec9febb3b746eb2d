/** `GET /api/bank/psus?from=&limit=`: who there is, a page at a time. */
import { SandgateError } from '../../spec/index.js';
import type { AddRoute } from './route.js';

const PAGE = 100;
const LARGEST_PAGE = 1_000;

export function addPsuRoutes(add: AddRoute): void {
  add('GET', '/api/bank/psus', (bank, { query }) => {
    const { from, limit } = query as Readonly<Record<string, unknown>>;
    return bank.psus(
      wholeOf('from', from, 0, Number.MAX_SAFE_INTEGER),
      wholeOf('limit', limit, PAGE, LARGEST_PAGE),
    );
  });
}

function wholeOf(name: string, typed: unknown, fallback: number, most: number): number {
  if (typed === undefined) return fallback;
  const value = /^\d{1,16}$/.test(String(typed)) ? Number(typed) : Number.NaN;
  if (value <= most) return value;
  const problems = `${name}=${String(typed).slice(0, 100)}: a whole number of ${most} at most is expected`;
  throw new SandgateError('config.invalid', { problems });
}
