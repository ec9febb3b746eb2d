import { describe, expect, it } from 'vitest';
import type { ReadinessCheck } from '../../src/admin/index.js';
import { buildAdmin } from '../../src/admin/server.js';

const fine: ReadinessCheck = { name: 'store', check: () => null };
const broken: ReadinessCheck = { name: 'certificates', check: () => 'It is over.' };
const token = '0123456789abcdef';

function admin(options: { token?: string; checks?: readonly ReadinessCheck[] } = {}) {
  return buildAdmin({ host: '127.0.0.1', token: options.token, checks: options.checks ?? [fine] });
}

describe('the health of the gateway', () => {
  it('is alive as soon as it answers', async () => {
    const answer = await admin().inject({ url: '/healthz', headers: { host: 'localhost:8445' } });
    expect([answer.statusCode, answer.json()]).toEqual([200, { status: 'ok' }]);
  });

  it('is ready when every check is fine, and says which is not', async () => {
    const ready = await admin().inject({ url: '/readyz', headers: { host: '127.0.0.1:8445' } });
    expect([ready.statusCode, ready.json().status]).toEqual([200, 'ready']);
    const not = await admin({ checks: [fine, broken] }).inject({
      url: '/readyz',
      headers: { host: 'localhost' },
    });
    expect(not.statusCode).toBe(503);
    expect(not.json().checks).toEqual([
      { name: 'store', ok: true },
      { name: 'certificates', ok: false, problem: 'It is over.' },
    ]);
  });

  it('is not ready where a check itself fails', async () => {
    const failing = { name: 'store', check: () => JSON.parse('{') };
    const answer = await admin({ checks: [failing] }).inject({
      url: '/readyz',
      headers: { host: 'localhost' },
    });
    expect(answer.statusCode).toBe(503);
  });
});

describe('the admin listener', () => {
  it.each([
    ['a foreign Host', { host: 'evil.example' }, 403],
    ['a foreign Origin', { host: 'localhost:8445', origin: 'https://evil.example' }, 403],
    ['an Origin on another port', { host: 'localhost:8445', origin: 'http://localhost:3000' }, 403],
    ['an Origin of null', { host: 'localhost:8445', origin: 'null' }, 403],
    ['an Origin of another scheme', { host: 'localhost:8445', origin: 'https://localhost:8445' }, 403],
    [
      'an Origin of another scheme that a proxy is said to speak',
      { host: 'localhost:8445', origin: 'https://localhost:8445', 'x-forwarded-proto': 'https' },
      403,
    ],
    ['its own Origin', { host: 'localhost:8445', origin: 'http://localhost:8445' }, 200],
    ['a loopback Host in capitals', { host: 'LOCALHOST:1' }, 200],
    ['the IPv6 loopback', { host: '[::1]:8445' }, 200],
  ])('without token answers %s as it should', async (_name, headers, status) => {
    const answer = await admin().inject({ url: '/healthz', headers });
    expect(answer.statusCode).toBe(status);
  });

  it.each([
    ['an Origin of another scheme', { host: 'x.example', origin: 'https://x.example' }, 403],
    [
      'the Origin of a proxy that speaks TLS',
      { host: 'x.example', origin: 'https://x.example', 'x-forwarded-proto': 'https' },
      401,
    ],
    ['no token', {}, 401],
    ['a wrong token', { authorization: 'Bearer 0123456789abcdeX' }, 401],
    ['another scheme', { authorization: `Basic ${token}` }, 401],
    ['the token', { authorization: `Bearer ${token}` }, 404],
  ])('with a token answers %s as it should', async (_name, headers, status) => {
    const answer = await admin({ token }).inject({
      url: '/api/sessions',
      headers: { host: 'any.example', ...headers },
    });
    expect(answer.statusCode).toBe(status);
  });

  it('asks no token of the health checks', async () => {
    const answer = await admin({ token }).inject({
      url: '/healthz?probe=1',
      headers: { host: '10.0.0.7:8445' },
    });
    expect(answer.statusCode).toBe(200);
  });

  it('answers a path that it does not have', async () => {
    const answer = await admin().inject({ url: '/nothing?x=1', headers: { host: 'localhost' } });
    expect([answer.statusCode, answer.json()]).toEqual([
      404,
      { error: 'There is no GET /nothing here. Operators call this listener; TPPs call that of --listen.' },
    ]);
  });
});

describe('GET /api/budgets', () => {
  const budget = {
    ...{ tpp: 'PSDBE-NBB-1', consentId: 'C', operation: 'accounts.list', accountId: '' },
    ...{ used: 3, allowed: 4, left: 1, freesUp: 'tomorrow', freesUpAt: Date.UTC(2026, 5, 15, 22) },
  };
  const other = { ...budget, tpp: 'PSDDE-BAFIN-2', operation: 'accounts.balances', accountId: 'A' };
  const budgets = { current: async () => [budget, other] };
  const get = (url: string, headers: Record<string, string> = { host: 'localhost' }, secret?: string) =>
    buildAdmin({ host: '127.0.0.1', token: secret, checks: [], ports: { budgets } }).inject({ url, headers });

  it('tells of each key what is used, allowed and left, and when it frees up', async () => {
    const answer = await get('/api/budgets');
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(answer.json()).toEqual([
      {
        ...{ tpp: 'PSDBE-NBB-1', consent: 'C', operation: 'accounts.list', account: null },
        ...{ used: 3, allowed: 4, left: 1, freesUp: 'tomorrow', freesUpAt: '2026-06-15T22:00:00.000Z' },
      },
      expect.objectContaining({ tpp: 'PSDDE-BAFIN-2', account: 'A' }),
    ]);
  });

  it.each([
    ['?tpp=PSDDE-BAFIN-2', ['PSDDE-BAFIN-2']],
    ['?tpp=PSDDE-BAFIN-2&tpp=PSDBE-NBB-1', ['PSDBE-NBB-1', 'PSDDE-BAFIN-2']],
    ['?tpp=nobody', []],
  ])('of the organisations that are asked for: %s', async (query, tpps) => {
    const answer = await get(`/api/budgets${query}`);
    expect(answer.json().map(({ tpp }: { tpp: string }) => tpp)).toEqual(tpps);
  });

  it('is guarded as every other call', async () => {
    expect((await get('/api/budgets', { host: 'evil.example' })).statusCode).toBe(403);
    expect((await get('/api/budgets', { host: 'x' }, token)).statusCode).toBe(401);
    const authorization = `Bearer ${token}`;
    expect((await get('/api/budgets', { host: 'x', authorization }, token)).statusCode).toBe(200);
  });
});
