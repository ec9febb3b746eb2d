/** Folds in accesses that the daily limit counts, and request ids. */
import { type Answer, type Call, type Fingerprint, queryValue } from '../exchange/index.js';
import { bankDateAt, type Dialect, daysBetween } from '../spec/index.js';
import { type ChangeSet, factOf, put } from './change-set.js';
import { accessKey, accessOf } from './daily-limit.js';
import type { Ledger } from './facts.js';
import { digestOfCall, keyOf, ownerOf } from './keys.js';
import { queriesAfter, queryContinued } from './paging.js';

/** Kept of one key: far more than most limits allow. */
const MOST_TIMES = 100;
const LONGEST_WINDOW_MS = 26 * 3_600_000;

/** Only an answer that gave access counts; a refused call gave none. */
export function foldAccess(changeSet: ChangeSet, call: Call, answer: Answer, tpp: string): void {
  const key = accessKey(call);
  if (key === null) return;
  const known = factOf(changeSet, 'accesses', key);
  const queries = queriesAfter(call, answer, known);
  if (known !== undefined && queryContinued(call, known) !== undefined) {
    put(changeSet, 'accesses', key, { ...known, queries: queries ?? [] });
    return;
  }
  put(changeSet, 'accesses', key, {
    ...accessOf(call, tpp),
    times: withTime(known?.times, call.at, changeSet.dialect),
    ...(known?.unanswered === undefined ? {} : { unanswered: known.unanswered }),
    ...(queries === undefined ? {} : { queries }),
  });
}

/** Counts an unanswered call: the bank may count it as an access, though the TPP need not. */
export function foldUnanswered(changeSet: ChangeSet, call: Call, tpp: string): void {
  const key = accessKey(call);
  if (key === null) return;
  const known = factOf(changeSet, 'accesses', key) ?? { ...accessOf(call, tpp), times: [] };
  put(changeSet, 'accesses', key, {
    ...known,
    unanswered: withTime(known.unanswered, call.at, changeSet.dialect),
  });
}

/** In ascending order: calls end in another order than they came. */
function withTime(times: readonly number[] = [], at: number, { accessesPerDay }: Dialect): number[] {
  const kept = times.filter((time) => at - time < LONGEST_WINDOW_MS);
  return [...kept, at].sort((a, b) => a - b).slice(-Math.max(MOST_TIMES, accessesPerDay + 1));
}

/** Whether the very same request came before: with its X-Request-ID, as after an answer that did not arrive. */
export function isRepetition(call: Call, ledger: Ledger, fingerprint: Fingerprint): boolean {
  const [owner, id] = [ownerOf(call), call.header['x-request-id']];
  if (owner === null || id === undefined || id === '') return false;
  const first = ledger.requestIds.get(keyOf.requestId(owner, id));
  return first !== undefined && first.digest === digestOfCall(call, fingerprint);
}

export function foldRequestId(changeSet: ChangeSet, call: Call, tpp: string, fingerprint: Fingerprint): void {
  const requestId = call.header['x-request-id'];
  if (requestId === undefined || requestId === '') return;
  const key = keyOf.requestId(tpp, requestId);
  // The first use stands: every later one is held against it.
  if (factOf(changeSet, 'requestIds', key) !== undefined) return;
  const digest = digestOfCall(call, fingerprint);
  if (digest !== null) put(changeSet, 'requestIds', key, { digest, at: call.at });
}

interface OldestAsked {
  readonly parameter: 'dateFrom' | 'dateTo';
  readonly date: string;
}

/** The day from which on transactions are asked for; one that has only an end asks for what lies before it. */
export function oldestAsked(call: Call): OldestAsked | undefined {
  const from = queryValue(call, 'dateFrom');
  if (from !== undefined) return { parameter: 'dateFrom', date: from };
  const to = queryValue(call, 'dateTo');
  return to === undefined ? undefined : { parameter: 'dateTo', date: to };
}

export function foldHistory(changeSet: ChangeSet, call: Call, answer: Answer, tpp: string): void {
  const asked = oldestAsked(call);
  if (asked === undefined || answer.status !== 200) return;
  const today = bankDateAt(call.at);
  if (!(daysBetween(asked.date, today) > changeSet.dialect.historyDays)) return;
  noteOnConsent(changeSet, tpp, call.header['consent-id'] ?? '', { historyAt: call.at });
}

/** The PSU has done the SCA for the consent, perhaps not for the first time. */
export function foldSca(changeSet: ChangeSet, tpp: string, consentId: string, at: number): void {
  noteOnConsent(changeSet, tpp, consentId, { scaAt: at });
}

function noteOnConsent(
  changeSet: ChangeSet,
  tpp: string,
  id: string,
  note: { readonly scaAt: number } | { readonly historyAt: number },
): void {
  const key = keyOf.resource(tpp, id);
  const fact = factOf(changeSet, 'consents', key);
  if (fact !== undefined) put(changeSet, 'consents', key, { ...fact, ...note });
}
