/** Consents and accounts of a living bank with habits, over the wire: the TPP stays right, and no must is found against it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createPopulation } from '../../../src/bank/index.js';
import { bankDateAt } from '../../../src/spec/index.js';
import { folderOfTest } from '../../folder.js';
import { DAY_MS } from '../harness.js';
import { BACK, type Linked, type LivingTpp, startLivingBank } from '../living.js';

const SEED = { bankPsus: 20 };

/** A bank with these habits, and no other. */
async function bankWith(habits: object): Promise<LivingTpp> {
  const file = join(folderOfTest(), 'habits.json');
  writeFileSync(file, JSON.stringify(habits));
  const tpp = await startLivingBank({ bankHabits: file, ...SEED });
  onTestFinished(async () => {
    const blamed = (await tpp.gateway.records()).flatMap(({ findings }) =>
      findings.filter(({ judges, severity }) => judges === 'tpp' && severity === 'must'),
    );
    await tpp.gateway.close();
    expect(blamed.map(({ rule, actual }) => `${rule}: ${actual}`)).toEqual([]);
  });
  return tpp;
}

const read = (tpp: LivingTpp, path: string, { id, token }: Linked) =>
  tpp.ask(`GET ${path}`, { consent: id, token });
const statusOf = async (tpp: LivingTpp, id: string): Promise<string> =>
  (await tpp.ask(`GET /consents/${id}/status`)).json.consentStatus;
/** A new authorisation of a consent; the id that its answer names. */
const again = async (tpp: LivingTpp, id: string) => {
  const started = await tpp.ask(`POST /consents/${id}/authorisations`, {
    json: {},
    headers: { 'TPP-Redirect-URI': BACK },
  });
  expect(started.status, started.text).toBe(201);
  return { id, authorisation: started.json.authorisationId as string };
};
const exchanged = async (tpp: LivingTpp, back: URL): Promise<string> => {
  const { status, json, text } = await tpp.exchange({ code: back.searchParams.get('code') ?? '' });
  expect(status, text).toBe(200);
  return json.access_token;
};
const dayIn = (tpp: LivingTpp, days: number) => bankDateAt(tpp.gateway.now() + days * DAY_MS);

