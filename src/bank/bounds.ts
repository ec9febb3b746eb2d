/** Bounds the facts of the living bank by bytes, for each TPP and in all: what has ended leaves first, the oldest first. */
import { LIMITS, parseScope, SCA_STATUSES } from '../spec/index.js';
import { scaStatusAt } from './authorisations.js';
import { consentStatusAt } from './consents.js';
import type {
  BankAuthorisation,
  BankChange,
  BankCode,
  BankConsent,
  BankFamilies,
  BankFamily,
  BankPayment,
  BankToken,
} from './facts.js';
import { isToldAll, sidesOf } from './payment-index.js';
import { hasEnded, paymentChange } from './payments.js';
import { shownBody } from './shown-body.js';
import type { BankState } from './state.js';

const MiB = 1_048_576;
/** A TPP that creates all day has less; several that fill theirs leave the process room in a heap of 256 MB. */
export const BANK_BYTES = { ofTpp: 16 * MiB, ofAll: 64 * MiB } as const;
/** Little is so much of the bound of all: 1 MiB. */
const SMALL = 64;
/** One call adds less; nothing is measured as long as there is room for it. */
const ADDED_AT_MOST = 65_536;

export interface Bounds {
  readonly ofTpp: number;
  readonly ofAll: number;
  /** What other worlds hold counts too: the bounds are those of the process. */
  readonly elsewhere?: Iterable<BankState>;
}

/**
 * What is to leave so that a TPP may add what it changes; null where there is no room. Over the bound of all, who holds most
 * makes room; a quarter more is there for those who hold little.
 */
export function roomFor(
  state: BankState,
  tpp: string,
  changes: readonly BankChange[],
  now: number,
  { ofTpp, ofAll, elsewhere = [] }: Bounds = BANK_BYTES,
): readonly BankChange[] | null {
  const { holdings } = state;
  let [own, all] = [holdings.bytesOf(tpp), holdings.bytes];
  for (const { holdings: others } of elsewhere) {
    own += others.bytesOf(tpp);
    all += others.bytes;
  }
  if (own + ADDED_AT_MOST <= ofTpp && all + ADDED_AT_MOST <= ofAll) return [];
  const added = bytesAdded(state, changes);
  if (added === 0) return [];
  const leaving: BankChange[] = [];
  const touched = new Set(changes.map(({ family, key }) => `${family} ${key}`));
  const makeRoom = (of: string, wanted: number): number => {
    if (wanted <= 0) return 0;
    if (holdings.isFull(of, now)) return wanted;
    // More than is needed now: the next calls find room.
    let left = wanted + (ofTpp >> 4);
    for (const [family, key, bytes] of holdings.oldest(of)) {
      if (left <= 0) break;
      const gone = touched.has(`${family} ${key}`) ? [] : leavingChanges(state, family, key, now);
      if (gone.length === 0) continue;
      left -= bytes;
      for (const change of gone) {
        touched.add(`${change.family} ${change.key}`);
        leaving.push(change);
        if (change.fact !== null) left += JSON.stringify(change.fact).length;
      }
    }
    if (left > 0) holdings.setFull(of, now);
    return left - (ofTpp >> 4);
  };
  if (makeRoom(tpp, own + added - ofTpp) > 0) return null;
  const over = makeRoom(holdings.heaviest() ?? tpp, all + added - ofAll);
  const isSmall = own + added <= ofAll / SMALL;
  return over > (isSmall ? ofAll / 4 : 0) ? null : leaving;
}

function bytesAdded(state: BankState, changes: readonly BankChange[]): number {
  let added = 0;
  for (const { family, key, fact } of changes)
    if (fact !== null && state[family].held(key) === undefined) added += JSON.stringify(fact).length;
  return added;
}

/** What becomes of a fact that is of no more use, and of what goes with it; none where it is still of use. */
function leavingChanges(
  state: BankState,
  family: BankFamily,
  key: string,
  now: number,
): readonly BankChange[] {
  if (family === 'bankPayments' || family === 'bankBodies') return leavingPayment(state, key, now);
  const fact = state[family].peek(key);
  const leaves = LEAVING[family] as (fact: object, now: number, state: BankState) => boolean;
  return fact !== undefined && leaves(fact, now, state) ? [{ family, key, fact: null } as BankChange] : [];
}

function leavingPayment(state: BankState, key: string, now: number): readonly BankChange[] {
  const payment = state.bankPayments.peek(key);
  const body: readonly BankChange[] =
    state.bankBodies.held(key) === undefined ? [] : [{ family: 'bankBodies', key, fact: null }];
  if (payment === undefined) return body;
  if (!hasEnded(payment, now) || !isToldAll(payment)) return [];
  if (sidesOf(payment).length === 0) return [{ family: 'bankPayments', key, fact: null }, ...body];
  // The money has moved: what statements show of it stays.
  const shown = shownBody(payment.body);
  const isLess = JSON.stringify(shown).length < JSON.stringify(payment.body).length;
  return isLess ? [paymentChange({ ...payment, body: shown }), ...body] : body;
}

function isConsentOver(consent: BankConsent | undefined, now: number): boolean {
  if (consent === undefined) return true;
  const status = consentStatusAt(consent, now);
  return status !== 'received' && status !== 'partiallyAuthorised' && status !== 'valid';
}

const isPaymentOver = (payment: BankPayment | undefined, now: number): boolean =>
  payment === undefined || hasEnded(payment, now);

/** Whether what a code or a token was given for can be had with it no more. */
function isOfNothing(scope: string, now: number, { bankConsents, bankPayments }: BankState): boolean {
  const resource = parseScope(scope);
  // It is for whatever its TPP creates with it.
  if (resource === undefined) return false;
  if (resource.service === 'PIS') return bankPayments.held(resource.id) === undefined;
  return isConsentOver(bankConsents.peek(resource.id), now);
}

const LEAVING: {
  readonly [F in Exclude<BankFamily, 'bankPayments' | 'bankBodies'>]: (
    fact: BankFamilies[F],
    now: number,
    state: BankState,
  ) => boolean;
} = {
  bankConsents: (fact: BankConsent, now) => isConsentOver(fact, now),
  bankAuthorisations: (fact: BankAuthorisation, now, { bankConsents, bankPayments }) =>
    SCA_STATUSES[scaStatusAt(fact, now)].final ||
    (fact.of === 'consent'
      ? isConsentOver(bankConsents.peek(fact.resource), now)
      : isPaymentOver(bankPayments.peek(fact.resource), now)),
  bankCodes: ({ issuedAt, usedAt, scope }: BankCode, now, state) => {
    const end = issuedAt + (usedAt === null ? LIMITS.authorisationCodeMs : LIMITS.refreshTokenMs);
    return end < now || isOfNothing(scope, now, state);
  },
  bankTokens: ({ expiresAt, scope }: BankToken, now, state) =>
    expiresAt < now || isOfNothing(scope, now, state),
  bankOutcomes: () => false,
  bankFaults: () => false,
  bankAccounts: () => false,
};
