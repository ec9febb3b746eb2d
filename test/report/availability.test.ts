/** How a bank could be reached, by service and day. */
import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../src/exchange/index.js';
import { countedCalls } from '../../src/report/formats/lines.js';
import type { Report } from '../../src/report/index.js';
import { aFailedConnection, NOW } from '../builders.js';
import { CONSENT } from '../rules/ledger-of.js';
import { aStore } from '../store/stores.js';
import { record, reportOf, type Sent, VALID } from './a-recording.js';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

async function seen(sent: readonly Sent[], start = NOW): Promise<Report['availability']> {
  const store = aStore({ path: ':memory:' });
  record(store, sent, { start });
  return (await reportOf(store)).availability;
}

const read = (status: number, more: Partial<Sent> = {}): Sent => ({
  call: {
    operation: 'accounts.list',
    headers: { Authorization: 'Bearer access-3', 'Consent-Id': CONSENT, 'PSU-IP-Address': '192.0.2.7' },
  },
  answer: { status, body: status === 200 ? { accounts: [] } : { tppMessages: [] } },
  after: MINUTE,
  ...more,
});
const lost = (kind: NonNullable<Exchange['fault']>['kind'], more: Partial<Sent> = {}): Sent =>
  read(502, {
    ...more,
    with: { answer: null, fault: { kind, message: 'Lost.' }, elapsed: { total: 10, answerer: 10 } },
  });
const times = (count: number, sent: Sent): Sent[] => Array.from({ length: count }, () => sent);
const totalOf = ({ services }: Report['availability']) => services[0]?.total;

