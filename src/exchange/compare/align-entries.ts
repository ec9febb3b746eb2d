/** Pairs the entries of two lists by content, not by position. */
import { memberOf } from '../members.js';
import { kindOf } from './difference.js';

/** Members that tell the entries of a list apart, the surest first. */
const IDENTITIES = [
  'resourceId',
  'transactionId',
  'entryReference',
  'id',
  'iban',
  'balanceType',
  'href',
] as const;
/** Members whose values only say which entry it is. */
const NAMES_ONLY: ReadonlySet<string> = new Set([
  ...IDENTITIES,
  '_links',
  'accountId',
  'paymentId',
  'consentId',
]);

type Translate = (text: string) => string;
/** Entries with the same signature belong together; null: this one says nothing of the entry. */
type Signature = (entry: unknown, translate: Translate) => string | null;

const SIGNATURES: readonly Signature[] = [
  (entry, translate) =>
    JSON.stringify(entry, (_, value) => (typeof value === 'string' ? translate(value) : value)),
  ...IDENTITIES.map(
    (name): Signature =>
      (entry, translate) => {
        const value = memberOf(entry, name);
        return typeof value === 'string' ? translate(value) : null;
      },
  ),
  // Fields that differ from run to run by nature are left out.
  (entry) =>
    typeof entry === 'object' && entry !== null
      ? JSON.stringify(entry, (name, value) =>
          NAMES_ONLY.has(name) || (typeof value === 'string' && kindOf(value) !== null) ? null : value,
        )
      : null,
];

const same: Translate = (text) => text;

/**
 * Pairs of entries; those left over pair in their order. Where one list is longer, so many of its entries are in no pair.
 * `translate` reads a text of the first list as the second would have it.
 */
export function alignEntries(
  was: readonly unknown[],
  now: readonly unknown[],
  translate: Translate = same,
): (readonly [was: unknown, now: unknown])[] {
  const pairs: (readonly [was: unknown, now: unknown])[] = [];
  let left = [...was];
  const right = new Set(now.keys());
  for (const signature of SIGNATURES) {
    if (left.length === 0 || right.size === 0) break;
    const waiting = new Map<string, number[]>();
    for (const index of right) {
      const key = signature(now[index], same);
      const queue = key === null ? undefined : waiting.get(key);
      if (queue !== undefined) queue.push(index);
      else if (key !== null) waiting.set(key, [index]);
    }
    for (const queue of waiting.values()) queue.reverse();
    left = left.filter((entry) => {
      const index = waiting.get(signature(entry, translate) ?? '')?.pop();
      if (index === undefined) return true;
      pairs.push([entry, now[index]]);
      right.delete(index);
      return false;
    });
  }
  const rest = [...right];
  for (const [i, entry] of left.slice(0, rest.length).entries()) pairs.push([entry, now[rest[i] as number]]);
  return pairs;
}
