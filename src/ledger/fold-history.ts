/**
 * Folds in when the PSU authorised a consent, and when the bank gave transactions beyond the ordinary history (§Limits
 * 3).
 */
import { type Answer, type Call, queryValue } from '../exchange/index.js';
import { bankDateAt, daysBetween, LIMITS } from '../spec/index.js';
import { type ChangeSet, factOf, put } from './change-set.js';
import { keyOf } from './keys.js';

export interface OldestAsked {
  readonly parameter: 'dateFrom' | 'dateTo';
  /** As it was sent. */
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
  if (!(daysBetween(asked.date, today) > LIMITS.transactionHistoryDays)) return;
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
