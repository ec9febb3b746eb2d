/** Webhooks: events told once, signed, tried again, and never sent inwards. */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { type CalendarEntry, calendarOf } from '../../src/certificate/index.js';
import type { Exchange } from '../../src/exchange/index.js';
import type { Finding } from '../../src/rules/index.js';
import {
  createCalendar,
  createEvents,
  createOnce,
  createWebhooks,
  EVENT_TYPES,
  readWebhookKey,
} from '../../src/telemetry/index.js';
import { anExchange, NOW } from '../builders.js';
import { folderOfTest } from '../folder.js';
import { aTimer } from './a-timer.js';
import { type Collector, startCollector } from './collector.js';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const WINDOW = 900_000;

type Parts = Parameters<typeof createWebhooks>[0];

function opened(url: URL, more: Partial<Parts> = {}) {
  const timer = aTimer();
  const ends: (readonly [number, string | null])[] = [];
  const webhooks = createWebhooks({
    ...{ url, allow: ['localhost'], on: new Set(EVENT_TYPES), key: Buffer.alloc(32, 7), timer },
    ...{
      clock: () => Date.now(),
      uuid: randomUUID,
      onEnd: (n: number, why: string | null) => ends.push([n, why]),
    },
    ...more,
  });
  return { webhooks, timer, ends };
}

const bodies = ({ requests }: Collector) => requests.map(({ body }) => JSON.parse(body.toString('utf8')));
const arrived = (collector: Collector, count: number) =>
  expect.poll(() => collector.requests.length, { timeout: 10_000 }).toBe(count);

const finding = (more: Partial<Finding> = {}): Finding => ({
  ...{ rule: 'accounts/token-present', severity: 'must', judges: 'tpp' },
  ...{ place: 'body BE68539007547034', expected: 'a token', actual: 'BE68539007547034' },
  ...more,
});

describe('a message', () => {
  it('is verified by the library of Standard Webhooks, and not with another key or body', async () => {
    const collector = await startCollector();
    const { webhooks } = opened(collector.url);
    webhooks.tell('bank.down', '', { exchange: '01', fault: 'timeout', failed: 5 });
    await arrived(collector, 1);
    const [request] = collector.requests;
    const headers = request?.headers as Record<string, string>;
    const body = request?.body.toString('utf8') ?? '';
    expect(new Webhook(SECRET).verify(body, headers)).toMatchObject({
      type: 'bank.down',
      data: { exchange: '01', fault: 'timeout', failed: 5, count: 1 },
    });
    const other = new Webhook(`whsec_${Buffer.alloc(32, 8).toString('base64')}`);
    expect(() => other.verify(body, headers)).toThrow('No matching signature');
    expect(() => new Webhook(SECRET).verify(`${body} `, headers)).toThrow('No matching signature');
    await webhooks.close();
  });

  it('is sent again with its id, and a fresh time, until it is taken', async () => {
    const statuses = [500, 429, 204];
    const collector = await startCollector((_, response) =>
      response.writeHead(statuses.shift() ?? 500).end(),
    );
    let now = Date.now();
    const { webhooks, timer, ends } = opened(collector.url, { clock: () => now });
    webhooks.tell('bank.down', '', {});
    for (const [pause, count] of [
      [0, 1],
      [5_000, 2],
      [15_000, 3],
    ] as const) {
      if (pause > 0) await expect.poll(timer.next).toBe(pause);
      now += pause;
      timer.pass(pause);
      await arrived(collector, count);
    }
    await expect.poll(() => ends).toEqual([[1, null]]);
    const of = (name: string) => new Set(collector.requests.map(({ headers }) => headers[name]));
    expect(of('webhook-id').size).toBe(1);
    expect(of('webhook-timestamp').size).toBe(3);
    for (const { body, headers } of collector.requests)
      new Webhook(SECRET).verify(body.toString('utf8'), headers as Record<string, string>);
    await webhooks.close();
  });

  it.each([
    ['a loopback address', 'http://127.0.0.1:1/', []],
    ['a name that leads inwards', 'http://hooks.example/', []],
    ['the address of a cloud for metadata', 'http://169.254.169.254/', ['10.0.0.0/8']],
    ['another inner range than the allowed one', 'http://hooks.example/', ['192.168.0.0/16']],
  ])('goes nowhere where its address is %s', async (_, url, allow) => {
    const { webhooks, ends } = opened(new URL(url), { allow, resolve: async () => ['10.1.2.3'] });
    webhooks.tell('bank.down', '', {});
    await webhooks.close();
    expect(ends).toEqual([[1, expect.stringContaining('to which the gateway may send nothing')]]);
  });

  it('follows no redirect', async () => {
    const other = await startCollector();
    const collector = await startCollector((_, response) =>
      response.writeHead(308, { Location: other.url.href }).end(),
    );
    const { webhooks, ends } = opened(collector.url);
    webhooks.tell('bank.down', '', {});
    await expect.poll(() => ends).toEqual([[1, 'it was refused']]);
    expect(other.requests).toEqual([]);
    await webhooks.close();
  });

  it('that nobody takes for an hour leaves 100,000 events behind it bounded, and counted', async () => {
    const collector = await startCollector(() => {});
    const { webhooks, timer, ends } = opened(collector.url);
    for (let i = 0; i < 100_000; i++) webhooks.tell('finding.must', `rule ${i}`, { rule: `rule ${i}` });
    expect(ends).toHaveLength(99_500);
    expect(timer.waits()).toBeLessThan(600);
    for (let seconds = 0; seconds < 3_600; seconds += 10) {
      timer.pass(10_000);
      await new Promise(setImmediate);
      await new Promise(setImmediate);
    }
    expect(timer.waits()).toBeLessThan(600);
    const closing = webhooks.close();
    await expect.poll(timer.waits).toBeLessThan(3);
    timer.pass(2_000);
    await closing;
    expect(ends).toHaveLength(100_000);
    expect(timer.waits()).toBe(0);
  });
});

