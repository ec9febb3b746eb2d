/** Traces as bytes, and their way to a collector that refuses, hangs or leads elsewhere. */
import { randomBytes } from 'node:crypto';
import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../src/rules/index.js';
import { dialectOf } from '../../src/spec/index.js';
import type { RecordedExchange } from '../../src/store/index.js';
import { createOtlp, type OtlpParts } from '../../src/telemetry/index.js';
import { anExchange, NOW } from '../builders.js';
import { aTimer } from './a-timer.js';
import { type Collector, decode, startCollector } from './collector.js';

const finding: Finding = {
  ...{ rule: 'accounts/token-present', severity: 'must', judges: 'tpp' },
  ...{ place: 'header Authorization', expected: 'a token' },
};

const aRecord = (at = NOW, findings: readonly Finding[] = []): RecordedExchange => ({
  exchange: {
    ...anExchange({ call: { operation: 'accounts.list', at }, answer: { status: 200, source: 'emulator' } }),
    elapsed: { total: 4.5, answerer: 1.25 },
  },
  verdicts: {},
  findings,
});

function opened(collector: Pick<Collector, 'url'>, more: Partial<OtlpParts> = {}) {
  const timer = aTimer();
  const ends: (readonly [number, string | null])[] = [];
  const otlp = createOtlp({
    ...{ url: collector.url, headers: {}, version: '1.2.3', instance: 'host:1', timer },
    ...{ bytes: randomBytes, secret: new Uint8Array(32), routes: dialectOf().templates, bank: null },
    onEnd: (exchanges, why) => ends.push([exchanges, why]),
    ...more,
  });
  const until = (sum: number) =>
    expect.poll(() => ends.reduce((all, [exchanges]) => all + exchanges, 0), { timeout: 20_000 }).toBe(sum);
  return { otlp, timer, ends, until };
}

describe('traces as bytes', () => {
  it('are those that the encoder of OpenTelemetry makes of the same spans', async () => {
    const collector = await startCollector();
    const { otlp, timer, until } = opened(collector);
    otlp.take([aRecord(NOW, [finding])]);
    timer.pass(1_000);
    await until(1);
    const [request] = collector.requests;
    const { resource, spans } = decode(request?.body ?? Buffer.alloc(0));
    const time = (ns: bigint): [number, number] => [Number(ns / 1_000_000_000n), Number(ns % 1_000_000_000n)];
    const again = ProtobufTraceSerializer.serializeRequest(
      spans.map((span) => ({
        ...{ name: span.name, kind: span.kind - 1, attributes: span.attributes, links: [], ended: true },
        spanContext: () => ({ traceId: span.trace, spanId: span.id, traceFlags: 1 }),
        ...(span.parent === ''
          ? {}
          : { parentSpanContext: { traceId: span.trace, spanId: span.parent, traceFlags: 1 } }),
        ...{ startTime: time(span.start), endTime: time(span.end), duration: [0, 0] as [number, number] },
        status: { code: span.status },
        events: span.events.map(({ name, at, attributes }) => ({ name, time: time(at), attributes })),
        resource: { attributes: resource, getRawAttributes: () => [], merge: () => expect.fail() },
        instrumentationScope: { name: 'sandgate', version: '1.2.3' },
        ...{ droppedAttributesCount: 0, droppedEventsCount: 0, droppedLinksCount: 0 },
      })),
    );
    const official = decode(again ?? new Uint8Array());
    expect(official).toEqual({ resource, spans });
    expect(spans.map(({ name, kind }) => [name, kind])).toEqual([
      ['GET /stdgroup/v1/accounts', 2],
      ['rules', 1],
      ['emulator', 1],
    ]);
    expect(spans[1]?.events).toHaveLength(1);
    expect(resource).toEqual({
      ...{ 'service.name': 'sandgate', 'service.version': '1.2.3', 'service.instance.id': 'host:1' },
    });
    const [call, , source] = spans;
    expect(Number((call?.end ?? 0n) - (call?.start ?? 0n))).toBeCloseTo(4.5e6, -4);
    expect(Number((source?.end ?? 0n) - (source?.start ?? 0n))).toBeCloseTo(1.25e6, -4);
  });

  it('tell 32 findings of a call, and how many more there are', async () => {
    const collector = await startCollector();
    const { otlp, until } = opened(collector);
    otlp.take([
      aRecord(
        NOW,
        Array.from({ length: 40 }, () => finding),
      ),
    ]);
    await otlp.close();
    await until(1);
    const [, rules] = collector.spans();
    expect(rules?.events).toHaveLength(32);
    expect(rules?.droppedEvents).toBe(8);
  });
});

describe('a collector', () => {
  it('that hangs for an hour with 100,000 calls behind it costs neither memory nor time, and each is counted', async () => {
    const collector = await startCollector(() => {});
    const { otlp, timer, ends, until } = opened(collector);
    const records = Array.from({ length: 100 }, (_, i) => aRecord(NOW + i));
    const before = process.memoryUsage().arrayBuffers;
    for (let i = 0; i < 1_000; i++) otlp.take(records);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(40 * 1_048_576);
    const dropped = ends.reduce((sum, [exchanges]) => sum + exchanges, 0);
    expect(dropped).toBeGreaterThan(80_000);
    expect(new Set(ends.map(([, why]) => why))).toEqual(new Set(['too much is waiting']));
    for (let seconds = 0; seconds < 3_600; seconds += 10) {
      timer.pass(10_000);
      await new Promise(setImmediate);
      await new Promise(setImmediate);
    }
    const closing = otlp.close();
    for (let i = 0; i < 20; i++) {
      timer.pass(2_000);
      await new Promise(setImmediate);
    }
    await closing;
    await until(100_000);
    expect(timer.waits()).toBe(0);
  });

  it('that is busy is asked again after its own pause, and what it takes then is sent', async () => {
    const answers: [number, Record<string, string>][] = [
      [503, {}],
      [429, { 'Retry-After': '30' }],
      [200, {}],
    ];
    const collector = await startCollector((_, response) => {
      const [status, headers] = answers.shift() ?? [500, {}];
      response.writeHead(status, headers).end();
    });
    const { otlp, timer, ends, until } = opened(collector);
    otlp.take([aRecord()]);
    timer.pass(1_000);
    await expect.poll(() => collector.requests.length).toBe(1);
    for (const [pause, requests] of [
      [1_000, 2],
      [30_000, 3],
    ] as const) {
      await expect.poll(timer.next).toBe(pause);
      timer.pass(pause - 1);
      expect(collector.requests).toHaveLength(requests - 1);
      timer.pass(1);
      await expect.poll(() => collector.requests.length).toBe(requests);
    }
    await until(1);
    expect(ends).toEqual([[1, null]]);
    expect(new Set(collector.requests.map(({ body }) => body.toString('hex'))).size).toBe(1);
  });

  it('that leads elsewhere is not followed', async () => {
    const other = await startCollector();
    const collector = await startCollector((_, response) =>
      response.writeHead(307, { Location: other.url.href }).end(),
    );
    const { otlp, timer, ends, until } = opened(collector);
    otlp.take([aRecord()]);
    timer.pass(1_000);
    await until(1);
    expect(ends).toEqual([[1, 'it was refused']]);
    expect(other.requests).toEqual([]);
  });
});
