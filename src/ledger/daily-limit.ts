/** The daily limit on accesses without the PSU (§Limits 1): what counts, what is used, when it frees up. */
import type { Call } from '../exchange/index.js';
import {
  BANK_ZONE,
  bankDayAt,
  beginOfBankDay,
  type Calendar,
  DAY_MS,
  dateOf,
  LIMITS,
  openCalendar,
  operationRow,
} from '../spec/index.js';
import type { AccessFact, Ledger, LedgerState } from './facts.js';
import { consentOf, keyOf, ownerOf, usesOf } from './keys.js';
import { pageKey, queryContinued } from './paging.js';

export interface Budget extends Pick<AccessFact, 'tpp' | 'consentId' | 'operation' | 'accountId'> {
  readonly used: number;
  readonly allowed: number;
  readonly left: number;
  /** When one more access will be free than now, epoch ms. */
  readonly freesUpAt: number;
}

/** The key of an access that the limit counts; null for any other call, such as one with the PSU's address. */
export function accessKey(call: Call): string | null {
  const consentId = call.header['consent-id'];
  const owner = ownerOf(call);
  if (call.operation === null || consentId === undefined || consentId === '' || owner === null) return null;
  if (!isCounted(call)) return null;
  return keyOf.access(owner, consentId, call.operation, call.params.accountId ?? '');
}

export const accessOf = (call: Call, tpp: string) => ({
  tpp,
  consentId: call.header['consent-id'] ?? '',
  operation: call.operation ?? '',
  accountId: call.params.accountId ?? '',
});

export function isCounted({ operation, request }: Call): boolean {
  return operation !== null && operationRow(operation).counted && !request.hasPsuAddress;
}

export function continuesQuery(ledger: Ledger, call: Call): boolean {
  const key = accessKey(call);
  if (key === null || queryContinued(call, ledger.accesses.get(key)) === undefined) return false;
  return usesOf(ledger, keyOf.use('page', `${key} ${pageKey(call)}`)).length === 0;
}

export function usedWithin(times: readonly number[], window: Span): number {
  let used = 0;
  for (let i = times.length - 1; i >= 0; i--) {
    const time = times[i] as number;
    if (time < window.from) break;
    if (time < window.to) used++;
  }
  return used;
}

export function accessesAllowed(ledger: Ledger, tpp: string | null, consentId: string): number {
  const frequency = consentOf(ledger, tpp, consentId)?.frequencyPerDay ?? LIMITS.accessesPerDay;
  return frequency >= 1 ? Math.min(frequency, LIMITS.accessesPerDay) : LIMITS.accessesPerDay;
}

/** Accesses under the call's key, other than the call itself: those that were answered, and those under way. */
function accessesBeside(ledger: Ledger, call: Call): AccessFact | undefined {
  const key = accessKey(call);
  if (key === null) return undefined;
  const known = ledger.accesses.get(key);
  const underWay = usesOf(ledger, keyOf.use('access', key));
  if (underWay.length === 0) return known;
  const times = [...(known?.times ?? []), ...underWay.map(({ at }) => at)].sort((a, b) => a - b);
  return { ...accessOf(call, ownerOf(call) ?? ''), times };
}

/** Accesses used beside the call under the call's key; 0 where the limit does not count it. */
export function accessesUsed(ledger: Ledger, call: Call, spanAt: SpanAt): number {
  const fact = accessesBeside(ledger, call);
  return fact === undefined ? 0 : usedWithin(fact.times, spanAt(call.at));
}

/** Reads under the call's key that a bank may have counted: also those whose answers did not arrive. */
export function accessesPossible(ledger: Ledger, call: Call, spanAt: SpanAt): number {
  const key = accessKey(call);
  const unanswered = (key === null ? undefined : ledger.accesses.get(key)?.unanswered) ?? [];
  return accessesUsed(ledger, call, spanAt) + usedWithin(unanswered, spanAt(call.at));
}

/** The budget of the call's key, or undefined where the limit does not count it or nothing is used. */
export function budgetOf(ledger: Ledger, call: Call, spanAt: SpanAt): Budget | undefined {
  const fact = accessesBeside(ledger, call);
  return fact === undefined ? undefined : toBudget(ledger, fact, call.at, spanAt);
}

/** The budget of a key that `accessKey` gave, or undefined where nothing of it is used. */
export function budgetAt(ledger: Ledger, key: string, now: number, spanAt: SpanAt): Budget | undefined {
  const fact = ledger.accesses.get(key);
  return fact === undefined ? undefined : toBudget(ledger, fact, now, spanAt);
}

/** Every key with an access in the window of `now`, in the order of their newest access. */
export function budgets(ledger: LedgerState, now: number, spanAt: SpanAt): Budget[] {
  const rows: Budget[] = [];
  for (const fact of ledger.accesses.values()) {
    const row = toBudget(ledger, fact, now, spanAt);
    if (row !== undefined) rows.push(row);
  }
  return rows;
}

function toBudget(ledger: Ledger, fact: AccessFact, now: number, spanAt: SpanAt): Budget | undefined {
  const window = spanAt(now);
  const within = fact.times.filter((time) => time >= window.from && time < window.to);
  if (within.length === 0) return undefined;
  const { tpp, consentId, operation, accountId } = fact;
  const allowed = accessesAllowed(ledger, tpp, consentId);
  const used = within.length;
  // Over the limit (possible in stance observe) several accesses must leave a rolling window first.
  const frees = within[Math.max(0, used - allowed)] as number;
  const freesUpAt = spanAt === rollingSpan ? frees + DAY_MS : window.to;
  return {
    tpp,
    consentId,
    operation,
    accountId,
    used,
    allowed,
    left: Math.max(0, allowed - used),
    freesUpAt,
  };
}

export type DailyWindowSetting =
  | { readonly kind: 'calendar-day'; readonly timeZone: string }
  | { readonly kind: 'rolling' };

export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface DailyWindow {
  /** The accesses that count for a call at that time; a rolling window ends with the call. */
  readonly spanAt: SpanAt;
  /** The day under which an access is told, YYYY-MM-DD: of the time zone, of the bank where the window rolls. */
  readonly dateAt: (at: number) => string;
}
export type SpanAt = (at: number) => Span;

const BANK: Calendar = { dayAt: bankDayAt, beginOf: beginOfBankDay };

/** For an unknown zone, asking it throws a RangeError. */
export function openDailyWindow(setting: DailyWindowSetting): DailyWindow {
  const isRolling = setting.kind === 'rolling';
  const { dayAt, beginOf } =
    isRolling || setting.timeZone === BANK_ZONE ? BANK : openCalendar(setting.timeZone);
  return {
    spanAt: isRolling
      ? rollingSpan
      : (at) => {
          const day = dayAt(at);
          return { from: beginOf(day), to: beginOf(day + 1) };
        },
    dateAt: (at) => dateOf(dayAt(at)),
  };
}

export function rollingSpan(at: number): Span {
  return { from: at - DAY_MS + 1, to: at + 1 };
}

/** The bank's is known to be one: to ask loads what is known of all, which takes 20 ms of a start. */
export function isTimeZone(timeZone: string): boolean {
  if (timeZone === BANK_ZONE) return true;
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return true;
  } catch {
    return false;
  }
}