describe('an event', () => {
  it('is told at once, and those alike in the next quarter of an hour as one, with their count', async () => {
    const collector = await startCollector();
    const { webhooks, timer, ends } = opened(collector.url);
    // No time passes while one is under way: it would count as unanswered.
    const ended = (count: number) => expect.poll(() => ends.length, { timeout: 10_000 }).toBe(count);
    const events = createEvents(webhooks.tell, new Set(EVENT_TYPES));
    const record = (found: Finding) => ({ exchange: anExchange(), verdicts: {}, findings: [found] });
    for (let i = 0; i < 1_000; i++) events.take([record(finding())], false);
    events.take(
      [record(finding({ rule: 'requests/request-id-present' })), record(finding({ waived: 'known' }))],
      false,
    );
    await ended(2);
    timer.pass(WINDOW);
    await ended(3);
    timer.pass(WINDOW);
    timer.pass(WINDOW);
    events.take([record(finding())], false);
    await ended(4);
    const told = bodies(collector);
    expect(told.map(({ type, data }) => [type, data.rule, data.count])).toEqual([
      ['finding.must', 'accounts/token-present', 1],
      ['finding.must', 'requests/request-id-present', 1],
      ['finding.must', 'accounts/token-present', 999],
      ['finding.must', 'accounts/token-present', 1],
    ]);
    expect(told[0].data).toMatchObject({ exchange: anExchange().call.id, severity: 'must', judges: 'tpp' });
    expect(JSON.stringify(told)).not.toContain('BE68539007547034');
    await webhooks.close();
  });

  const seen = (on: readonly (typeof EVENT_TYPES)[number][] = EVENT_TYPES) => {
    const told: (readonly [string, Readonly<Record<string, unknown>>])[] = [];
    const events = createEvents((type, _, data) => told.push([type, data]), new Set(on));
    return { events, told, types: () => told.map(([type]) => type) };
  };
  const records = (...exchanges: Exchange[]) =>
    exchanges.map((exchange) => ({ exchange, verdicts: {}, findings: [] }));
  const answered = (body: unknown = {}) =>
    anExchange({ call: { operation: 'accounts.list' }, answer: { source: 'upstream', status: 200, body } });
  const failed = (): Exchange => ({
    ...anExchange({ call: { operation: 'accounts.list' }, answer: { source: 'gateway', status: 504 } }),
    fault: { kind: 'timeout', message: 'no answer' },
  });

  it('tells that the bank is down after five failures in a row, and that it is up again, once each', () => {
    const { events, types, told } = seen();
    events.take(records(failed(), failed(), answered(), failed(), failed(), failed(), failed()), true);
    expect(types()).toEqual([]);
    events.take(records(failed(), failed(), failed(), answered(), answered()), true);
    expect(types()).toEqual(['bank.down', 'bank.up']);
    expect(told[0]?.[1]).toMatchObject({ fault: 'timeout', failed: 5 });
  });

  it('tells that the store fails, and records again, once each', () => {
    const { events, types } = seen();
    for (const why of ['disk full', 'disk full', null, null]) events.store(why);
    expect(types()).toEqual(['store.failing', 'store.recovered']);
  });

  it('tells which limit was reached', () => {
    const { events, told } = seen();
    events.take(
      records(anExchange({ answer: { status: 429 } }), {
        ...failed(),
        fault: { kind: 'overload', message: '' },
      }),
      true,
    );
    expect(told.map(([type, { limit }]) => [type, limit])).toEqual([
      ['limit.reached', 'daily'],
      ['limit.reached', 'calls to the bank'],
    ]);
  });

  it('tells of a change in the answers of the bank once, with the first exchange, and names no id', () => {
    const { events, told } = seen();
    const account = { iban: 'BE68539007547034', name: 'Wilhelmina', BE68539007547034: 1 };
    for (let i = 0; i < 120; i++)
      events.take(
        records(answered({ accounts: [account], next: 'x', ...(i % 2 === 0 ? { hint: 'y' } : {}) })),
        true,
      );
    expect(told).toEqual([]);
    for (let i = 0; i < 3; i++)
      events.take(records(answered({ accounts: [{ ...account, iban: 7, owner: 'Wilhelmina' }] })), true);
    expect(told.map(([, { what, place }]) => [what, place])).toEqual([
      ['type', 'accounts[].iban'],
      ['added', 'accounts[].owner'],
      ['gone', 'next'],
    ]);
    expect(told[0]?.[1]).toMatchObject({ operation: 'accounts.list', exchange: answered().call.id });
    expect(JSON.stringify(told)).not.toMatch(/Wilhelmina|BE68/);
  });

  const DAY = 86_400_000;
  const entry = (more: Partial<CalendarEntry>): CalendarEntry => ({
    ...{ use: 'tpp', what: 'a certificate of a TPP', subject: 'CN=x', organisation: 'PSDBE-NBB-1' },
    ...{ fingerprint: 'ab', notBefore: null, notAfter: new Date(NOW).toISOString(), problems: [] },
    ...more,
  });

  it('tells of a certificate near its end 30, 7 and 1 days before, what stops then, and nothing twice after a restart', () => {
    const told: Readonly<Record<string, unknown>>[] = [];
    const notes: { event: string; about: string }[] = [];
    const started = () => {
      const once = createOnce(
        (_type, _about, data) => told.push(data),
        (note) => notes.push(note),
      );
      for (const note of notes) once.remember(note);
      return createCalendar(once.tell);
    };
    let look = started();
    for (let left = 40; left > -3; left -= 0.25) {
      const now = NOW - left * DAY;
      look(calendarOf([entry({ use: 'server', what: 'the server certificate' })], now), now);
      if (left % 5 === 0) look = started();
    }
    expect(told.map(({ days }) => days)).toEqual([30, 7, 1]);
    expect(told[0]).toMatchObject({
      what: 'the server certificate',
      stops: 'Clients end the handshake: no call arrives any more.',
    });
  });

  it.each<[string, readonly CalendarEntry[], readonly string[]]>([
    ['one that nothing follows', [entry({})], ['ab']],
    [
      'one that another follows without a break',
      [entry({}), entry({ fingerprint: 'cd', notAfter: new Date(NOW + 90 * DAY).toISOString() })],
      [],
    ],
    ['one that no CA stands behind', [entry({ problems: ['No trusted CA stands behind it.'] })], []],
    ['one that has ended', [entry({ notAfter: new Date(NOW - 9 * DAY).toISOString() })], []],
    [
      'one of a bank that has ended',
      [entry({ use: 'bank', notAfter: new Date(NOW - 9 * DAY).toISOString() })],
      ['ab'],
    ],
  ])('of the certificates of others tells what stops calls: %s', (_, entries, fingerprints) => {
    const told: unknown[] = [];
    const now = NOW - 5 * DAY;
    createCalendar((_type, _about, { fingerprint }) => told.push(fingerprint))(calendarOf(entries, now), now);
    expect(told).toEqual(fingerprints);
  });
});

describe('the file of the secret', () => {
  it.each([
    [
      'another form',
      'secret',
      0o600,
      'holds no secret for a webhook: write whsec_ and at least 24 bytes in base64.',
    ],
    ['a short key', `whsec_${Buffer.alloc(8).toString('base64')}`, 0o600, 'holds no secret for a webhook'],
    ['rights for others', SECRET, 0o644, 'can be read by others than its owner'],
  ])('is refused for %s', (_, text, mode, problem) => {
    const file = join(folderOfTest(), 'secret');
    writeFileSync(file, text, { mode });
    expect(() => readWebhookKey(file)).toThrow(problem);
  });
});
