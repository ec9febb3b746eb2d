/** The daily limit on accesses without the PSU (§Limits 1): what counts, what is used, when it frees up. */
import type { Call } from '../exchange/index.js';
import {
  BANK_CALENDAR,
  BANK_ZONE,
  DAY_MS,
  type Dialect,
  dateOf,
  EVERY_OPERATION_ID,
  LIMITS,
  openCalendar,
  operationRow,
  timeInWords,
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
  /** The same in words, by the clock that the bank counts by. */
  readonly freesUp: string;
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

export function accessesAllowed(
  ledger: Ledger,
  tpp: string | null,
  consentId: string,
  { most }: Pick<DailyWindow, 'most'>,
): number {
  const frequency = consentOf(ledger, tpp, consentId)?.frequencyPerDay ?? most;
  return frequency >= 1 ? Math.min(frequency, most) : most;
}

const COUNTED = EVERY_OPERATION_ID.filter((id) => operationRow(id).counted);

/** Keys of the accesses that count together with those under the key: where a bank counts by consent, of all accounts that are known. */
function keysBeside(ledger: Ledger, key: string, access: Access, by: DailyWindow['by']): readonly string[] {
  if (by === 'operation') return [key];
  const { tpp, consentId, accountId } = access;
  const accounts = new Set(['', accountId, ...(consentOf(ledger, tpp, consentId)?.accounts ?? [])]);
  return COUNTED.flatMap((id) => [...accounts].map((account) => keyOf.access(tpp, consentId, id, account)));
}

type Access = Pick<AccessFact, 'tpp' | 'consentId' | 'operation' | 'accountId'>;

/** Times of accesses that were answered and count together with those under the key, ascending. */
export function accessTimes(
  ledger: Ledger,
  key: string,
  access: Access,
  by: DailyWindow['by'],
): readonly number[] {
  if (by === 'operation') return ledger.accesses.get(key)?.times ?? NONE;
  const keys = keysBeside(ledger, key, access, by);
  return keys.flatMap((one) => ledger.accesses.get(one)?.times ?? NONE).sort((a, b) => a - b);
}

const NONE: readonly number[] = [];

/** Accesses under the call's key, other than the call itself: those that were answered, and those under way. */
function accessesBeside(ledger: Ledger, call: Call, by: DailyWindow['by']): AccessFact | undefined {
  const key = accessKey(call);
  if (key === null) return undefined;
  const access = accessOf(call, ownerOf(call) ?? '');
  const keys = keysBeside(ledger, key, access, by);
  const underWay = keys.flatMap((one) => usesOf(ledger, keyOf.use('access', one)));
  const known = accessTimes(ledger, key, access, by);
  if (underWay.length === 0) return known.length === 0 ? undefined : { ...access, times: known };
  return { ...access, times: [...known, ...underWay.map(({ at }) => at)].sort((a, b) => a - b) };
}

/** Accesses used beside the call under the call's key; 0 where the limit does not count it. */
export function accessesUsed(ledger: Ledger, call: Call, { spanAt, by }: Counting): number {
  const fact = accessesBeside(ledger, call, by);
  return fact === undefined ? 0 : usedWithin(fact.times, spanAt(call.at));
}

/** Reads under the call's key that a bank may have counted: also those whose answers did not arrive. */
export function accessesPossible(ledger: Ledger, call: Call, counting: Counting): number {
  const key = accessKey(call);
  const keys = key === null ? [] : keysBeside(ledger, key, accessOf(call, ownerOf(call) ?? ''), counting.by);
  const unanswered = keys
    .flatMap((one) => ledger.accesses.get(one)?.unanswered ?? NONE)
    .sort((a, b) => a - b);
  return accessesUsed(ledger, call, counting) + usedWithin(unanswered, counting.spanAt(call.at));
}

/** The budget of the call's key, or undefined where the limit does not count it or nothing is used. */
export function budgetOf(ledger: Ledger, call: Call, window: DailyWindow): Budget | undefined {
  const fact = accessesBeside(ledger, call, window.by);
  return fact === undefined ? undefined : toBudget(ledger, fact, call.at, window);
}

/** The budget of a key that `accessKey` gave, or undefined where nothing of it is used. */
export function budgetAt(ledger: Ledger, key: string, now: number, window: DailyWindow): Budget | undefined {
  const fact = ledger.accesses.get(key);
  return fact === undefined ? undefined : toBudget(ledger, together(ledger, key, fact, window), now, window);
}

/** Every key with an access in the window of `now`, in the order of their newest access. */
export function budgets(ledger: LedgerState, now: number, window: DailyWindow): Budget[] {
  const rows = new Map<string, Budget>();
  for (const [key, fact] of ledger.accesses) {
    const row = toBudget(ledger, together(ledger, key, fact, window), now, window);
    if (row !== undefined) rows.set(window.by === 'operation' ? key : `${row.tpp} ${row.consentId}`, row);
  }
  return [...rows.values()];
}

/** The accesses that count together: those of a consent stand for all of its operations. */
function together(ledger: Ledger, key: string, fact: AccessFact, { by }: DailyWindow): AccessFact {
  if (by === 'operation') return fact;
  return { ...fact, operation: ALL_OPERATIONS, accountId: '', times: accessTimes(ledger, key, fact, by) };
}

/** Stands in a budget for the operation where a bank counts all of a consent. */
export const ALL_OPERATIONS = 'accounts.*';

function toBudget(ledger: Ledger, fact: AccessFact, now: number, window: DailyWindow): Budget | undefined {
  if (!window.isCounted) return undefined;
  const span = window.spanAt(now);
  const within = fact.times.filter((time) => time >= span.from && time < span.to);
  if (within.length === 0) return undefined;
  const { tpp, consentId, operation, accountId } = fact;
  const allowed = accessesAllowed(ledger, tpp, consentId, window);
  const used = within.length;
  // Over the limit (possible in stance observe) several accesses must leave a rolling window first.
  const frees = within[Math.max(0, used - allowed)] as number;
  const freesUpAt = window.setting.kind === 'rolling' ? frees + DAY_MS : span.to;
  return {
    tpp,
    consentId,
    operation,
    accountId,
    used,
    allowed,
    left: Math.max(0, allowed - used),
    freesUpAt,
    freesUp: window.timeAt(freesUpAt),
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
  /** `00:00 on 25 November (Europe/Brussels)` */
  readonly timeAt: (at: number) => string;
  readonly setting: DailyWindowSetting;
  /** Whether the bank counts accesses at all. */
  readonly isCounted: boolean;
  /** Accesses that the bank allows a consent that asks for no fewer. */
  readonly most: number;
  /** `operation`: each operation and account has its own count. `consent`: all of a consent share one. */
  readonly by: 'operation' | 'consent';
}
type Counting = Pick<DailyWindow, 'spanAt' | 'by'>;
export type SpanAt = (at: number) => Span;

/** By the settings of the user, and by what the profile of the bank says. For an unknown zone, asking it throws a RangeError. */
export function openDailyWindow(given: DailyWindowSetting, accesses: Dialect['accesses'] = {}): DailyWindow {
  const { count, number: most = LIMITS.accessesPerDay, by = 'operation', zone } = accesses;
  const setting = settingOf(given, count, zone);
  const isRolling = setting.kind === 'rolling';
  const timeZone = isRolling ? BANK_ZONE : setting.timeZone;
  const calendar = timeZone === BANK_ZONE ? BANK_CALENDAR : openCalendar(timeZone);
  const { dayAt, beginOf } = calendar;
  return {
    spanAt: isRolling
      ? rollingSpan
      : (at) => {
          const day = dayAt(at);
          return { from: beginOf(day), to: beginOf(day + 1) };
        },
    dateAt: (at) => dateOf(dayAt(at)),
    timeAt: (at) => timeInWords(at, calendar, timeZone),
    setting,
    isCounted: count !== 'none',
    most,
    by,
  };
}

function settingOf(
  given: DailyWindowSetting,
  count: Dialect['accesses']['count'],
  zone: string | undefined,
): DailyWindowSetting {
  if (count === 'rolling') return { kind: 'rolling' };
  const own = given.kind === 'calendar-day' ? given.timeZone : undefined;
  if (count === 'calendar-day') return { kind: 'calendar-day', timeZone: zone ?? own ?? BANK_ZONE };
  return own === undefined ? given : { kind: 'calendar-day', timeZone: zone ?? own };
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
