/** What is known to a bank of its own, and what only the gateway can know. */
import { afterEach, describe, expect, it } from 'vitest';
import { type BankBehind, openBankBehind } from './bank-behind.js';

const open: BankBehind[] = [];
afterEach(async () => {
  for (const behind of open.splice(0)) await behind.close();
});

/** A bank that answers everything with 200 or 201, and gives each creation an id of its own. */
async function behind(settings: Record<string, unknown>): Promise<BankBehind> {
  let created = 0;
  const bank = await openBankBehind(({ method, headers }, response) => {
    const id = headers[headers.findIndex((name) => name.toLowerCase() === 'x-request-id') + 1];
    const isNew = method === 'POST';
    response.writeHead(isNew ? 201 : 200, { 'Content-Type': 'application/json', 'X-Request-ID': id });
    const ids = isNew ? { consentId: `c-${++created}`, paymentId: `p-${created}` } : {};
    response.end(JSON.stringify({ ...ids, consentStatus: 'valid', accounts: [] }));
  }, settings);
  open.push(bank);
  return bank;
}

describe('a chain that asks the emulator before a bank', () => {
  it.each(['sandbox', 'living'])('refuses what the %s bank does not know', async (bank) => {
    const { gateway, seen } = await behind({ source: 'emulator,upstream', bank, stance: 'enforce' });
    const headers = gateway.accountHeaders('invented');
    const read = await gateway.call('/stdgroup/v1/accounts', { headers });
    expect([read.status, read.codes]).toEqual([401, ['TOKEN_UNKNOWN']]);
    const consent = await gateway.call('/stdgroup/v1/consents/NOBODY');
    expect([consent.status, consent.codes, seen.length]).toEqual([403, ['CONSENT_UNKNOWN'], 0]);
  });

  it('blames nobody where the bank is asked first', async () => {
    const { gateway, seen } = await behind({ source: 'upstream,emulator', stance: 'enforce' });
    expect((await gateway.call('/stdgroup/v1/consents/OLDER')).status).toBe(200);
    expect(seen).toHaveLength(1);
  });
});
