/** Consents and payments of the living bank in pages, newest first by their creation. */
import type { BankPage } from '../../admin/index.js';
import type { BankConsent, BankPayment } from '../../bank/index.js';
import type { FactFamily } from '../../ledger/index.js';

/** Of any such fact it stands before all members that a TPP may have named. */
const CREATED_AT = /"createdAt":(\d+)/;

/** `statusOf`: as of now; `before`: what was created before this one. */
export function listNewest<T extends BankConsent | BankPayment>(
  facts: FactFamily<T>,
  { from, limit, tpp, psu, status, before }: Omit<BankPage, 'before'> & { readonly before: T | undefined },
  statusOf: (fact: T) => string,
): T[] {
  // What is held as text is not read for its place.
  const createdAt = (key: string): number => {
    const held = facts.held(key);
    return typeof held === 'string' ? Number(CREATED_AT.exec(held)?.[1] ?? 0) : (held?.createdAt ?? 0);
  };
  const isBefore = (a: readonly [number, string], b: readonly [number, string]) =>
    b[0] - a[0] || (a[1] < b[1] ? 1 : -1);
  const all = Array.from(facts.keys(), (key) => [createdAt(key), key] as const).sort(isBefore);
  const first = before === undefined ? 0 : all.findIndex(([, key]) => key === before.id) + 1;
  const fits = (fact: T | undefined): fact is T =>
    fact !== undefined &&
    (tpp === undefined || fact.tpp === tpp) &&
    (psu === undefined || fact.psu === psu) &&
    (status === undefined || statusOf(fact) === status);
  const isFiltered = [tpp, psu, status].some((wanted) => wanted !== undefined);
  const found: T[] = [];
  let passed = 0;
  for (const [, key] of all.slice(first)) {
    if (found.length === limit) break;
    // Where all fit, what is passed over is not read.
    const fact = !isFiltered && passed < from ? undefined : facts.peek(key);
    if ((!isFiltered || fits(fact)) && passed++ >= from && fact !== undefined) found.push(fact);
  }
  return found;
}
