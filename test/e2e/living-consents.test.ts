/** Consents of the living bank over the wire: what is asked for, granted, read and ended. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPopulation } from '../../src/bank/index.js';
import { bankDateAt } from '../../src/spec/index.js';
import { DAY_MS } from './harness.js';
import { BACK, type Linked, type LivingTpp, livingTpp, startLivingBank } from './living.js';

const { accountsOf } = createPopulation({ seed: 42, count: 10 });
const OWN = accountsOf('psu-1').filter(({ status }) => status !== 'deleted');
const OTHER = accountsOf('psu-2').find(({ owners }) => !owners.includes('psu-1'));
const [first, second] = OWN as [(typeof OWN)[number], (typeof OWN)[number]];

let tpp: LivingTpp;
let other: LivingTpp;
beforeAll(async () => {
  tpp = await startLivingBank();
  other = livingTpp(tpp.gateway, 'tpp-other');
});
afterAll(() => tpp.gateway.close());

const consentOf = async (id: string) => (await tpp.ask(`GET /consents/${id}`)).json;
const told = async (asked: string, linked: Linked, headers = {}) => {
  const { status, codes } = await tpp.ask(asked, { consent: linked.id, token: linked.token, headers });
  return [status, ...codes].join(' ');
};
const listed = async ({ id, token }: Linked) =>
  (await tpp.ask('GET /accounts', { consent: id, token })).json.accounts;

describe('a consent', () => {
  it('is received, then valid, and every link of its answers leads on', async () => {
    const created = await tpp.create();
    expect(await consentOf(created.id)).toMatchObject({ consentStatus: 'received' });
    const back = await tpp.authorise(created);
    const read = await consentOf(created.id);
    expect(read).toMatchObject({ consentStatus: 'valid', access: { allPsd2: 'allAccounts' } });
    const { json } = await tpp.exchange({ code: back.searchParams.get('code') ?? '' });
    const headers = tpp.gateway.accountHeaders(json.access_token, { 'Consent-Id': created.id });
    const list = await tpp.gateway.call(read._links.account.href, { headers });
    expect(list.json.accounts).toHaveLength(accountsOf('psu-1').length);
    for (const { _links } of list.json.accounts)
      for (const [name, { href }] of Object.entries(_links) as [string, { href: string }][]) {
        const query = name === 'transactions' ? '?bookingStatus=both' : '';
        const answer = await tpp.gateway.call(`${href}${query}`, { headers });
        expect(answer.status, answer.text).toBe(200);
      }
  });

  it('that names accounts gives these and no more, and shows them', async () => {
    const { iban, currency, resourceId } = first;
    const linked = await tpp.linked({ access: { balances: [{ iban }] } });
    expect((await consentOf(linked.id)).access).toEqual({ balances: [{ iban, currency }] });
    const [only, ...more] = await listed(linked);
    expect([only.resourceId, more.length, Object.keys(only._links)]).toEqual([
      resourceId,
      0,
      ['account', 'balances'],
    ]);
    expect(await told(`GET /accounts/${resourceId}/balances`, linked)).toBe('200');
    expect(await told(`GET /accounts/${resourceId}/transactions?bookingStatus=booked`, linked)).toBe(
      '401 CONSENT_INVALID',
    );
    expect(await told(`GET /accounts/${second.resourceId}`, linked)).toBe('401 CONSENT_INVALID');
    expect(await told('GET /accounts/no-account', linked)).toBe('404 RESOURCE_UNKNOWN');
  });

  it('with empty lists gives what the PSU selects', async () => {
    const linked = await tpp.linked(
      { access: { accounts: [], transactions: [] } },
      { accounts: second.resourceId },
    );
    const { iban, currency, resourceId } = second;
    expect((await consentOf(linked.id)).access).toEqual({
      accounts: [{ iban, currency }],
      transactions: [{ iban, currency }],
    });
    expect((await listed(linked)).map((one: { resourceId: string }) => one.resourceId)).toEqual([resourceId]);
    expect(await told(`GET /accounts/${resourceId}/balances`, linked)).toBe('401 CONSENT_INVALID');
  });

  it('availableAccounts gives the list alone, with balances where it asks for them', async () => {
    const list = await tpp.linked({ access: { availableAccounts: 'allAccounts' } });
    expect((await listed(list))[0]).not.toHaveProperty('_links');
    expect(await told(`GET /accounts/${first.resourceId}`, list)).toBe('401 CONSENT_INVALID');
    const balances = await tpp.linked({ access: { availableAccountsWithBalance: 'allAccounts' } });
    expect((await listed(balances))[0].balances.length).toBeGreaterThan(0);
    expect(await told(`GET /accounts/${first.resourceId}/balances`, balances)).toBe('200');
    expect(await told(`GET /accounts/${first.resourceId}`, balances)).toBe('401 CONSENT_INVALID');
  });

  it('shows the name of an owner only where it was asked for', async () => {
    const accounts = [{ iban: first.iban }];
    const [plain] = await listed(await tpp.linked({ access: { accounts } }));
    expect(plain).not.toHaveProperty('ownerName');
    const additionalInformation = { ownerName: accounts };
    const [named] = await listed(await tpp.linked({ access: { accounts, additionalInformation } }));
    expect(named.ownerName).toBe(first.ownerName);
  });

  it('names an account as people write IBANs, with blanks and in small letters', async () => {
    const iban = first.iban.replace(/.{4}/g, '$& ').toLowerCase();
    const linked = await tpp.linked({ access: { balances: [{ iban }] } });
    const { currency } = first;
    expect((await consentOf(linked.id)).access).toEqual({ balances: [{ iban: first.iban, currency }] });
  });

  it('that names an account in a currency which it is not in, is told so', async () => {
    const json = {
      access: { accounts: [{ iban: first.iban, currency: 'CHF' }] },
      ...{ recurringIndicator: true, validUntil: '9999-12-31', frequencyPerDay: 4 },
      combinedServiceIndicator: false,
    };
    const refused = await tpp.ask('POST /consents', { json, headers: { 'TPP-Redirect-URI': BACK } });
    expect(refused.json.tppMessages[0].text).toContain(`${first.iban} in CHF`);
  });

  it('that names an account which the bank has not, is refused at its creation', async () => {
    const json = {
      access: { accounts: [{ iban: first.iban }, { iban: 'BE68539007547034' }] },
      ...{ recurringIndicator: true, validUntil: '9999-12-31', frequencyPerDay: 4 },
      combinedServiceIndicator: false,
    };
    const refused = await tpp.ask('POST /consents', { json, headers: { 'TPP-Redirect-URI': BACK } });
    expect([refused.status, refused.json.tppMessages[0].code, refused.json.tppMessages[0].path]).toEqual([
      400,
      'RESOURCE_UNKNOWN',
      'access.accounts[1]',
    ]);
  });

  it('that names an account of somebody else, the PSU cannot give', async () => {
    const created = await tpp.create({ access: { accounts: [{ iban: OTHER?.iban }] } });
    const back = await tpp.authorise(created, { psu: 'psu-1' });
    expect(back.searchParams.get('error')).toBe('access_denied');
    expect(await consentOf(created.id)).toMatchObject({ consentStatus: 'rejected' });
  });

  it('is shortened to 90 days and four times a day, and a one-off one to once', async () => {
    const long = await consentOf((await tpp.create({ validUntil: '9999-12-31', frequencyPerDay: 9 })).id);
    const last = bankDateAt(tpp.gateway.now() + 90 * DAY_MS);
    expect([long.validUntil, long.frequencyPerDay]).toEqual([last, 4]);
    const once = await consentOf((await tpp.create({ recurringIndicator: false })).id);
    expect([once.recurringIndicator, once.frequencyPerDay]).toEqual([false, 1]);
  });

  it('is unknown to any other TPP, whatever it asks', async () => {
    const linked = await tpp.linked();
    for (const asked of ['GET', 'DELETE'])
      expect((await other.ask(`${asked} /consents/${linked.id}`)).codes).toEqual(['CONSENT_UNKNOWN']);
    const { status, codes } = await other.ask('GET /accounts', { consent: linked.id, token: linked.token });
    expect([status, codes]).toEqual([401, ['TOKEN_INVALID']]);
    expect(await told('GET /accounts', linked)).toBe('200');
  });

  it('that its TPP deletes is terminated, and stays so', async () => {
    const linked = await tpp.linked();
    expect((await tpp.ask(`DELETE /consents/${linked.id}`)).status).toBe(204);
    expect(await consentOf(linked.id)).toMatchObject({ consentStatus: 'terminatedByTpp' });
    expect(await told('GET /accounts', linked)).toBe('401 CONSENT_INVALID');
    expect((await tpp.ask(`DELETE /consents/${linked.id}`)).status).toBe(204);
    const refresh = { grant_type: 'refresh_token', refresh_token: linked.refresh };
    expect((await tpp.exchange(refresh)).json.error).toBe('invalid_grant');
  });

  it('is replaced by a newer recurring one of the same PSU', async () => {
    const older = await tpp.linked({}, { psu: 'psu-3' });
    const newer = await tpp.linked({}, { psu: 'psu-3' });
    expect(await told('GET /accounts', older)).toBe('401 CONSENT_EXPIRED');
    expect(await told('GET /accounts', newer)).toBe('200');
    expect((await tpp.ask(`DELETE /consents/${older.id}`)).status).toBe(204);
    tpp.gateway.move(60_000);
    expect(await consentOf(older.id)).toMatchObject({ consentStatus: 'expired' });
    const findings = (await tpp.gateway.records()).slice(-2).flatMap((one) => one.findings);
    expect(findings).toEqual([]);
  });

  it('of an explicit creation takes authorisations until one succeeds, another none', async () => {
    const explicit = { 'TPP-Explicit-Authorisation-Preferred': 'true' };
    const { id } = await tpp.create({}, explicit);
    const started = await tpp.ask(`POST /consents/${id}/authorisations`);
    const again = await tpp.ask(`POST /consents/${id}/authorisations`);
    expect([started.status, again.status]).toEqual([201, 201]);
    const authorisation = again.json.authorisationId;
    expect((await tpp.ask(`GET /consents/${id}/authorisations`)).json.authorisationIds).toEqual([
      started.json.authorisationId,
      authorisation,
    ]);
    const scaStatus = async () => (await tpp.gateway.call(again.json._links.scaStatus.href)).json.scaStatus;
    expect(await scaStatus()).toBe('received');
    await tpp.authorise({ id, authorisation: started.json.authorisationId }, { scenario: 'SCA_TIMEOUT' });
    expect(await consentOf(id)).toMatchObject({ consentStatus: 'received' });
    await tpp.authorise({ id, authorisation });
    expect(await scaStatus()).toBe('finalised');
    expect((await tpp.ask(`POST /consents/${id}/authorisations`)).codes).toEqual(['STATUS_INVALID']);
    const implicit = await tpp.create();
    expect((await tpp.ask(`POST /consents/${implicit.id}/authorisations`)).codes).toEqual(['STATUS_INVALID']);
  });
});

interface Page {
  readonly transactions: {
    readonly booked: { readonly transactionId: string }[];
    readonly _links: { readonly next?: { readonly href: string } };
  };
}

describe('transactions', () => {
  it('come in pages that hold each of them once, newest first', async () => {
    const linked = await tpp.linked();
    const headers = tpp.gateway.accountHeaders(linked.token, { 'Consent-Id': linked.id });
    const whole = `/stdgroup/v1/accounts/${first.resourceId}/transactions?bookingStatus=booked`;
    const { booked } = (await tpp.gateway.call(whole, { headers })).json.transactions;
    const ids = (entries: { transactionId: string }[]) => entries.map(({ transactionId }) => transactionId);
    const paged: string[] = [];
    for (let next: string | undefined = `${whole}&itemsPerPage=7`; next !== undefined; ) {
      const { transactions }: Page = (await tpp.gateway.call(next, { headers })).json;
      paged.push(...ids(transactions.booked));
      next = transactions._links.next?.href;
    }
    expect(paged.slice(0, booked.length)).toEqual(ids(booked));
    expect(new Set(paged).size).toBe(paged.length);
    const dates = booked.map((one: { bookingDate: string }) => one.bookingDate);
    expect(dates).toEqual([...dates].sort().reverse());
  });

  it('older than 90 days are given in the minutes after the SCA, and from each answer that held such', async () => {
    const linked = await tpp.linked();
    const from = bankDateAt(tpp.gateway.now() - 200 * DAY_MS);
    const read = `GET /accounts/${first.resourceId}/transactions?bookingStatus=booked&dateFrom=${from}`;
    expect(await told(read, linked)).toBe('200');
    tpp.gateway.move(15 * 60_000);
    expect(await told(read, linked)).toBe('200');
    tpp.gateway.move(15 * 60_000);
    expect(await told(read, linked)).toBe('200');
    tpp.gateway.move(21 * 60_000);
    expect(await told(read, linked)).toBe('401 CONSENT_EXPIRED');
    expect(await told(read.replace(/&dateFrom.*/, ''), linked)).toBe('200');
  });
});

