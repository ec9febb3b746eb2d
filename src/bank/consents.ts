/** The life of a consent: its status at a time, what the SCA makes of it, and how it ends. */
import { type ConsentStatus, DAY_MS, LIMITS } from '../spec/index.js';
import type { Books } from './books.js';
import type { Access, BankChange, BankConsent, ConsentEnd } from './facts.js';
import { grantedAccess } from './granted-access.js';
import { hasHappened } from './has-happened.js';
import { bankNameOf } from './names.js';
import type { BankView } from './state.js';

/** The status as somebody sees it who looks at `now` (epoch ms). */
export function consentStatusAt(consent: BankConsent, now: number): ConsentStatus {
  const end = endOf(consent);
  if (end.at <= now) return end.status;
  return consent.scaAt !== null && hasHappened(consent.scaAt, now) ? 'valid' : 'received';
}

/** When it ends, if nobody does anything; epoch ms. */
export const consentEndsAt = (consent: BankConsent): number => endOf(consent).at;

/** What ends it first: what was done to it, its last day, or its use where it is for once. */
function endOf({ end, validUntil, usedAt, recurring }: BankConsent): ConsentEnd {
  const lastDay = Date.parse(validUntil) + DAY_MS;
  const usedUp = recurring || usedAt === null ? lastDay : usedAt + LIMITS.oneOffConsentMs;
  const at = Math.min(lastDay, usedUp);
  return end !== null && end.at <= at ? end : { status: 'expired', at };
}

/** From which statuses each end is reached (reading `consent-transitions`). */
const ENDS = {
  rejected: ['received'],
  revokedByPsu: ['valid'],
  terminatedByTpp: ['received', 'valid'],
  expired: ['received', 'valid'],
} as const satisfies Record<ConsentEnd['status'], readonly ConsentStatus[]>;

/** Ends a consent; no change where it has ended, or cannot end so in its status. */
export function endConsent(consent: BankConsent, status: ConsentEnd['status'], now: number): BankChange[] {
  const from: readonly ConsentStatus[] = ENDS[status];
  if (!from.includes(consentStatusAt(consent, now))) return [];
  return [consentChange({ ...consent, lastActionAt: now, end: { status, at: now } })];
}

/** What the PSU would give; a text that says why not, where the consent cannot be given by this one. */
export function accessFor(
  { population }: Books,
  consent: BankConsent,
  psu: string,
  selected?: readonly string[],
): Access | string {
  return grantedAccess(consent, population.accountsOf(psu), selected);
}

/** The SCA for it succeeded: it is valid, and an older recurring one of the same PSU and TPP is not (reading `consent-replaced`). */
export function authoriseConsent(
  state: BankView,
  consent: BankConsent,
  { psu, access }: { readonly psu: string; readonly access: Access },
  now: number,
): BankChange[] {
  // Where the clock was set backwards, it begins anew.
  const unused = { usedAt: null, historyAt: null, end: null };
  const authorised = consentChange({ ...consent, ...unused, psu, access, scaAt: now, lastActionAt: now });
  return consent.recurring ? [...replaceOlder(state, consent, psu, now), authorised] : [authorised];
}

function replaceOlder(state: BankView, { id, tpp }: BankConsent, psu: string, now: number): BankChange[] {
  const changes: BankChange[] = [];
  for (const older of state.bankConsents.all(bankNameOf.open(tpp, psu)))
    if (older.recurring && older.id !== id) changes.push(...endConsent(older, 'expired', now));
  return changes;
}

export function consentChange(fact: BankConsent): BankChange {
  return { family: 'bankConsents', key: fact.id, fact };
}
