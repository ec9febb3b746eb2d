/** A journey that is recorded again changes the lines of its cassette that mean something, and no others. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { readCassette } from '../../src/exchange/recording/index.js';
import { type ReplayOptions, replaySession } from '../../src/testing/index.js';
import { folderOfTest } from '../folder.js';

beforeEach(() => {
  vi.stubEnv('CI', '');
  return () => vi.unstubAllEnvs();
});

const V1 = '/stdgroup/v1';
const REDIRECT = 'https://tpp.example/back';
const DAY_MS = 86_400_000;
type Sent = {
  method?: string;
  headers?: Record<string, string>;
  json?: unknown;
  form?: Record<string, string>;
};

interface Journey {
  readonly amount?: string;
  readonly balances?: boolean;
  /** The client lets this time pass before it reads. */
  readonly waits?: string;
}

/** Consent, authorisation, token, refresh, accounts; a payment. Everything random is random. */
async function walk(file: string, options: ReplayOptions, journey: Journey = {}): Promise<string> {
  const gateway = await replaySession(file, { mode: 'all', ...options });
  const dispatcher = new Agent(gateway.agent());
  const day = (days: number) => new Date(gateway.clock.now() + days * DAY_MS).toISOString().slice(0, 10);
  const call = async (address: string, { method, headers, json, form }: Sent = {}) => {
    const body =
      form === undefined
        ? json === undefined
          ? null
          : JSON.stringify(json)
        : new URLSearchParams(form).toString();
    const type = form === undefined ? 'application/json' : 'application/x-www-form-urlencoded';
    const response = await request(address.startsWith('http') ? address : gateway.urls.api + address, {
      dispatcher,
      method: (method ?? (body === null ? 'GET' : 'POST')) as 'GET',
      headers: {
        'x-request-id': randomUUID(),
        ...(body === null ? {} : { 'content-type': type }),
        ...headers,
      },
      body,
    });
    const text = await response.body.text();
    return {
      location: String(response.headers.location),
      json: text.startsWith('{') ? JSON.parse(text) : {},
    };
  };
  const authorise = async (
    scope: string,
    code: string,
    created: { _links: { scaStatus: { href: string } } },
  ) => {
    const verifier = randomBytes(32).toString('base64url');
    const query = new URLSearchParams({
      ...{ scope, client_id: 'VALID_CLIENT_ID', state: randomBytes(24).toString('base64url') },
      ...{ redirect_uri: REDIRECT, response_type: 'code', code_challenge_method: 'S256' },
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    });
    const page = `${gateway.urls.psu}/stdgroup/authorization/authorize/${created._links.scaStatus.href.split('/').at(-1)}?${query}`;
    for (const step of ['', '&choice=SCA_OK', '&scenario=SCA_OK']) await call(page + step);
    const form = {
      grant_type: 'authorization_code',
      client_id: 'VALID_CLIENT_ID',
      code,
      code_verifier: verifier,
    };
    return (await call(`${V1}/token`, { form })).json;
  };
  const creation = { 'TPP-Redirect-URI': REDIRECT, 'PSU-IP-Address': '192.0.2.1' };
  const consent = await call(`${V1}/consents`, {
    headers: creation,
    json: {
      ...{ access: { allPsd2: 'allAccounts' }, recurringIndicator: true, validUntil: day(80) },
      ...{ frequencyPerDay: 4, combinedServiceIndicator: false },
    },
  });
  const token = await authorise('AIS:VALID_CONSENT_ID', 'AIS_VALID_CODE', consent.json);
  const refreshed = await call(`${V1}/token`, {
    form: { grant_type: 'refresh_token', client_id: 'VALID_CLIENT_ID', refresh_token: token.refresh_token },
  });
  if (journey.waits !== undefined) gateway.clock.advance(journey.waits as '1d');
  const account = {
    ...{ authorization: `Bearer ${refreshed.json.access_token}`, 'consent-id': 'VALID_CONSENT_ID' },
    'psu-ip-address': '192.0.2.1',
  };
  const paths = [
    ...['', '/ACCOUNT_ID', ...(journey.balances === false ? [] : ['/ACCOUNT_ID/balances'])],
    `/ACCOUNT_ID/transactions?bookingStatus=both&dateFrom=${day(-30)}&dateTo=${day(0)}`,
  ];
  for (const path of paths) await call(`${V1}/accounts${path}`, { headers: account });
  const payment = await call(`${V1}/payments/sepa-credit-transfers`, {
    headers: creation,
    json: {
      instructedAmount: { currency: 'EUR', amount: journey.amount ?? '12.50' },
      debtorAccount: { iban: 'BE67983610020587' },
      creditorAccount: { iban: 'DE89370400440532013000' },
      creditorName: 'Shop',
      requestedExecutionDate: day(2),
    },
  });
  await authorise('PIS:PAYMENT_ID_RCVD_SCT', 'PIS_VALID_CODE', payment.json);
  await dispatcher.close();
  await gateway.close();
  return readFileSync(file, 'utf8');
}

