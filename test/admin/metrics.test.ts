/** /metrics: what was recorded, by labels that no caller can multiply. */
import { Registry } from 'prom-client';
import { afterEach, describe, expect, it } from 'vitest';
import { createMetrics, createTally, type Metrics } from '../../src/admin/index.js';
import { buildAdmin } from '../../src/admin/server.js';
import type { Finding } from '../../src/rules/index.js';
import { anExchange, type CallParts } from '../builders.js';

const finding: Finding = {
  rule: 'requests/request-id-present',
  severity: 'must',
  judges: 'tpp',
  place: 'header X-Request-ID',
  expected: 'a UUID',
};

const open: Metrics[] = [];
function someMetrics(waiting = 0): Metrics {
  const metrics = createMetrics({
    waiting: () => waiting,
    isRecording: () => true,
    diskFree: () => 4_096,
    told: createTally(),
  });
  open.push(metrics);
  return metrics;
}
afterEach(() => {
  for (const metrics of open.splice(0)) metrics.close();
});

const call = (call: CallParts, status = 200) => anExchange({ call, answer: { status } });
const linesOf = async (metrics: Metrics, name: string) =>
  (await metrics.render())
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));

describe('the metrics', () => {
  it('count exchanges by operation, status and source, and findings by rule', async () => {
    const metrics = someMetrics();
    metrics.observe(call({ operation: 'accounts.list' }), []);
    metrics.observe(call({ operation: 'accounts.list' }), [finding]);
    metrics.observe(call({ operation: 'accounts.list' }, 429), [finding, { ...finding, severity: 'should' }]);
    expect(await linesOf(metrics, 'sandgate_exchanges_total')).toEqual([
      'sandgate_exchanges_total{operation="accounts.list",status="200",source="emulator"} 2',
      'sandgate_exchanges_total{operation="accounts.list",status="429",source="emulator"} 1',
    ]);
    expect(await linesOf(metrics, 'sandgate_findings_total')).toEqual([
      'sandgate_findings_total{rule="requests/request-id-present",severity="must",judges="tpp"} 2',
      'sandgate_findings_total{rule="requests/request-id-present",severity="should",judges="tpp"} 1',
    ]);
  });

  it('tell the same however often they are asked', async () => {
    const metrics = someMetrics();
    metrics.observe(call({ operation: 'accounts.list' }), []);
    const first = await linesOf(metrics, 'sandgate_exchanges_total');
    expect(await linesOf(metrics, 'sandgate_exchanges_total')).toEqual(first);
  });

  it('put durations into classes that add up', async () => {
    const metrics = someMetrics();
    for (const total of [0.2, 0.5, 3, 700, 20_000])
      metrics.observe(
        { ...call({ operation: 'accounts.list' }), elapsed: { total, answerer: total / 2 } },
        [],
      );
    const name = 'sandgate_exchange_duration_seconds';
    const buckets = (await linesOf(metrics, `${name}_bucket`)).map((line) => [
      /le="([^"]+)"/.exec(line)?.[1],
      Number(line.split(' ').at(-1)),
    ]);
    expect(buckets).toEqual([
      ['0.0005', 2],
      ['0.001', 2],
      ['0.0025', 2],
      ['0.005', 3],
      ['0.01', 3],
      ['0.025', 3],
      ['0.05', 3],
      ['0.1', 3],
      ['0.25', 3],
      ['0.5', 3],
      ['1', 4],
      ['2.5', 4],
      ['5', 4],
      ['10', 4],
      ['+Inf', 5],
    ]);
    expect(await linesOf(metrics, `${name}_count`)).toEqual([`${name}_count{operation="accounts.list"} 5`]);
    expect(await linesOf(metrics, `${name}_sum`)).toEqual([`${name}_sum{operation="accounts.list"} 20.7037`]);
    expect((await linesOf(metrics, 'sandgate_bank_duration_seconds_sum'))[0]).toMatch(/ 10\.35/);
  });

  it.each([
    ['a bank that refuses', 'refused', 502, 'gateway', 'bank'],
    ['a bank that is silent', 'timeout', 504, 'gateway', 'bank'],
    ['too many calls to the bank', 'overload', 503, 'gateway', 'bank'],
    ['a bank that breaks off in its answer', 'reset', 200, 'upstream', 'bank'],
    ['no source that answers', 'refused', 503, 'gateway', 'gateway'],
    ['an error of the gateway', 'internal', 500, 'gateway', 'gateway'],
    ['a body in an unknown coding', 'malformed', 415, 'gateway', 'client'],
    ['a request that does not arrive', 'timeout', 408, 'gateway', 'client'],
    ['a body that is too large', 'too-large', 413, 'gateway', 'client'],
    ['a call that no recording holds', 'refused', 404, 'replay', 'client'],
    ['a client that went away from a queue', 'client-gone', 503, 'gateway', 'client'],
    ['a failed handshake', 'handshake', null, null, 'client'],
    ['a handshake without end', 'timeout', null, null, 'client'],
    ['a connection too many', 'overload', null, null, 'client'],
  ] as const)('count %s (%s, %s) on the right side', async (_, kind, status, source, side) => {
    const metrics = someMetrics();
    const made = anExchange(status === null ? { answer: null } : { answer: { status, source } });
    metrics.observe({ ...made, fault: { kind, message: 'as told' } }, []);
    expect(await linesOf(metrics, 'sandgate_faults_total')).toEqual([
      `sandgate_faults_total{kind="${kind}",side="${side}"} 1`,
    ]);
  });

  it('count a callback apart from the calls to the bank: the TPP answers it', async () => {
    const metrics = someMetrics();
    const made = anExchange({ call: { target: '/hook' }, answer: { source: 'upstream' } });
    const callback = { ...made, call: made.call.with({ listener: 'callback' }) };
    metrics.observe(callback, []);
    metrics.observe({ ...callback, answer: null, fault: { kind: 'timeout', message: 'No answer.' } }, []);
    expect(await linesOf(metrics, 'sandgate_exchanges_total')).toEqual([
      'sandgate_exchanges_total{operation="callback",status="200",source="tpp"} 1',
      'sandgate_exchanges_total{operation="callback",status="none",source="none"} 1',
    ]);
    expect(await linesOf(metrics, 'sandgate_faults_total')).toEqual([
      'sandgate_faults_total{kind="timeout",side="callback"} 1',
    ]);
  });

  it('name no path, no TPP and no id', async () => {
    const metrics = someMetrics();
    for (let i = 0; i < 50; i++) {
      const made = call({ operation: 'accounts.list' });
      metrics.observe({ ...made, call: made.call.with({ operation: null, tpp: `PSDBE-NBB-${i}` }) }, []);
    }
    const text = await metrics.render();
    expect(text).not.toMatch(/PSDBE|stdgroup/);
    expect(await linesOf(metrics, 'sandgate_exchanges_total')).toHaveLength(1);
  });

  it('put what is beyond all bounds under one label, and count it still', async () => {
    const metrics = someMetrics();
    for (let status = 0; status < 5_000; status++)
      metrics.observe(call({ operation: 'accounts.list' }, status), []);
    const lines = await linesOf(metrics, 'sandgate_exchanges_total');
    expect(lines.length).toBeLessThanOrEqual(2_001);
    expect(lines.at(-1)).toBe(
      'sandgate_exchanges_total{operation="other",status="other",source="other"} 3000',
    );
  });

  it('tell how the process does', async () => {
    const metrics = someMetrics(7);
    expect(await linesOf(metrics, 'sandgate_recorder_waiting')).toEqual(['sandgate_recorder_waiting 7']);
    expect(await linesOf(metrics, 'sandgate_event_loop_lag_seconds')).toHaveLength(4);
    for (const name of [
      'process_resident_memory_bytes',
      'nodejs_heap_size_used_bytes',
      'process_cpu_seconds_total',
    ])
      expect(Number((await linesOf(metrics, name))[0]?.split(' ')[1])).toBeGreaterThan(0);
  });

  it('are those of one gateway alone', async () => {
    const [one, other] = [someMetrics(), someMetrics()];
    one.observe(call({ operation: 'accounts.list' }), []);
    expect(await linesOf(other, 'sandgate_exchanges_total')).toEqual([]);
  });

  it('are in a form that Prometheus takes: each with help and type, each line a sample', async () => {
    const metrics = someMetrics();
    metrics.observe(call({ operation: 'accounts.list' }), [finding]);
    const server = buildAdmin({ host: '127.0.0.1', token: undefined, checks: [], metrics });
    const answer = await server.inject({ url: '/metrics', headers: { host: 'localhost' } });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([
      200,
      Registry.PROMETHEUS_CONTENT_TYPE,
    ]);
    const lines = answer.body.split('\n').filter((line) => line !== '');
    const types = new Set(
      lines.flatMap((line) => /^# TYPE (\S+) (?:counter|gauge|histogram)$/.exec(line)?.[1] ?? []),
    );
    for (const line of lines) {
      if (line.startsWith('#')) expect(line).toMatch(/^# (?:HELP|TYPE) [a-z_]+ \S/);
      else {
        const [, name] = /^([a-z_]+)(?:\{(?:[a-z]+="[^"]*",?)+\})? -?[0-9.e+-]+$/.exec(line) ?? [];
        expect(
          types.has(String(name).replace(/_(?:bucket|sum|count)$/, '')) || types.has(String(name)),
          line,
        ).toBe(true);
      }
    }
  });
});
