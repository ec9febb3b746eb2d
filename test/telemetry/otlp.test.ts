/** Traces as bytes, and their way to a collector that refuses, hangs or leads elsewhere. */
import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Finding } from '../../src/rules/index.js';
import { dialectOf } from '../../src/spec/index.js';
import type { RecordedExchange } from '../../src/store/index.js';
import { createOtlp, type OtlpParts } from '../../src/telemetry/index.js';
import { mintCertificates } from '../answer/upstream/certificates.js';
import { anExchange, NOW } from '../builders.js';
import { aTimer } from './a-timer.js';
import { type Collector, decode, startCollector } from './collector.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
/** ExportTracePartialSuccess: seven spans were refused. */
const PARTIAL = Buffer.from([0x0a, 0x02, 0x08, 0x07]);
const STOPPED = [1, expect.any(String)] as const;

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

  it.each<[string, RequestListener, readonly [number, string | null]]>([
    ['takes only a part of it', (_, response) => response.end(PARTIAL), [1, null]],
    [
      'answers a body without end',
      (_, response) => {
        response.writeHead(200);
        const pour = (): void => {
          while (response.write(Buffer.alloc(65_536)));
        };
        response.on('drain', pour);
        pour();
      },
      [1, null],
    ],
    ['switches protocols', (_, response) => response.writeHead(101, { Upgrade: 'x' }).end(), STOPPED],
    ['breaks off', (request) => request.socket.destroy(), STOPPED],
    [
      'is busy for a year',
      (_, response) => response.writeHead(429, { 'Retry-After': '31536000' }).end(),
      [1, 'it was refused'],
    ],
  ])('that %s ends each call as one that was sent or dropped', async (_, answer, end) => {
    const collector = await startCollector(answer);
    const { otlp, ends } = opened(collector);
    otlp.take([aRecord()]);
    await otlp.close();
    expect(ends).toEqual([end]);
  });

  it('that asks for a pause of a day is asked again within a minute', async () => {
    const collector = await startCollector((_, response) =>
      response.writeHead(503, { 'Retry-After': '86400' }).end(),
    );
    const { otlp, timer } = opened(collector);
    otlp.take([aRecord()]);
    timer.pass(1_000);
    await expect.poll(timer.next).toBe(60_000);
    await otlp.close();
  });

  it('whose certificate nobody trusts is sent nothing', async () => {
    const { ca, server } = mintCertificates();
    const seen: unknown[] = [];
    const own = createHttpsServer(
      { cert: server.cert, key: server.key, ca: ca.cert },
      (request, response) => {
        seen.push(request);
        response.end();
      },
    );
    await new Promise<void>((resolve) => own.listen(0, resolve));
    onTestFinished(() => void own.close());
    const { port } = own.address() as AddressInfo;
    const { otlp, ends } = opened({ url: new URL(`https://localhost:${port}/`) });
    otlp.take([aRecord()]);
    await otlp.close();
    expect(ends).toEqual([[1, expect.stringMatching(/certificate/)]]);
    expect(seen).toEqual([]);
  });

  it.each([
    ['of zeros', `00-${'0'.repeat(32)}-${'1'.repeat(16)}-01`],
    ['of another form', `00-${TRACE.toUpperCase()}-${'1'.repeat(16)}-01`],
    ['of the version that is none', `ff-${TRACE}-${'1'.repeat(16)}-01`],
    ['of a version of today with more behind it', `00-${TRACE}-${'1'.repeat(16)}-01-more`],
    ['twice', `00-${TRACE}-${'1'.repeat(16)}-01, 00-${TRACE}-${'1'.repeat(16)}-01`],
    ['of a megabyte', `01-${TRACE}-${'1'.repeat(16)}-01-${'x'.repeat(1_048_576)}`],
  ])('is told no trace of a caller whose traceparent is one %s', async (_, traceparent) => {
    const collector = await startCollector();
    const { otlp } = opened(collector);
    const call = {
      operation: 'accounts.list',
      headers: { traceparent, tracestate: '\u0000'.repeat(9) },
    } as const;
    otlp.take([{ ...aRecord(), exchange: anExchange({ call, answer: { status: 200 } }) }]);
    await otlp.close();
    expect(collector.spans().map(({ trace }) => trace)).not.toContain(TRACE);
    expect(collector.requests[0]?.body.length).toBeLessThan(2_000);
  });

  it('gets no more than a few hundred bytes of a call of megabytes, with findings of megabytes', async () => {
    const collector = await startCollector();
    const { otlp } = opened(collector);
    const long = 'x'.repeat(1_048_576);
    const call = { method: long, target: `/${long}`, headers: { [`x-${'y'.repeat(99)}`]: long } };
    const large: Finding = { ...finding, place: `body ${long}`, expected: long, rule: long };
    otlp.take([
      {
        exchange: anExchange({ call: { ...call, body: long }, answer: { status: 200, body: long } }),
        verdicts: {},
        findings: Array.from({ length: 100 }, () => large),
      },
    ]);
    await otlp.close();
    expect(collector.spans()).toHaveLength(3);
    expect(collector.requests[0]?.body.length).toBeLessThan(16_384);
  });
});