describe('time', () => {
  it('uses up a one-off consent, and ends another after its last day', async () => {
    const once = await tpp.linked({ recurringIndicator: false, frequencyPerDay: 1 }, { psu: 'psu-4' });
    const [account] = await listed(once);
    tpp.gateway.move(19 * 60_000);
    expect(await told(`GET /accounts/${account.resourceId}`, once)).toBe('200');
    tpp.gateway.move(2 * 60_000);
    expect(await told('GET /accounts', once)).toBe('401 CONSENT_EXPIRED');

    const validUntil = bankDateAt(tpp.gateway.now() + DAY_MS);
    const short = await tpp.linked({ validUntil }, { psu: 'psu-5' });
    tpp.gateway.move(2 * DAY_MS);
    expect(await consentOf(short.id)).toMatchObject({ consentStatus: 'expired' });
    const { json } = await tpp.exchange({ grant_type: 'refresh_token', refresh_token: short.refresh });
    expect(json).toMatchObject({ error: 'invalid_grant', error_description: 'The consent is expired.' });
  });

  it.each([
    ['ended with its ninetieth day', 'CONSENT_EXPIRED', () => tpp.gateway.move(91 * DAY_MS)],
    [
      'was deleted',
      'CONSENT_INVALID',
      async ({ id }: Linked) => {
        await tpp.ask(`DELETE /consents/${id}`);
        tpp.gateway.move(3_600_000);
      },
    ],
    [
      'was replaced',
      'CONSENT_EXPIRED',
      async () => {
        await tpp.linked({}, { psu: 'psu-6' });
        tpp.gateway.move(3_600_000);
      },
    ],
  ])('tells of an expired token that its consent %s', async (_, code, end) => {
    const linked = await tpp.linked({ validUntil: '9999-12-31' }, { psu: 'psu-6' });
    await end(linked);
    for (const stance of ['enforce', 'observe']) {
      await tpp.gateway.call('/api/settings', { side: 'admin', method: 'PUT', json: { stance } });
      expect(await told('GET /accounts', linked), stance).toBe(`401 TOKEN_EXPIRED ${code}`);
    }
  });

  it('has the rule know to how many days the bank shortened a consent', async () => {
    const linked = await tpp.linked({ validUntil: '9999-12-31' }, { psu: 'psu-7' });
    tpp.gateway.move(91 * DAY_MS);
    await told('GET /accounts', linked);
    const { findings = [] } = (await tpp.gateway.records()).at(-1) ?? {};
    expect(findings.map(({ rule }) => rule)).toEqual([
      'accounts/consent-valid',
      'accounts/token-not-expired',
    ]);
  });
});
