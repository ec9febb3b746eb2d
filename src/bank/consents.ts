/** The life of a consent: its status at a time, what the SCA makes of it, and how it ends. */
import { beginOfBankDay, type ConsentStatus, dayOf, LIMITS } from '../spec/index.js';
import type { Books } from './books.js';
import { coveredAccounts } from './coverage.js';
import type { Access, BankChange, BankConsent, ConsentEnd } from './facts.js';
import { grantedAccess } from './granted-access.js';
import type { Draws } from './habits/draws.js';
import { bankNameOf } from './names.js';
import type { BankView } from './state.js';

/**
 * The status as somebody sees it who looks at `now` (epoch ms): what was done to it stays done, also where the clock was
 * set back, and what time alone does follows the clock (reading `clock-set-back`).
 */
export function consentStatusAt(consent: BankConsent, now: number): ConsentStatus {
  const { status, at } = consent.end ?? endByTime(consent);
  if (consent.end !== null || at <= now) return status;
  if (consent.scaAt !== null) return 'valid';
  return consent.isSigned === true ? 'partiallyAuthorised' : 'received';
}

/** Whether the consent is valid and gives no access until the PSU authenticates again. */
export function needsScaAgain(consent: BankConsent, now: number): boolean {
  const { scaUntil = Number.POSITIVE_INFINITY } = consent;
  return scaUntil <= now && consentStatusAt(consent, now) === 'valid';
}

/** Whether an SCA leaves the choice of accounts to the PSU: the first one does, where the consent does. */
export const letsChoose = ({ access, isSigned, scaUntil }: BankConsent): boolean =>
  access.kind === 'offered' && isSigned !== true && scaUntil === undefined;

/** When it ended, or ends if nobody does anything; epoch ms. */
export const consentEndsAt = (consent: BankConsent): number => (consent.end ?? endByTime(consent)).at;

/** What comes first: the end of its last day, of the time for its SCA, of its use where it is for once, or of the PSU's will. */
function endByTime(consent: BankConsent): ConsentEnd {
  const { createdAt, scaAt, validUntil, usedAt, recurring, revokesAt } = consent;
  const lastDay = beginOfBankDay(dayOf(Date.parse(validUntil)) + 1);
  const given = createdAt + LIMITS.unauthorisedMs;
  if (scaAt === null)
    return given < lastDay ? { status: 'rejected', at: given } : { status: 'expired', at: lastDay };
  const usedUp = recurring || usedAt === null ? lastDay : usedAt + LIMITS.oneOffConsentMs;
  const expires = Math.min(lastDay, usedUp);
  if (revokesAt !== undefined && revokesAt < expires) return { status: 'revokedByPsu', at: revokesAt };
  return { status: 'expired', at: expires };
}

/** From which statuses each end is reached (reading `consent-transitions`). */
const ENDS = {
  rejected: ['received', 'partiallyAuthorised'],
  revokedByPsu: ['valid'],
  terminatedByTpp: ['received', 'partiallyAuthorised', 'valid'],
  expired: ['received', 'partiallyAuthorised', 'valid'],
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
  {
    psu,
    access,
    draws,
  }: { readonly psu: string; readonly access: Access; readonly draws?: Draws | undefined },
  now: number,
): BankChange[] {
  const life = draws?.consent(consent, psu, now);
  const authorised = consentChange({ ...consent, psu, access, scaAt: now, lastActionAt: now, ...life });
  return consent.recurring ? [...replaceOlder(state, consent, psu, now), authorised] : [authorised];
}

/** A first PSU has agreed to what a second one has to agree to as well. */
export function signConsent(
  consent: BankConsent,
  { psu, access }: { readonly psu: string; readonly access: Access },
  now: number,
): BankChange[] {
  return [consentChange({ ...consent, psu, access, isSigned: true, lastActionAt: now })];
}

/** The PSU has authenticated again: the access goes on. */
export function renewConsent(consent: BankConsent, now: number): BankChange[] {
  const lasts = (consent.scaUntil ?? now) - (consent.scaAt ?? now);
  return [consentChange({ ...consent, scaAt: now, scaUntil: now + lasts, lastActionAt: now })];
}

/** Who may agree as the second one to what a consent covers once this PSU has agreed; nobody where one is enough. */
export function secondSignatories(
  { population }: Books,
  consent: Pick<BankConsent, 'access'>,
  psu: string,
): readonly string[] {
  return coveredAccounts({ ...consent, psu }, population)
    .filter(({ signatories }) => signatories === 2)
    .flatMap(({ owners }) => owners)
    .filter((owner) => owner !== psu);
}

function replaceOlder(state: BankView, { id, tpp }: BankConsent, psu: string, now: number): BankChange[] {
  return [...state.bankConsents.all(bankNameOf.open(tpp, psu))].flatMap((older) => {
    if (!older.recurring || older.id === id) return [];
    // One that time alone has ended is not to come back where the clock is set back.
    const at = Math.min(now, consentEndsAt(older));
    const lastActionAt = at < now ? older.lastActionAt : now;
    return [consentChange({ ...older, lastActionAt, end: { status: 'expired', at } })];
  });
}

export function consentChange(fact: BankConsent): BankChange {
  return { family: 'bankConsents', key: fact.id, fact };
}
