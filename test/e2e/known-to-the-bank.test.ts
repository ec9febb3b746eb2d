/** What is known to a bank of its own, and what only the gateway can know. */
import { afterEach, describe, expect, it } from 'vitest';
import { aPath } from '../store/stores.js';
import { type BankBehind, openBankBehind } from './bank-behind.js';
import type { TestGateway } from './harness.js';
import { exported, type Judgement, judgedFromFile, judgedInAllWays, judgedLive } from './judged-again.js';

const KNOWN = ['consents/known-to-tpp', 'payments/known-to-tpp', 'accounts/consent-known'] as const;

const open: BankBehind[] = [];
afterEach(async () => {
  for (const behind of open.splice(0)) await behind.close();
});

/** A bank that answers with 200 or 201, but to what is to be lost, and gives each creation an id of its own. */
async function behind(settings: Record<string, unknown>): Promise<BankBehind> {
  let created = 0;
  const bank = await openBankBehind(({ method, headers }, response) => {
    if (headers.some((name) => name.toLowerCase() === 'x-lost')) return void response.destroy();
    const id = headers[headers.findIndex((name) => name.toLowerCase() === 'x-request-id') + 1];
    const isNew = method === 'POST';
    response.writeHead(isNew ? 201 : 200, { 'Content-Type': 'application/json', 'X-Request-ID': id });
    const ids = isNew ? { consentId: `c-${++created}`, paymentId: `p-${created}` } : {};
    response.end(JSON.stringify({ ...ids, consentStatus: 'valid', accounts: [] }));
  }, settings);
  open.push(bank);
  return bank;
}

const CONSENTS = '/stdgroup/v1/consents';
async function sameAgain({ app }: TestGateway, session: string): Promise<void> {
  await app.recorder.drain();
  const unknownIn = (judged: readonly Judgement[]) =>
    judged.map(({ call, found }) => [call, ...found.filter((rule) => rule.includes('known'))]);
  const live = unknownIn(await judgedLive(app.store, session));
  for (const [way, again] of Object.entries(await judgedInAllWays(app.store, session)))
    expect(unknownIn(again), way).toEqual(live);
}

const PAYMENTS = '/stdgroup/v1/payments/sepa-credit-transfers';

describe('what the gateway saw one TPP create', () => {
  it('is of no other before a bank, also after a restart; what was never seen may be', async () => {
    const settings = { source: 'upstream', profile: 'production', store: aPath() };
    const { gateway: first } = await behind({ ...settings, stance: 'observe' });
    const { consentId } = (await first.call(CONSENTS, { json: {} })).json;
    const { paymentId } = (await first.call(PAYMENTS, { json: {} })).json;
    const statusesOf = async (gateway: TestGateway, cert: string, consent: string, payment: string) => {
      const headers = gateway.accountHeaders('older', { 'Consent-Id': consent });
      const replies = [
        await gateway.call(`${CONSENTS}/${consent}/status`, { cert }),
        await gateway.call(`${PAYMENTS}/${payment}/status`, { cert }),
        await gateway.call('/stdgroup/v1/accounts', { cert, headers }),
      ];
      return replies.map(({ status, codes }) => [status, ...codes].join(' '));
    };
    await statusesOf(first, 'tpp-other', consentId, paymentId);
    const found = (await first.records()).slice(-3).map(({ findings }) => findings.map(({ rule }) => rule));
    for (const [i, rule] of KNOWN.entries()) expect(found[i]).toContain(rule);
    await sameAgain(first, 'test');
    await open.shift()?.close();

    const { gateway, seen } = await behind({ ...settings, stance: 'enforce', session: 'later' });
    expect(await statusesOf(gateway, 'tpp-other', consentId, paymentId)).toEqual([
      ...['403 CONSENT_UNKNOWN', '403 RESOURCE_UNKNOWN', '400 CONSENT_UNKNOWN'],
    ]);
    expect(seen).toEqual([]);
    expect(await statusesOf(gateway, 'tpp', consentId, paymentId)).toEqual(['200', '200', '200']);
    expect(await statusesOf(gateway, 'tpp-other', 'older', 'older')).toEqual(['200', '200', '200']);
    await sameAgain(gateway, 'later');
  });
});

describe('a file with findings only, whose first call no bank answered', () => {
  it.each([
    ['the gateway refused it for something else', { 'X-Request-ID': undefined }, 400],
    ['the bank was gone', { 'X-Lost': 'yes' }, 502],
  ])('blames nobody for what was known live: %s', async (_, more, status) => {
    const { gateway } = await behind({ source: 'upstream', stance: 'enforce', profile: 'production' });
    const headers = gateway.accountHeaders('older', { 'Consent-Id': 'older', ...more });
    expect((await gateway.call('/stdgroup/v1/accounts', { headers })).status).toBe(status);
    const [live] = await gateway.records();
    const file = await exported(gateway.app.store, 'test', 'cassette', false);
    expect(file).not.toContain('"verdicts"');
    const [again] = await judgedFromFile(file, 'production');
    expect(again?.found).toEqual(live?.findings.map(({ rule }) => rule).sort());
  });
});

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