describe('a consent', () => {
  it('may last 180 days, which its creation and its reads tell', async () => {
    const tpp = await bankWith({ consents: { halfYear: 1 } });
    const validUntil = dayIn(tpp, 170);
    const created = await tpp.create({ validUntil });
    await tpp.authorise(created);
    expect((await tpp.ask(`GET /consents/${created.id}`)).json.validUntil).toBe(validUntil);
    tpp.gateway.move(100 * DAY_MS);
    expect(await statusOf(tpp, created.id)).toBe('valid');
  });

  it('stays valid where its access ends, and gives it again after a new SCA', async () => {
    const tpp = await bankWith({ consents: { scaAgain: 1, halfYear: 1 } });
    const linked = await tpp.linked({ validUntil: dayIn(tpp, 170) });
    expect((await read(tpp, '/accounts', linked)).status).toBe(200);
    tpp.gateway.move(91 * DAY_MS);
    expect(await statusOf(tpp, linked.id)).toBe('valid');
    const back = await tpp.authorise(await again(tpp, linked.id));
    const token = await exchanged(tpp, back);
    expect((await read(tpp, '/accounts', { ...linked, token })).status).toBe(200);
  });

  it('whose access ended is 401 CONSENT_INVALID, with a text that says what to do', async () => {
    const tpp = await bankWith({ consents: { scaAgain: 1 } });
    const linked = await tpp.linked({ validUntil: dayIn(tpp, 80) });
    let token = linked.token;
    let refresh = linked.refresh;
    for (let day = 0; day < 79; day += 10) {
      tpp.gateway.move(10 * DAY_MS);
      const form = { client_id: 'VALID_CLIENT_ID', grant_type: 'refresh_token', refresh_token: refresh };
      const { json } = await tpp.gateway.call('/stdgroup/v1/token', { form });
      ({ access_token: token, refresh_token: refresh } = json);
      const answer = await read(tpp, '/accounts', { ...linked, token });
      if (answer.status === 200) continue;
      expect([answer.status, ...answer.codes]).toEqual([401, 'CONSENT_INVALID']);
      expect(answer.text).toContain('Start a new authorisation');
      return expect(await statusOf(tpp, linked.id)).toBe('valid');
    }
    throw new Error('its access did not end');
  });

  it('is revoked by its PSU without anybody asking', async () => {
    const tpp = await bankWith({ consents: { revoked: 1 } });
    const linked = await tpp.linked();
    tpp.gateway.move(DAY_MS);
    expect(await statusOf(tpp, linked.id)).toBe('valid');
    tpp.gateway.move(59 * DAY_MS + 3_600_000);
    expect(await statusOf(tpp, linked.id)).toBe('revokedByPsu');
  });

  it('gives the accounts resource ids of its own, by which they are read', async () => {
    const tpp = await bankWith({ consents: { ownIds: 1 } });
    const linked = [
      await tpp.linked(),
      await tpp.linked({ recurringIndicator: false, frequencyPerDay: 1 }),
    ] as const;
    const ids = await Promise.all(
      linked.map(async (one) => (await read(tpp, '/accounts', one)).json.accounts),
    );
    const [first, second] = ids.map(
      (accounts) => new Map(accounts.map((one: Record<string, string>) => [one.iban, one.resourceId])),
    );
    expect([...(first?.keys() ?? [])]).toEqual([...(second?.keys() ?? [])]);
    for (const [iban, id] of first ?? []) {
      expect(second?.get(iban)).not.toBe(id);
      const balances = await read(tpp, `/accounts/${id}/balances`, linked[0]);
      expect([balances.status, balances.json?.account.iban]).toEqual([200, iban]);
    }
    const own = createPopulation({ seed: 42, count: 20 }).accountsOf('psu-1')[0]?.resourceId;
    expect((await read(tpp, `/accounts/${own}`, linked[0])).status).toBe(404);
  });

  it('of a business account is partiallyAuthorised until a second owner agrees', async () => {
    const tpp = await bankWith({ accounts: { twoSignatories: 1 } });
    const created = await tpp.create();
    const early = await exchanged(tpp, await tpp.authorise(created, { psu: 'psu-4' }));
    expect(await statusOf(tpp, created.id)).toBe('partiallyAuthorised');
    const second = await again(tpp, created.id);
    await tpp.authorise(second, { psu: 'psu-5' });
    expect(await statusOf(tpp, created.id)).toBe('valid');
    const linked = { ...created, token: early, refresh: '' };
    const { accounts } = (await read(tpp, '/accounts', linked)).json;
    expect(accounts.map(({ usage }: { usage: string }) => usage)).toContain('ORGA');
  });
});

describe('an account', () => {
  it('that changes its IBAN is found by the old one for a while', async () => {
    const tpp = await bankWith({ accounts: { ibanChanged: 1 } });
    const [before] = createPopulation({ seed: 42, count: 20 }).accountsOf('psu-1');
    // All have changed theirs within the year in which habits begin, and the old ones lead there 90 days longer.
    tpp.gateway.move(Date.parse('2027-01-01T00:00:00Z') - tpp.gateway.now());
    const linked = await tpp.linked();
    const [account] = (await read(tpp, '/accounts', linked)).json.accounts;
    expect(account.resourceId).toBe(before?.resourceId);
    expect(account.iban).not.toBe(before?.iban);
    tpp.gateway.move(91 * DAY_MS);
    const funds = (iban: string) =>
      tpp.ask('POST /funds-confirmations', {
        json: { account: { iban }, instructedAmount: { currency: 'EUR', amount: '1.00' } },
      });
    expect((await funds(account.iban)).status).toBe(200);
    expect((await funds(before?.iban ?? '')).codes).toEqual(['NO_PIIS_ACTIVATION']);
  });
});
