import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../src/exchange/index.js';
import { createFailedConnections } from '../../src/gateway/index.js';
import { NOW } from '../builders.js';

function failuresAt(clock: () => number) {
  const taken: Exchange[] = [];
  let ids = 0;
  const failures = createFailedConnections({
    session: () => 'test',
    time: () => ({ at: clock(), ahead: 0 }),
    nextId: () => `id-${++ids}`,
    recorder: {
      take: async (exchange) => {
        taken.push(exchange);
      },
    },
  });
  const fail = (address: string) =>
    failures.take({
      listener: 'api',
      peer: { connection: { address, tls: 'not-observed' }, certificate: 'not-observed' },
      fault: { kind: 'handshake', message: 'It failed.' },
      status: null,
    });
  return { fail, taken };
}

describe('failed connections', () => {
  it('are recorded as exchanges without request', () => {
    const { fail, taken } = failuresAt(() => NOW);
    fail('192.0.2.1');
    expect(taken).toEqual([
      expect.objectContaining({ answer: null, fault: { kind: 'handshake', message: 'It failed.' } }),
    ]);
    expect(taken[0]?.call).toMatchObject({ operation: null, tpp: null, request: { method: '', target: '' } });
    expect(taken[0]?.call.nearest).toBeUndefined();
  });

  it('of one address are recorded five times a second, and counted beyond', () => {
    let now = NOW;
    const { fail, taken } = failuresAt(() => now);
    for (let i = 0; i < 100; i++) fail('192.0.2.1');
    expect(taken).toHaveLength(5);
    now += 1_000;
    fail('192.0.2.1');
    expect(taken.at(-1)?.fault?.message).toBe('It failed. 95 earlier failures were only counted.');
  });

  it('of many addresses are recorded fifty times a second together', () => {
    const { fail, taken } = failuresAt(() => NOW);
    for (let i = 0; i < 500; i++) fail(`10.0.${i % 250}.${Math.floor(i / 250)}`);
    expect(taken).toHaveLength(50);
  });
});