describe('availability', () => {
  it.each<readonly [name: string, sent: Sent, expected: Record<string, unknown>]>([
    ['a success', read(200), { calls: 1, technical: 0, business: 0, mistakes: 0 }],
    ['5xx', read(500), { calls: 1, technical: 1 }],
    ['no answer in time', lost('timeout'), { calls: 1, technical: 1 }],
    ['no connection', lost('refused'), { calls: 1, technical: 1 }],
    [
      'an answer after 30 s',
      read(200, { with: { elapsed: { total: 31_000, answerer: 30_001 } } }),
      { calls: 1, technical: 1, lastByte: { count: 0, averageMs: null, p95Ms: null } },
    ],
    [
      'an answer that broke off',
      read(200, { with: { fault: { kind: 'reset', message: 'It broke off.' } } }),
      { calls: 1, technical: 1 },
    ],
    [
      'a refusal',
      { ...read(403), call: (VALID[0] as Sent).call },
      { calls: 1, technical: 0, business: 1, mistakes: 0 },
    ],
    ['a refusal of a call of an unknown consent', read(400), { calls: 1, business: 0, mistakes: 1 }],
    [
      'a status that a fault hid',
      read(200, { with: { injected: { fault: 'f', kind: 'status-after', did: 503 } } }),
      { calls: 1, technical: 1 },
    ],
  ])('counts %s', async (_name, sent, expected) => {
    expect(totalOf(await seen([sent]))).toMatchObject(expected);
  });

  it.each<readonly [name: string, sent: Sent, outside: string]>([
    ['the emulator', read(503, { answer: { status: 503, source: 'emulator' } }), 'emulator'],
    ['a replay', read(503, { answer: { status: 503, source: 'replay' } }), 'replay'],
    ['a refusal by the gateway', read(429, { answer: { status: 429, source: 'rule' } }), 'refused'],
    ['a client that went away', lost('client-gone'), 'unknown'],
    [
      'a call that a fault kept',
      read(503, { with: { injected: { fault: 'f', kind: 'status', did: null } } }),
      'injected',
    ],
    ['an unknown path', { call: { target: '/nothing' }, answer: { status: 404 } }, 'noService'],
    [
      'a token of no known consent',
      { call: { operation: 'oauth.token', form: { grant_type: 'refresh_token' } }, answer: { status: 400 } },
      'noService',
    ],
    ['a page', { call: { operation: 'oauth.authorize' }, answer: { status: 200 } }, 'pages'],
    ['a notification', { call: { listener: 'callback' }, answer: { status: 200 } }, 'callbacks'],
    [
      'a connection that failed',
      { call: {}, answer: null, with: aFailedConnection({ session: 'june' }) },
      'connections',
    ],
  ])('says that %s tells nothing of a bank', async (_name, sent, outside) => {
    const availability = await seen([sent]);
    expect(availability.services).toEqual([]);
    expect(availability.outside).toMatchObject({ [outside]: 1 });
    expect(availability.note).toBe('No bank was called: this says nothing of one.');
    expect(countedCalls(availability)).toEqual([
      [expect.any(String), 1],
      ['All calls', 1],
    ]);
  });

  it('counts each call of the report in one place', async () => {
    const store = aStore({ path: ':memory:' });
    const kept = read(503, { with: { injected: { fault: 'f', kind: 'status', did: null } } });
    record(store, [...VALID, read(200), read(503), lost('client-gone'), kept]);
    const { availability, head } = await reportOf(store);
    const rows = countedCalls(availability);
    expect(rows.at(-1)).toEqual(['All calls', head.recording.exchanges]);
    expect(rows.slice(0, -1)).toEqual(
      expect.arrayContaining([
        ['Account information, by the bank', expect.any(Number)],
        ['Payment initiation, by the bank', expect.any(Number)],
        ['Without a known end', 1],
        ['Kept from the bank by an injected fault', 1],
      ]),
    );
  });

  it('bounds an outage by the good calls around it', async () => {
    const availability = await seen([
      ...times(3, read(200)),
      ...times(12, read(503)),
      ...times(2, read(200)),
    ]);
    const [ais] = availability.services;
    const [at, end] = [(minute: number) => new Date(NOW + minute * MINUTE).toISOString(), 12.5];
    expect(ais?.periods).toEqual([
      {
        ...{ from: at(4), to: at(15), calls: 12, presumed: true },
        lastGood: new Date(NOW + 3 * MINUTE + end).toISOString(),
        firstGood: new Date(NOW + 16 * MINUTE + end).toISOString(),
        ...{ atLeastMs: 11 * MINUTE, atMostMs: 13 * MINUTE },
      },
    ]);
    expect(ais?.total.unavailable).toEqual({ periods: 1, atLeastMs: 11 * MINUTE, atMostMs: 13 * MINUTE });
    expect(ais?.total.longestGapMs).toBe(MINUTE);
  });

  it('says of a day without a call that nobody asked, and counts an outage over it', async () => {
    const [ais] = (
      await seen([read(200), ...times(5, lost('timeout')), lost('timeout', { after: 3 * DAY }), read(200)])
    ).services;
    expect(
      ais?.days.map(({ calls, longestGapMs, unavailable }) => [calls, longestGapMs, unavailable.atLeastMs]),
    ).toEqual([
      [6, expect.any(Number), expect.any(Number)],
      ...[DAY, DAY].map((whole) => [0, whole, whole]),
      [2, expect.any(Number), expect.any(Number)],
    ]);
  });

  it('presumes no outage of fewer than five failed calls, and lists two', async () => {
    const sent = [read(200), ...times(4, lost('timeout')), read(200), lost('reset'), read(403)];
    const [ais] = (await seen(sent)).services;
    expect(ais?.periods).toMatchObject([{ calls: 4, presumed: false, atLeastMs: 3 * MINUTE }]);
    expect(ais?.total.unavailable.periods).toBe(0);
  });

  it('knows no upper bound of an outage that never ended', async () => {
    const [ais] = (await seen([read(200), ...times(5, read(503))])).services;
    expect(ais?.periods).toMatchObject([{ firstGood: null, atMostMs: null, atLeastMs: 4 * MINUTE }]);
    expect(ais?.total.unavailable).toMatchObject({ periods: 1, atMostMs: null });
  });

  it('orders calls by their beginnings: one that hung till the end was lost before the others', async () => {
    const hung = lost('timeout', { after: 0 });
    const late: Sent = { ...hung, with: { ...hung.with, elapsed: { total: 30_000, answerer: 30_000 } } };
    const sent = [read(200), ...times(5, late), read(200)];
    const [ais] = (await seen(sent)).services;
    expect(ais?.periods).toMatchObject([{ calls: 5, atLeastMs: 0 }]);
  });

  it('parts what goes over midnight of the bank between its days', async () => {
    // 15 June, 23:50 in Brussels.
    const start = Date.parse('2026-06-15T21:50:00Z') - MINUTE;
    const sent = [
      read(200),
      ...times(20, lost('refused')),
      read(200),
      read(200, { after: 24 * 60 * MINUTE }),
    ];
    const [ais] = (await seen(sent, start)).services;
    const days = ais?.days.map(({ day, calls, unavailable, longestGapMs }) => ({
      day,
      calls,
      ...unavailable,
      longestGapMs,
    }));
    expect(days).toMatchObject([
      { day: '2026-06-15', calls: 10, periods: 1, atLeastMs: 9 * MINUTE, longestGapMs: MINUTE },
      {
        day: '2026-06-16',
        calls: 12,
        periods: 1,
        atLeastMs: 10 * MINUTE,
        longestGapMs: (24 * 60 - 11) * MINUTE,
      },
      { day: '2026-06-17', calls: 1, periods: 0, longestGapMs: 11 * MINUTE },
    ]);
    expect(ais?.total.unavailable.atLeastMs).toBe(19 * MINUTE);
  });

  it('parts services, and gives tokens to that of their consent or payment', async () => {
    const funds: Sent = {
      call: { operation: 'funds-confirmations.create', body: {} },
      answer: { status: 200, body: { fundsAvailable: true } },
    };
    const payment: Sent = {
      call: {
        operation: 'payments.status',
        params: { paymentService: 'payments', paymentProduct: 'sepa-credit-transfers', paymentId: 'p' },
      },
      answer: { status: 200, body: { transactionStatus: 'ACTC' } },
    };
    const token = (scope: string): Sent => ({
      call: { operation: 'oauth.token', form: { grant_type: 'authorization_code', code: 'c' } },
      answer: { status: 200, body: { scope } },
    });
    const { services } = await seen([read(200), funds, payment, token('PIS:p'), token('AIS:c')]);
    expect(services.map(({ service, total }) => [service, total.calls])).toEqual([
      ['AIS', 2],
      ['PIS', 2],
      ['CBPII', 1],
    ]);
  });

  it('knows the first byte where the program of others noted it, as HAR does', async () => {
    const { exchange } = record(aStore({ path: ':memory:' }), [read(200)])[0] ?? {};
    const connection = { address: '192.0.2.1', tls: 'not-observed' as const };
    const call = exchange?.call.with({ connection });
    const noted = (answerer: number): Sent =>
      read(200, { with: { ...(call === undefined ? {} : { call }), elapsed: { total: 80, answerer } } });
    expect(totalOf(await seen([noted(30), noted(80)]))).toMatchObject({
      firstByte: { count: 1, averageMs: 30 },
      lastByte: { count: 2, averageMs: 80 },
    });
  });

  it('knows it of what a gateway was answered, and not of an answer that failed', async () => {
    const noted = (status: number, firstByte?: number): Sent =>
      read(status, {
        with: { elapsed: { total: 80, answerer: 60, ...(firstByte === undefined ? {} : { firstByte }) } },
      });
    expect(totalOf(await seen([noted(200, 20), noted(200, 40), noted(503, 10), noted(200)]))).toMatchObject({
      firstByte: { count: 2, averageMs: 30 },
      lastByte: { count: 3, averageMs: 60 },
    });
  });

  it('gives average and the 95th of a hundred within one per cent', async () => {
    const sent = Array.from({ length: 100 }, (_, i) =>
      read(200, { with: { elapsed: { total: i + 2, answerer: i + 1 } } }),
    );
    const { averageMs, p95Ms } = totalOf(await seen(sent))?.lastByte ?? {};
    expect(averageMs).toBe(50.5);
    expect(Math.abs((p95Ms ?? 0) - 95)).toBeLessThanOrEqual(0.95);
  });
});