function newFile(): string {
  return join(folderOfTest(), 'journey.json');
}

/** Lines of the one that are not in the other, in order. */
function changedLines(was: string, is: string): { gone: string[]; come: string[] } {
  const left = (a: string, b: string) => {
    const counts = new Map<string, number>();
    for (const line of b.split('\n')) counts.set(line, (counts.get(line) ?? 0) + 1);
    return a.split('\n').filter((line) => {
      const count = counts.get(line) ?? 0;
      counts.set(line, count - 1);
      return count <= 0;
    });
  };
  return { gone: left(was, is), come: left(is, was) };
}

const MONDAY = { startAt: '2026-11-16T10:00:00Z' };
const LATER = { startAt: '2026-12-02T17:23:45.678Z' };

describe('a journey that is recorded again', () => {
  it.each([
    ['at once', MONDAY],
    ['two weeks later, at another time of the day', LATER],
  ])('changes no line of its cassette: %s', async (_, when) => {
    const file = newFile();
    const was = await walk(file, MONDAY);
    const is = await walk(file, when);
    expect(changedLines(was, is)).toEqual({ gone: [], come: [] });
    expect(is).toBe(was);
    expect(was.split('\n').length).toBeGreaterThan(400);
  });

  it('changes the lines of what was changed', async () => {
    const file = newFile();
    const was = await walk(file, MONDAY);
    const { gone, come } = changedLines(was, await walk(file, LATER, { amount: '13.75' }));
    expect(gone.map((line) => line.trim())).toEqual(['"amount": "12.50"']);
    expect(come.map((line) => line.trim())).toEqual(['"amount": "13.75"']);
  });

  it('loses the lines of a call that is made no more', async () => {
    const file = newFile();
    const was = await walk(file, MONDAY);
    const is = await walk(file, LATER, { balances: false });
    expect(readCassette(is).records).toHaveLength(readCassette(was).records.length - 1);
    const { come } = changedLines(was, is);
    // The next call comes after another one than before.
    expect(come.filter((line) => !/^\s+"at": /.test(line))).toEqual([]);
  });

  it('tells that the client waits, and nothing else', async () => {
    const file = newFile();
    const was = await walk(file, MONDAY);
    const { come } = changedLines(was, await walk(file, MONDAY, { waits: '10m' }));
    expect(come.length).toBeGreaterThan(0);
    expect(come.filter((line) => !/^\s+"moved": /.test(line))).toEqual([]);
  });

  it('replays as before', async () => {
    const file = newFile();
    await walk(file, MONDAY);
    const is = await walk(file, LATER);
    expect(await walk(file, { ...LATER, mode: 'none' })).toBe(is);
    const gateway = await replaySession(file, { mode: 'none' });
    onTestFinished(() => gateway.close());
    expect(gateway.session().replay?.unused.length).toBeGreaterThan(0);
  });
});
