/** Records a cassette over an older one so that only lines change where the journey did. */
import {
  CASSETTE_VERSION,
  type CassetteExchange,
  cassetteHead,
  wholeCassette,
} from '../cassette/cassette-schema.js';
import { steadyCertificates } from './certificates.js';
import { createSteadyText } from './texts.js';
import { steadyTimes } from './times.js';

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
    ...(text.write(one, was.exchanges[pairs.get(i) ?? -1]) as CassetteExchange),
    ...times[i],
  }));
  const { recorded, ahead } = mayMove ? was : is;
  const { session } = was;
  // The order of the members is that of the new file.
  return `${JSON.stringify({ ...JSON.parse(fresh), session, recorded, ahead, exchanges, certificates }, null, 2)}\n`;
}

/** null where it is no cassette of this version. */
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

/** By position: the older exchange of the same call, the first one that is left. */
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

/** What one call has in common with the same of another run: ids and numbers in its path do not count. */
function likenessOf({ operation, request, answer, listener }: CassetteExchange): string {
  const path = request.target
    .replace(/\?.*$/s, '')
    .split('/')
    .map((part) => (isIdLike(part) ? '*' : part));
  return [listener, operation, request.method, path.join('/'), answer?.status].join(' ');
}

const isIdLike = (part: string): boolean =>
  /\d/.test(part) && /^[\w.-]{16,}$/.test(part) && !/^[A-Z_\d]+$/.test(part);
