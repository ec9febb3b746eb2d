/** Calls that the gateway makes by itself, for a first journey or a token: no bank ever gets one. */
import { expect, it, onTestFinished } from 'vitest';
import { openBankBehind } from './bank-behind.js';
import type { TestGateway } from './harness.js';
import { livingTpp } from './living-tpp.js';

async function before(settings: object) {
  const behind = await openBankBehind(
    (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end('{}');
    },
    { source: 'emulator', bank: 'living', ...settings },
  );
  onTestFinished(behind.close);
  return behind;
}

const act = (gateway: TestGateway, path: string, json: object = {}) =>
  gateway.call(path, { side: 'admin', method: 'POST', json });

async function fill(gateway: TestGateway, consent: string) {
  const headers = { 'Consent-Id': consent, 'PSU-IP-Address': '192.0.2.1' };
  const wrong = await gateway.call('/stdgroup/v1/accounts', { headers });
  const id = wrong.headers['sandgate-exchange'];
  return act(gateway, `/api/exchanges/${id}/resend`, { headers: { Authorization: 'Bearer {token}' } });
}

it.each([
  { sources: { 'oauth.discovery': 'upstream' } },
  { sources: { 'oauth.authorize': 'upstream' } },
  { sources: { 'oauth.*': 'upstream' } },
])('where the bank answers a part of the authorisation, none is tried: %j', async (settings) => {
  const { gateway, seen } = await before(settings);
  const journey = await act(gateway, '/api/journeys');
  expect([journey.status, journey.json.error]).toEqual([409, expect.stringContaining('does not answer')]);
  const { id } = await livingTpp(gateway, 'tpp').createConsent();
  const filled = await fill(gateway, id);
  expect([filled.status, filled.json.error]).toEqual([409, expect.stringContaining('No access token')]);
  expect(seen).toEqual([]);
});

it('a chain whose emulator comes first asks no bank for the token of a consent that nobody knows', async () => {
  const { gateway, seen } = await before({ source: 'emulator,upstream' });
  expect((await act(gateway, '/api/journeys')).status).toBe(200);
  expect((await fill(gateway, 'consent-of-nobody')).status).toBe(409);
  expect(seen.filter(({ target }) => !target.endsWith('/accounts'))).toEqual([]);
});
