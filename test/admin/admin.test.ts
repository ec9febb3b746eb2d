import { describe, expect, it } from 'vitest';
import { buildAdmin, type ReadinessCheck } from '../../src/admin/index.js';

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
    ['its own Origin', { host: 'localhost:8445', origin: 'http://localhost:8445' }, 200],
    ['a loopback Host in capitals', { host: 'LOCALHOST:1' }, 200],
    ['the IPv6 loopback', { host: '[::1]:8445' }, 200],
  ])('without token answers %s as it should', async (_name, headers, status) => {
    const answer = await admin().inject({ url: '/healthz', headers });
    expect(answer.statusCode).toBe(status);
  });

  it.each([
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
    expect([answer.statusCode, answer.json()]).toEqual([404, { error: 'There is no GET /nothing here.' }]);
  });
});
