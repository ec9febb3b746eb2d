/** Records a cassette over an older one so that only lines change where the journey did. */

import type { CertificateFacts } from '../../certificate/index.js';
import {
  CASSETTE_VERSION,
  type CassetteExchange,
  cassetteHead,
  wholeCassette,
} from '../cassette/cassette-schema.js';
import { rounded } from '../cassette/cassette-write.js';
import { stillSealed } from './still-sealed.js';
import { createSteadyText, type Starts } from './texts.js';

export type CassetteFile = ReturnType<typeof wholeCassette.parse>;

/**
 * The new cassette with the values of the older one where they say nothing: ids, tokens and states by another name,
 * times, durations, and days as far from the recording as they were. What has no counterpart in the older one stays.
 * @param older text of the file that is written over; where it is no cassette, the new one stays as it is
 */
export function recordedAgain(fresh: string, older: string): string {
  const [is, was] = [readFile(fresh), readFile(older)];
  if (is === null || was === null) return fresh;
  const pairs = pairExchanges(is.exchanges, was.exchanges);
  if (is.recorded === undefined || was.recorded === undefined || pairs.size === 0) return fresh;
  const starts = { is: Date.parse(is.recorded), was: Date.parse(was.recorded) };
  const { certificates, mayMove } = steadyCertificates(is.certificates, was.certificates, starts);
  const text = createSteadyText(mayMove ? starts : { is: starts.is, was: starts.is });
  const both = [...pairs].map(([i, j]) => [is.exchanges[i], was.exchanges[j]] as const);
  text.learn(both, is.exchanges, was.exchanges);
  const times = steadyTimes(is.exchanges, was.exchanges, pairs);
  const exchanges = is.exchanges.map((one, i) => ({
    ...stillSealed(one, text.write(one, was.exchanges[pairs.get(i) ?? -1]) as CassetteExchange),
    ...times[i],
  }));
  const { recorded, ahead } = mayMove ? was : is;
  const { session } = was;
  // The order of the members is that of the new file.
  return `${JSON.stringify({ ...JSON.parse(fresh), session, recorded, ahead, exchanges, certificates }, null, 2)}\n`;
}

export function readFile(text: string): CassetteFile | null {
  try {
    const value: unknown = JSON.parse(text);
    const head = cassetteHead.safeParse(value);
    if (!head.success || head.data.version !== CASSETTE_VERSION) return null;
    return wholeCassette.safeParse(value).data ?? null;
  } catch {
    return null;
  }
}

function pairExchanges(
  is: readonly CassetteExchange[],
  was: readonly CassetteExchange[],
): ReadonlyMap<number, number> {
  const waiting = new Map<string, number[]>();
  for (const [index, exchange] of was.entries()) {
    const key = likenessOf(exchange);
    const queue = waiting.get(key);
    if (queue === undefined) waiting.set(key, [index]);
    else queue.push(index);
  }
  for (const queue of waiting.values()) queue.reverse();
  const pairs = new Map<number, number>();
  for (const [index, exchange] of is.entries()) {
    const found = waiting.get(likenessOf(exchange))?.pop();
    if (found !== undefined) pairs.set(index, found);
  }
  return pairs;
}

/** A key that calls share with the same call of another run: ids and numbers in the path do not count. */
function likenessOf({ operation, request, answer, listener }: CassetteExchange): string {
  const path = request.target
    .replace(/\?.*$/s, '')
    .split('/')
    .map((part) => (isIdLike(part) ? '*' : part));
  return [listener, operation, request.method, path.join('/'), answer?.status].join(' ');
}

const isIdLike = (part: string): boolean =>
  /\d/.test(part) && /^[\w.-]{16,}$/.test(part) && !/^[A-Z_\d]+$/.test(part);

type Certificates = Readonly<Record<string, CertificateFacts>>;

/** Another number and another life: what every renewal changes. */
const RENEWED = ['fingerprint256', 'serialNumber', 'notBefore', 'notAfter'] as const;

/** `mayMove`: whether each is valid, or not, at the older time as it was at the new one. */
function steadyCertificates(
  is: Certificates,
  was: Certificates,
  starts: Starts,
): { readonly certificates: Certificates; readonly mayMove: boolean } {
  const certificates = Object.fromEntries(
    Object.entries(is).map(([name, facts]) => {
      const older = Object.hasOwn(was, name) ? was[name] : undefined;
      return [name, older !== undefined && isRenewal(facts, older) ? older : facts];
    }),
  );
  const mayMove = Object.entries(is).every(
    ([name, facts]) => lifeAt(facts, starts.is) === lifeAt(certificates[name] ?? facts, starts.was),
  );
  return mayMove ? { certificates, mayMove } : { certificates: is, mayMove };
}

function isRenewal(is: CertificateFacts, was: CertificateFacts): boolean {
  const bare = (facts: CertificateFacts) =>
    JSON.stringify(
      Object.entries(facts)
        .filter(([name]) => !RENEWED.some((one) => one === name))
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    );
  return bare(is) === bare(was);
}

export function lifeAt({ notBefore, notAfter }: CertificateFacts, at: number): 'early' | 'valid' | 'expired' {
  if (at < Date.parse(notBefore)) return 'early';
  return at > Date.parse(notAfter) ? 'expired' : 'valid';
}

/** A machine may be slower by so much, in ms; a client that waits longer means it. */
const SLOWER_MS = 1_000;

type Times = Pick<CassetteExchange, 'at' | 'moved' | 'took' | 'bankTook' | 'firstByte'>;

function steadyTimes(
  is: readonly CassetteExchange[],
  was: readonly CassetteExchange[],
  pairs: ReadonlyMap<number, number>,
): Times[] {
  const times: Times[] = [];
  const next = nextOlder(was, pairs, is.length);
  for (const [i, { at, moved, took, bankTook, firstByte }] of is.entries()) {
    const j = pairs.get(i);
    const older = j === undefined ? undefined : was[j];
    const gap = at - (is[i - 1]?.at ?? 0);
    // Only behind the same call is the gap of the older one that of this one.
    const follows = j !== undefined && (i === 0 ? j === 0 : pairs.get(i - 1) === j - 1);
    const start = times[i - 1]?.at ?? 0;
    // Behind another call the time may be the same; a call that is new comes before the next one that is not.
    const since = (next[i]?.at ?? Number.NaN) - (follows ? (was[j - 1]?.at ?? 0) : start);
    const isSame = older !== undefined && (follows || since >= 0);
    const olderGap = isSame ? since : since >= 0 ? Math.min(gap, since) : gap;
    times.push({
      // Sums of tenths are not exact.
      at: rounded(start + alike(gap, olderGap)),
      ...(moved === undefined ? {} : { moved: alike(moved, older?.moved) }),
      took: alike(took, older?.took),
      bankTook: alike(bankTook, older?.bankTook),
      ...(firstByte === undefined ? {} : { firstByte: alike(firstByte, older?.firstByte) }),
    });
  }
  return times;
}

function alike(is: number, was: number | undefined): number {
  return was !== undefined && Math.abs(is - was) < SLOWER_MS ? was : is;
}

function nextOlder(
  was: readonly CassetteExchange[],
  pairs: ReadonlyMap<number, number>,
  count: number,
): (CassetteExchange | undefined)[] {
  const next: (CassetteExchange | undefined)[] = [];
  for (let i = count - 1; i >= 0; i--) next[i] = was[pairs.get(i) ?? -1] ?? next[i + 1];
  return next;
}
