/** How a client happens to write a call never changes what it is answered. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HeaderList } from '../../../src/exchange/index.js';
import type { CallParts } from '../../builders.js';
import { aReplay, type Recorded } from './a-replay.js';

const headers = (more: Record<string, string> = {}): HeaderList =>
  Object.entries({
    Host: 'localhost:8443',
    'X-Request-ID': '99391c7e-ad88-49ec-a2ad-99ddcb1f7721',
    Accept: 'application/json',
    'PSU-IP-Address': '192.0.2.1',
    ...more,
  });
const json = { 'Content-Type': 'application/json' };
const form = { grant_type: 'authorization_code', client_id: 'A', code: 'CODE', code_verifier: 'v' };
const bearer = { Authorization: 'Bearer TOKEN', 'Consent-Id': 'C' };

/** A small journey: creation, state before and after the SCA, reads that answer otherwise each time, the end. */
const CALLS: readonly CallParts[] = [
  {
    operation: 'consents.create',
    headerList: headers({ ...json, 'TPP-Redirect-URI': 'https://tpp.example/back' }),
    body: { validUntil: '2026-08-01', frequencyPerDay: 4 },
  },
  { operation: 'consents.status', params: { consentId: 'C' }, headerList: headers() },
  {
    operation: 'oauth.token',
    headerList: headers({ 'Content-Type': 'application/x-www-form-urlencoded' }),
    form,
  },
  { operation: 'consents.status', params: { consentId: 'C' }, headerList: headers() },
  { operation: 'accounts.list', headerList: headers(bearer) },
  { operation: 'accounts.transactions', headerList: headers(bearer), query: 'bookingStatus=booked' },
  { operation: 'accounts.list', headerList: headers(bearer) },
  { operation: 'consents.delete', params: { consentId: 'C' }, headerList: headers() },
  { operation: 'consents.status', params: { consentId: 'C' }, headerList: headers() },
];
const RECORDED: readonly Recorded[] = CALLS.map((call, i) => ({
  call,
  answer: {
    headers: { 'X-Request-ID': '99391c7e-ad88-49ec-a2ad-99ddcb1f7721' },
    body: i === 2 ? { access_token: 'TOKEN', scope: 'AIS:C' } : { consentId: 'C', n: i },
  },
}));

/** What clients and proxies add as they please, and the interface does not know. */
const added = fc.uniqueArray(
  fc.tuple(
    fc.constantFrom(
      ...['User-Agent', 'Accept-Encoding', 'Accept-Language', 'Connection', 'Cache-Control', 'Via', 'Date'],
      ...['X-Forwarded-For', 'Traceparent', 'Sec-Fetch-Mode', 'Content-Length', 'Cookie', 'DNT'],
      ...['PSU-User-Agent', 'PSU-Geo-Location', 'PSU-Accept-Language', 'PSU-Device-ID', 'PSU-Http-Method'],
    ),
    fc.stringMatching(/^[ -~]{0,40}$/),
  ),
  { selector: ([name]) => name },
);

/** The letters of a name, each in either case. */
const spelled = (name: string, upper: readonly boolean[]) =>
  [...name]
    .map((letter, i) => (upper[i % upper.length] ? letter.toUpperCase() : letter.toLowerCase()))
    .join('');

const written = fc.record({
  added,
  upper: fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }),
  order: fc.array(fc.nat(), { minLength: 30, maxLength: 30 }),
});
type Written = typeof written extends fc.Arbitrary<infer T> ? T : never;

function write(call: CallParts, { added, upper, order }: Written): CallParts {
  const all = [...(call.headerList ?? []), ...added].map(
    ([name, value]) => [spelled(name, upper), value] as const,
  );
  const headerList = all
    .map((pair, i) => ({ pair, at: order[i] ?? 0 }))
    .sort((a, b) => a.at - b.at)
    .map(({ pair }) => pair);
  return { ...call, headerList };
}

async function play(calls: readonly CallParts[]): Promise<string[]> {
  const { ask } = aReplay(RECORDED);
  const seen: string[] = [];
  for (const call of calls) {
    const one = await ask(call);
    seen.push(JSON.stringify([one?.miss?.text ?? null, one?.status, one?.answer.headers, one?.text]));
  }
  return seen;
}

describe('headers in another order, in other letter case, and more of them', () => {
  it('change nothing of what replays', async () => {
    const plain = await play(CALLS);
    expect(plain.every((one) => one.startsWith('[null,200,'))).toBe(true);
    await fc.assert(
      fc.asyncProperty(
        fc.array(written, { minLength: CALLS.length, maxLength: CALLS.length }),
        async (ways) => {
          const other = CALLS.map((call, i) => write(call, ways[i] as Written));
          expect(await play(other)).toEqual(plain);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('are no reason to take one call for another', async () => {
    await fc.assert(
      fc.asyncProperty(written, async (way) => {
        const { ask } = aReplay(RECORDED);
        const call = CALLS[0] as CallParts;
        const seen = await ask(
          write({ ...call, body: { validUntil: '2026-08-01', frequencyPerDay: 5 } }, way),
        );
        expect(seen?.miss?.closest?.differences).toEqual([
          { place: 'body frequencyPerDay', expected: '4', got: '5' },
        ]);
      }),
      { numRuns: 100 },
    );
  });
});
