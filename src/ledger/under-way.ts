/**
 * What calls use up while they are under way. A call counts from its arrival, so that concurrent calls cannot each be
 * the last one that a limit allows; when it ends, what it really used up is learned from its exchange. In memory only,
 * and bounded by the number of concurrent calls.
 */
import { type Call, type Fingerprint, isPlainRead, storedDigest } from '../exchange/index.js';
import { shortField } from './change-set.js';
import { accessKey, continuesQuery, isCounted } from './daily-limit.js';
import type { Ledger, LedgerState, UseFact } from './facts.js';
import { codeKey, digestOfCall, keyOf, ownerOf } from './keys.js';
import { pageKey } from './paging.js';

export interface Reservation {
  readonly call: string;
  readonly keys: readonly string[];
  readonly digest: string | null;
}

/** Holds what the call uses up. Moves the ledger on in place. */
export function reserve(ledger: LedgerState, call: Call, fingerprint: Fingerprint): Reservation {
  const keys = keysOf(ledger, call, fingerprint);
  const digest = digestOfCall(call, fingerprint);
  const use = { call: call.id, at: call.at, digest };
  for (const key of keys) ledger.underWay.enter(key, use);
  return { call: call.id, keys, digest };
}

/** A reservation, as gateways on one store tell each other. `until`: the latest end of the call. */
export function useFact(call: Call, { keys, digest }: Reservation, until: number): UseFact {
  const told = digest === null ? null : storedDigest(digest);
  return { call: call.id, tpp: ownerOf(call), at: call.at, digest: told, keys, until };
}

/**
 * Whether it changes nothing at a bank, and uses up nothing that one may count of a TPP that is known: should nobody know
 * of it, nothing is lost.
 */
export const leavesNoTrace = (call: Call): boolean =>
  isPlainRead(call) && ownerOf(call) !== null && !isCounted(call);

export function giveBack({ underWay }: LedgerState, held: Reservation): void {
  underWay.leave(held);
}

function keysOf(ledger: Ledger, call: Call, fingerprint: Fingerprint): string[] {
  const tpp = ownerOf(call);
  if (tpp === null) return [];
  const keys: string[] = [];
  const requestId = call.header['x-request-id'];
  if (requestId !== undefined && requestId !== '')
    keys.push(keyOf.use('id', keyOf.requestId(tpp, requestId)));
  const access = accessKey(call);
  if (access !== null)
    keys.push(
      continuesQuery(ledger, call)
        ? keyOf.use('page', `${access} ${pageKey(call)}`)
        : keyOf.use('access', access),
    );
  if (call.operation === 'payments.status')
    keys.push(keyOf.use('poll', keyOf.resource(tpp, call.params.paymentId ?? '')));
  if (call.operation === 'oauth.token') {
    const code = shortField(call.content, 'code');
    const refreshToken = shortField(call.content, 'refresh_token');
    if (code !== undefined) keys.push(keyOf.use('code', keyOf.codeOfTpp(codeKey(code, fingerprint), tpp)));
    if (refreshToken !== undefined) keys.push(keyOf.use('refresh', fingerprint(refreshToken)));
  }
  return keys;
}
