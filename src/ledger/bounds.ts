/** Bounds the ledger: a cap for each family, oldest out first, and an age for what expires. */
import { DAY_MS, isSandboxResource, LIMITS } from '../spec/index.js';
import { type ChangeSet, put } from './change-set.js';
import type { Ledger, LedgerFamilies, LedgerFamily, LedgerState } from './facts.js';
import type { FactFamily } from './family.js';

export const LEDGER_CAPS = {
  consents: 20_000,
  payments: 20_000,
  authorisations: 20_000,
  // Searched for a scope at each exchange of a code.
  authorizes: 2_000,
  codes: 5_000,
  tokens: 50_000,
  refreshTokens: 50_000,
  accesses: 50_000,
  usedOnce: 10_000,
  requestIds: 10_000,
  polls: 10_000,
  // Searched at each violation that may be the bank's.
  links: 2_000,
  uses: 50_000,
  dropped: 1_000,
} as const satisfies Record<LedgerFamily, number>;

const shareOf = (family: LedgerFamily): number => LEDGER_CAPS[family] >> 4;

/** Facts that the ledgers of all isolated sessions hold together; half as many as a single one may. */
export const MOST_ISOLATED_FACTS = 200_000;

/** A family with fewer facts loses none for want of room: whoever comes new goes on. */
const LEAST = 16;

export function ledgerSize(ledger: LedgerState): number {
  let facts = 0;
  for (const family of Object.keys(LEDGER_CAPS) as LedgerFamily[]) facts += ledger[family].size;
  return facts;
}

/** Whether more was learned than is known here. */
export const isPartial = (ledger: Ledger): boolean =>
  ledger.isPartial === true || !ledger.dropped.holdsAtMost(0);

/**
 * Whether a family has never been full: what it does not hold was not learned. Else it may have been dropped, and nobody is
 * to be blamed for it.
 */
export function isWhole(ledger: Ledger, family: LedgerFamily): boolean {
  if (isPartial(ledger) || ledger.beganLater === true) return false;
  return ledger[family].holdsAtMost(LEDGER_CAPS[family] - shareOf(family));
}

/** When a fact is of no more use, epoch ms; Infinity where only the cap ends it. */
const END_OF = {
  consents: () => Number.POSITIVE_INFINITY,
  payments: () => Number.POSITIVE_INFINITY,
  authorisations: () => Number.POSITIVE_INFINITY,
  authorizes: (fact) => fact.at + 7 * DAY_MS,
  codes: (fact) => Math.max(fact.issuedAt ?? 0, fact.usedAt ?? 0) + 7 * DAY_MS,
  // The late use of one is told from that of an unknown one as long as it is among so many.
  tokens: () => Number.POSITIVE_INFINITY,
  refreshTokens: (fact) => fact.issuedAt + LIMITS.refreshTokenMs + 30 * DAY_MS,
  // A calendar day has 25 hours at most.
  accesses: (fact) => Math.max(fact.times.at(-1) ?? 0, fact.unanswered?.at(-1) ?? 0) + 26 * 3_600_000,
  usedOnce: (fact) => fact.at + 90 * DAY_MS,
  requestIds: () => Number.POSITIVE_INFINITY,
  polls: (fact) => fact.at + 60_000,
  links: () => Number.POSITIVE_INFINITY,
  uses: ({ until }) => until,
  dropped: () => Number.POSITIVE_INFINITY,
} as const satisfies { [F in LedgerFamily]: (fact: LedgerFamilies[F]) => number };

/** Outdated facts looked for in one exchange: the work is spread, never done at once. */
const MOST_OUTDATED = 16;

/**
 * Adds to the change set what must go because of it. Over its cap a family loses a sixteenth of it in one go, the oldest
 * facts of the TPP that has most: the front of a Map is slow to reach after many single removals.
 */
export function keepBounds(changeSet: ChangeSet, at: number): void {
  const added = changeSet.changes.length;
  let checked: LedgerFamily | undefined;
  for (let i = 0; i < added; i++) {
    const change = changeSet.changes[i];
    if (change === undefined || change.fact === null || change.family === checked) continue;
    checked = change.family;
    const facts = changeSet.ledger[checked] as FactFamily<LedgerFamilies[LedgerFamily]>;
    if (facts.held(change.key) !== undefined) continue;
    if (facts.size >= LEDGER_CAPS[checked]) dropOldest(changeSet, checked, facts, shareOf(checked));
    else if (changeSet.ledger.isCrowded === true && facts.size >= LEAST) {
      const count = Math.max(LEAST >> 2, facts.size >> 4);
      for (const tpp of dropOldest(changeSet, checked, facts, count)) noteDropped(changeSet, tpp, at);
    } else if (checked !== 'requestIds') dropOutdated(changeSet, checked, facts, at);
  }
}

function noteDropped(changeSet: ChangeSet, tpp: string | null, at: number): void {
  const key = tpp ?? '';
  if (changeSet.ledger.dropped.held(key) === undefined) put(changeSet, 'dropped', key, { tpp, at });
}

function dropOldest(
  changeSet: ChangeSet,
  family: LedgerFamily,
  facts: FactFamily<LedgerFamilies[LedgerFamily]>,
  count: number,
): ReadonlySet<string | null> {
  const kept = new Set(changeSet.changes.filter((c) => c.family === family).map((c) => c.key));
  const byTpp = new Map<string | null, string[]>();
  for (const [key, fact] of facts) {
    if (kept.has(key)) continue;
    const tpp = 'tpp' in fact ? fact.tpp : null;
    const keys = byTpp.get(tpp);
    if (keys === undefined) byTpp.set(tpp, [key]);
    else keys.push(key);
  }
  let left = count;
  const losers = new Set<string | null>();
  // Who has most makes room: nobody’s facts go for what another one adds in a loop.
  for (const [tpp, keys] of [...byTpp].sort(([, a], [, b]) => b.length - a.length))
    for (const key of keys.slice(0, left)) {
      put(changeSet, family, key, null);
      losers.add(tpp);
      left -= 1;
    }
  return losers;
}

function dropOutdated(
  changeSet: ChangeSet,
  family: LedgerFamily,
  facts: FactFamily<LedgerFamilies[LedgerFamily]>,
  at: number,
): void {
  const endOf = END_OF[family] as (fact: LedgerFamilies[LedgerFamily]) => number;
  let left = MOST_OUTDATED;
  for (const [key, fact] of facts) {
    if (left-- === 0 || endOf(fact) > at) return;
    if (!changeSet.changes.some((c) => c.family === family && c.key === key))
      put(changeSet, family, key, null);
  }
}

/**
 * Whether a consent or payment may be of a TPP that is not known to have created it: not all was seen, and it is not known
 * to be of another TPP.
 */
export function mayBeUnseen(ledger: Ledger, family: 'consents' | 'payments', id: string): boolean {
  // No bank but the sandbox gives its literal ids.
  if (isWhole(ledger, family) || isSandboxResource(id)) return false;
  const [first, ...others] = ledger[family].all(id);
  return first === undefined || others.some(({ tpp }) => tpp !== first.tpp);
}
