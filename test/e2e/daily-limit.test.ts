/** Four accesses a day without the PSU, over the wire, with a clock that is moved. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS, startTestGateway, type TestGateway } from './harness.js';

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startTestGateway();
});
afterEach(() => gateway.close());

const ACCOUNTS = '/stdgroup/v1/accounts';

describe('the daily limit', () => {
  const read = (token: string, path = ACCOUNTS, ip?: string) =>
    gateway.call(path, { headers: gateway.accountHeaders(token, { 'PSU-IP-Address': ip }) });

  it('refuses the fifth access of a day, until the next day', async () => {
    const token = await gateway.token();
    for (let i = 0; i < 4; i++) expect((await read(token)).status).toBe(200);
    const fifth = await read(token);
    expect([fifth.status, fifth.codes]).toEqual([429, ['ACCESS_EXCEEDED']]);
    expect(Number(fifth.headers['retry-after'])).toBeGreaterThan(0);
    gateway.move(DAY_MS);
    expect((await read(await gateway.token())).status).toBe(200);
  });

  it('counts each endpoint and account by itself, and no call that carries the PSU’s address', async () => {
    const token = await gateway.token();
    for (let i = 0; i < 4; i++) await read(token);
    expect((await read(token)).status).toBe(429);
    for (const path of ['', '/balances', '/transactions?bookingStatus=booked'])
      expect((await read(token, `${ACCOUNTS}/ACCOUNT_ID${path}`)).status).toBe(200);
    expect((await read(token, ACCOUNTS, '192.0.2.7')).status).toBe(200);
  });

  it('counts each TPP by itself', async () => {
    const token = await gateway.token();
    for (let i = 0; i < 5; i++) await read(token);
    const other = await gateway.token('AIS_VALID_CODE', 'tpp-other');
    const answer = await gateway.call(ACCOUNTS, {
      cert: 'tpp-other',
      headers: gateway.accountHeaders(other, { 'PSU-IP-Address': undefined }),
    });
    expect(answer.status).toBe(200);
  });

  it('is told by the admin listener: used and left of each key, and when it frees up', async () => {
    const token = await gateway.token();
    for (let i = 0; i < 5; i++) await read(token);
    await read(token, `${ACCOUNTS}/ACCOUNT_ID/balances`);
    await read(token, `${ACCOUNTS}/ACCOUNT_ID`, '192.0.2.7');
    const answer = await gateway.call('/api/budgets', { side: 'admin' });
    const tpp = 'PSDBE-NBB-0123456789';
    const key = {
      tpp,
      consent: 'VALID_CONSENT_ID',
      freesUpAt: expect.stringMatching(/T2[23]:00:00.000Z$/),
      freesUp: expect.stringMatching(/^00:00 on \d+ \w+ \(Europe\/Brussels\)$/),
    };
    expect(answer.json).toEqual([
      { ...key, operation: 'accounts.list', account: null, used: 4, allowed: 4, left: 0 },
      { ...key, operation: 'accounts.balances', account: 'ACCOUNT_ID', used: 1, allowed: 4, left: 3 },
    ]);
    expect((await gateway.call('/api/budgets?tpp=PSDDE-BAFIN-1', { side: 'admin' })).json).toEqual([]);
  });

  it('is not overshot by calls side by side', async () => {
    const token = await gateway.token();
    const answers = await Promise.all(Array.from({ length: 20 }, () => read(token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(4);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(16);
  });

  it('is recorded but not refused by the gateway in stance observe; the emulator, being the bank, refuses it', async () => {
    const observing = await startTestGateway({ stance: 'observe' });
    const token = await observing.token();
    const headers = observing.accountHeaders(token, { 'PSU-IP-Address': undefined });
    for (let i = 0; i < 4; i++) await observing.call(ACCOUNTS, { headers });
    const fifth = await observing.call(ACCOUNTS, { headers });
    expect([fifth.status, fifth.headers['sandgate-source']]).toEqual([429, 'emulator']);
    expect(fifth.headers['sandgate-findings']).toContain('accounts/within-daily-limit');
    await observing.close();
  });
});
