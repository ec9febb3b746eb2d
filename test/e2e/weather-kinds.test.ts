/** Every kind of fault that meets calls: what the client sees, whether the bank was asked, and what is recorded of it. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Agent, fetch } from 'undici';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { KIND_ROWS } from '../../src/weather/index.js';
import { openBankBehind } from './bank-behind.js';
import {
  CHALLENGE,
  contextOf,
  type Reply,
  startTestGateway,
  type TestGateway,
  testCertificates,
  VERIFIER,
} from './harness.js';
import { BACK, type LivingTpp, startLivingBank } from './living.js';

const V1 = '/stdgroup/v1';
const TRANSACTIONS = `${V1}/accounts/1/transactions`;
const PERIOD = 'bookingStatus=booked&dateFrom=2020-01-01';

type ReadKind = 'list' | 'page' | 'status';

interface Read {
  readonly path: string;
  readonly consent: string;
  readonly token: string;
}

/** A bank that answers reads: the gateway that meets faults, and how many calls have reached the bank behind it. */
interface Source {
  readonly gateway: TestGateway;
  readonly name: string;
  readonly read: (kind: ReadKind) => Read;
  readonly asked: () => Promise<number> | null;
}

async function sandbox(settings: Record<string, unknown> = {}, name = 'emulator'): Promise<Source> {
  const gateway = await startTestGateway(settings);
  const token = await gateway.token();
  const { json } = await gateway.call(`${V1}/accounts`, { headers: gateway.accountHeaders(token) });
  const account: string = json.accounts[0].resourceId;
  const read: Source['read'] = (kind) => ({
    path:
      kind === 'list'
        ? `${V1}/accounts`
        : kind === 'status'
          ? `${V1}/consents/VALID_CONSENT_ID/status`
          : `${TRANSACTIONS.replace('/1/', `/${account}/`)}?${PERIOD}&itemsPerPage=1&page=0`,
    consent: 'VALID_CONSENT_ID',
    token,
  });
  return { gateway, name, read, asked: () => null };
}

async function upstream(): Promise<Source> {
  const bank = await startTestGateway();
  const file = async (name: string) => join(await testCertificates(), name);
  const source = await sandbox(
    {
      upstream: bank.urls.api,
      upstreamPsu: bank.urls.psu,
      upstreamCert: await file('tpp.pem'),
      upstreamKey: await file('tpp.key'),
      upstreamCa: await file('ca.pem'),
    },
    'upstream',
  );
  const { gateway } = source;
  const close = async () => {
    await gateway.close();
    await bank.close();
  };
  return { ...source, gateway: { ...gateway, close }, asked: async () => (await bank.records()).length };
}

async function living(): Promise<Source> {
  const { gateway, linked, ask } = await startLivingBank();
  const { id, token } = await linked();
  const { json } = await ask('GET /accounts', { consent: id, token });
  const account: string = json.accounts[0].resourceId;
  const read: Source['read'] = (kind) => ({
    path:
      kind === 'list'
        ? `${V1}/accounts`
        : kind === 'status'
          ? `${V1}/consents/${id}/status`
          : `${TRANSACTIONS.replace('/1/', `/${account}/`)}?bookingStatus=booked&dateFrom=${daysAgo(gateway, 60)}&itemsPerPage=2&page=0`,
    ...{ consent: id, token },
  });
  return { gateway, name: 'emulator', read, asked: () => null };
}

const daysAgo = (gateway: TestGateway, days: number): string =>
  new Date(gateway.app.clock.now() - days * 86_400_000).toISOString().slice(0, 10);

/** A recording of what `sandbox` asks, in the place of the bank. */
async function replayed(): Promise<Source> {
  const folder = mkdtempSync(join(tmpdir(), 'sandgate-weather-'));
  const store = join(folder, 'store.db');
  const before = await sandbox({ store });
  for (const kind of ['list', 'page', 'status'] as const) await asked(before, kind);
  await before.gateway.close();
  const gateway = await startTestGateway({
    store,
    source: 'replay',
    replay: 'test',
    afterLast: 'repeat',
    session: 'replayed',
  });
  const source = { gateway, name: 'replay', read: before.read, asked: () => null };
  const form = { grant_type: 'authorization_code', client_id: 'VALID_CLIENT_ID', code: 'AIS_VALID_CODE' };
  const { json } = await gateway.call(`${V1}/token`, { form: { ...form, code_verifier: VERIFIER } });
  const close = async () => {
    await gateway.close();
    rmSync(folder, { recursive: true });
  };
  return {
    ...source,
    gateway: { ...gateway, close },
    read: (kind) => ({ ...before.read(kind), token: json.access_token }),
  };
}

async function asked({ gateway, read }: Source, kind: ReadKind, more = ''): Promise<Reply | string> {
  const { path, consent, token } = read(kind);
  const headers = { ...gateway.accountHeaders(token), 'Consent-Id': consent };
  return gateway.call(path + more, { headers }).catch(({ code, name }) => code ?? name);
}

type Seen = (reply: Reply) => unknown;
type Row = [
  fault: Record<string, unknown> & { kind: string },
  read: ReadKind,
  /** What the client gets: a status, or the code of its error. */
  status: number | string,
  /** The bank's answer that did not arrive; `none`: the bank was not asked; `arrived`: its answer did arrive. */
  did: number | 'none' | 'arrived',
  seen?: [look: Seen, expected: unknown],
];

const CLOSED = 'UND_ERR_SOCKET';
const amounts = ({ json }: Reply): unknown[] =>
  json.transactions.booked.map(
    (one: { transactionAmount: { amount: unknown } }) => typeof one.transactionAmount.amount,
  );
const linksOf = ({ json }: Reply): Record<string, { href: string }> => json.transactions._links;
const ROWS: Row[] = [
  [{ kind: 'delay', ms: 20 }, 'list', 200, 'arrived'],
  [{ kind: 'cut' }, 'list', CLOSED, 'none'],
  [{ kind: 'cut', at: 'body' }, 'list', CLOSED, 200],
  [{ kind: 'cut', at: 'after' }, 'list', 200, 'arrived'],
  [{ kind: 'reset' }, 'list', 'ECONNRESET', 'none'],
  [{ kind: 'slow-body', bytes: 1_000_000 }, 'list', 200, 'arrived'],
  [
    { kind: 'status', status: 429, retryAfter: 9 },
    'list',
    429,
    'none',
    [({ headers }) => headers['retry-after'], '9'],
  ],
  [{ kind: 'status', status: 502, form: 'empty' }, 'list', 502, 'none', [({ text }) => text, '']],
  [
    { kind: 'maintenance' },
    'list',
    503,
    'none',
    [({ headers }) => headers['content-type'], 'text/html; charset=utf-8'],
  ],
  [{ kind: 'done/lost' }, 'list', CLOSED, 200],
  [{ kind: 'status-after' }, 'list', 504, 200],
  [{ kind: 'done/late', ms: 20 }, 'list', 200, 'arrived'],
  [{ kind: 'truncate' }, 'list', 'SyntaxError', 200],
  [{ kind: 'html' }, 'list', 200, 200, [({ text }) => text.startsWith('<!doctype html>'), true]],
  [{ kind: 'media-type' }, 'list', 200, 200, [({ headers }) => headers['content-type'], 'text/plain']],
  [{ kind: 'numbers' }, 'page', 200, 200, [(reply) => new Set(amounts(reply)), new Set(['number'])]],
  [{ kind: 'member', member: 'accounts' }, 'list', 200, 200, [({ json }) => json.accounts, undefined]],
  [{ kind: 'member', member: 'accounts', to: 'null' }, 'list', 200, 200, [({ json }) => json.accounts, null]],
  [{ kind: 'unknown-member' }, 'list', 200, 200, [({ json }) => json.bankExtension, 'by the bank']],
  [{ kind: 'unknown-status' }, 'status', 200, 200, [({ json }) => json.consentStatus, 'XXXX']],
  [{ kind: 'no-next' }, 'page', 200, 200, [(reply) => linksOf(reply).next, undefined]],
  [
    { kind: 'same-page' },
    'page',
    200,
    200,
    [(reply) => new URL(linksOf(reply).next?.href ?? '', 'https://a').searchParams.get('page'), '0'],
  ],
  [{ kind: 'early' }, 'list', 429, 'none', [({ codes }) => codes, ['ACCESS_EXCEEDED']]],
  [{ kind: 'by-ip' }, 'list', 429, 'none', [({ headers }) => headers['retry-after'], '60']],
  [
    { kind: 'without-retry-after' },
    'list',
    429,
    'none',
    [({ headers }) => headers['retry-after'], undefined],
  ],
  [{ kind: 'client-revoked' }, 'list', 401, 'none', [({ codes }) => codes, ['CERTIFICATE_REVOKED']]],
];

describe.each([
  ['the sandbox bank', sandbox],
  ['the living bank', living],
  ['a bank upstream', upstream],
  ['a recording', replayed],
])('before %s', (_, open) => {
  let source: Source;
  beforeAll(async () => {
    source = await open();
  });
  afterAll(() => source.gateway.close());

  it.each(ROWS)('%j on a read of the %s is seen as %s', async (fault, read, status, did, seen) => {
    const { gateway, name } = source;
    const headers = fault.kind === 'early' ? { 'PSU-IP-Address': undefined } : {};
    const isUnattended = fault.kind === 'early';
    await gateway.app.faults.clear();
    await gateway.app.faults.add({ id: 'f', do: fault });
    const before = await source.asked();
    const reply = isUnattended ? await unattended(source, headers) : await asked(source, read);
    const isBanks = did !== 'none' && fault.kind !== 'status-after';
    if (typeof reply === 'string') expect(reply).toBe(status);
    else {
      expect(reply.status, reply.text).toBe(status);
      expect(reply.headers).toMatchObject({
        'sandgate-injected': 'f',
        'sandgate-source': isBanks ? name : 'gateway',
      });
      if (seen !== undefined) expect(seen[0](reply)).toEqual(seen[1]);
    }
    const { exchange, findings } = (await gateway.app.store.find((await newest(gateway)) ?? '')) ?? {};
    expect(exchange?.injected).toEqual(
      expect.objectContaining({
        fault: 'f',
        kind: expect.stringMatching(new RegExp(`(?:^|/)${fault.kind}$`)),
        ...(did === 'arrived' ? {} : { did: did === 'none' ? null : did }),
      }),
    );
    expect('did' in (exchange?.injected ?? {})).toBe(did !== 'arrived');
    const arrived = status === 'SyntaxError' ? 200 : status;
    expect(exchange?.answer?.status ?? null).toBe(typeof arrived === 'number' ? arrived : null);
    expect(exchange?.fault?.kind ?? null).toBe(typeof arrived === 'number' ? null : 'injected');
    expect(
      (findings ?? []).filter(({ judges, severity }) => judges === 'aspsp' && severity === 'must'),
    ).toEqual([]);
    const after = await source.asked();
    if (before !== null && after !== null) expect(after - before).toBe(did === 'none' ? 0 : 1);
  });

  it('paging/moving-window refuses pages after the first, and empty-last-page leads to one that is empty', async () => {
    const { gateway } = source;
    if (source.name === 'replay') return;
    await gateway.app.faults.clear();
    const call = (href: string) => {
      const { consent, token } = source.read('page');
      return gateway.call(href, { headers: { ...gateway.accountHeaders(token), 'Consent-Id': consent } });
    };
    const first = await call(source.read('page').path);
    const { next, last } = linksOf(first);
    await gateway.app.faults.add({ id: 'f', do: { kind: 'moving-window' } });
    expect((await call(source.read('page').path)).status).toBe(200);
    expect(await call(next?.href ?? '')).toMatchObject({ status: 422, codes: ['PERIOD_INVALID'] });
    await gateway.app.faults.clear();
    await gateway.app.faults.add({ id: 'f', do: { kind: 'empty-last-page' } });
    const end = await call(last?.href ?? '');
    expect(end.headers['sandgate-injected']).toBe('f');
    const beyond = await call(linksOf(end).next?.href ?? '');
    expect([beyond.status, beyond.json.transactions?.booked], beyond.text).toEqual([200, []]);
    expect(linksOf(beyond).next).toBeUndefined();
  });
});

const newest = async ({ app }: TestGateway) => {
  await app.recorder.drain();
  return app.store.calls.newest();
};

async function unattended({ gateway, read }: Source, more: Record<string, undefined>): Promise<Reply> {
  const { path, consent, token } = read('list');
  return gateway.call(path, {
    headers: { ...gateway.accountHeaders(token), 'Consent-Id': consent, ...more },
  });
}

describe('at the living bank', () => {
  let tpp: LivingTpp;
  beforeAll(async () => {
    tpp = await startLivingBank();
  });
  afterAll(() => tpp.gateway.close());

  const set = async (fault: object) => {
    onTestFinished(() => void tpp.gateway.app.faults.clear());
    await tpp.gateway.app.faults.clear();
    await tpp.gateway.app.faults.add({ id: 'f', do: fault });
  };
  const refresh = (refresh_token: string) =>
    tpp.gateway.call(`${V1}/token`, {
      form: { grant_type: 'refresh_token', client_id: 'VALID_CLIENT_ID', refresh_token },
    });
  const list = async (id: string, token: string) =>
    (await tpp.ask('GET /accounts', { consent: id, token })).status;

  it('5xx-after-rotation gives out a token that nobody gets; the old one goes on', async () => {
    const linked = await tpp.linked();
    await set({ kind: '5xx-after-rotation' });
    const before = tpp.gateway.app.faults.list();
    const lost = await refresh(linked.refresh);
    expect([lost.status, before[0]?.id]).toEqual([503, 'f']);
    await tpp.gateway.app.faults.clear();
    expect((await refresh(linked.refresh)).status).toBe(200);
  });

  it('expires-early ends the access token, whatever its answer said', async () => {
    await set({ kind: 'expires-early', seconds: 60 });
    const { id, token } = await tpp.linked();
    expect(await list(id, token)).toBe(200);
    tpp.gateway.app.clock.change({ advance: 61_000 });
    expect(await list(id, token)).toBe(401);
  });

  it('refresh-once ends the refresh token that was used', async () => {
    const linked = await tpp.linked();
    await set({ kind: 'refresh-once' });
    const renewed = await refresh(linked.refresh);
    expect(renewed.status).toBe(200);
    await tpp.gateway.app.faults.clear();
    expect((await refresh(linked.refresh)).json.error).toBe('invalid_grant');
    expect((await refresh(renewed.json.refresh_token)).status).toBe(200);
  });

  it('scope-narrowed names another scope in the answer', async () => {
    const linked = await tpp.linked();
    await set({ kind: 'scope-narrowed' });
    expect((await refresh(linked.refresh)).json.scope).toBe('AIS');
  });

  it.each<[string, object, (back: URLSearchParams) => unknown, unknown]>([
    ['no-state', {}, (back) => [back.has('state'), back.has('code')], [false, true]],
    ['other-state', {}, (back) => back.get('state')?.endsWith('~'), true],
    ['no-error', { scenario: 'SCA_NOK' }, (back) => [back.has('error'), back.has('state')], [false, true]],
  ])('return/%s changes the address of the return', async (kind, query, look, expected) => {
    await set({ kind: `return/${kind}` });
    expect(
      look((await tpp.authorise(await tpp.create(), query as Record<string, string>)).searchParams),
    ).toEqual(expected);
  });

  it('return/late leads back with a code that has ended', async () => {
    await set({ kind: 'return/late' });
    const back = await tpp.authorise(await tpp.create());
    const late = await tpp.exchange({ code: back.searchParams.get('code') ?? '' });
    expect([late.status, late.json.error]).toEqual([400, 'invalid_grant']);
  });

  it.each([
    ['never', /This window leads nowhere/, false],
    ['twice', /<iframe src="https:\/\/tpp\.example\/back\?[^"]*code=/, true],
  ])('return/%s shows a page in the place of the redirect', async (kind, text, leads) => {
    const { authorisation, id } = await tpp.create();
    await set({ kind: `return/${kind}` });
    const discovery = await tpp.gateway.call(
      `/stdgroup/.well-known/openid-configuration?authorizationId=${authorisation}`,
    );
    const parameters = new URLSearchParams({
      ...{
        scope: `AIS:${id}`,
        client_id: 'VALID_CLIENT_ID',
        state: 'S8NJ7uqk5fY4EjNvP_G_Fty',
        redirect_uri: BACK,
      },
      ...{ code_challenge: CHALLENGE, response_type: 'code', code_challenge_method: 'S256' },
      ...{ scenario: 'SCA_OK', psu: 'psu-1' },
    });
    const page = await tpp.gateway.call(`${discovery.json.authorization_endpoint}?${parameters}`, {
      side: 'psu',
    });
    expect([page.status, page.headers.location]).toEqual([200, undefined]);
    expect(page.text).toMatch(text);
    expect(page.headers.refresh?.includes('https://tpp.example/back?') ?? false).toBe(leads);
    // The bank has done it all the same.
    expect((await tpp.ask(`GET /consents/${id}/status`)).json.consentStatus).toBe('valid');
  });

  it('hang leaves the connection open and silent, until the client gives up', async () => {
    const { id, token } = await tpp.linked();
    await set({ kind: 'hang' });
    const limit = AbortSignal.timeout(300);
    const silent = tpp.ask('GET /accounts', { consent: id, token, signal: limit });
    await expect(silent).rejects.toMatchObject({ name: 'TimeoutError' });
    const { exchange } = (await tpp.gateway.app.store.find((await newest(tpp.gateway)) ?? '')) ?? {};
    expect([exchange?.answer, exchange?.fault?.kind, exchange?.injected?.end]).toEqual([
      null,
      'injected',
      'hang',
    ]);
  });
});

it('no-offset takes the offset from times', async () => {
  const { gateway, read } = await sandbox();
  onTestFinished(gateway.close);
  await gateway.app.faults.add({ id: 'f', do: { kind: 'no-offset' } });
  const { path, token } = read('page');
  const balances = path.replace(/transactions.*/, 'balances');
  const { text } = await gateway.call(balances, { headers: gateway.accountHeaders(token) });
  expect(text).toMatch(/"lastChangeDateTime":"[\dT:-]+"/);
});

it.each([
  [{ kind: 'numbers' }, { amount: 12.5 }],
  [{ kind: 'media-type' }, { amount: '12.50' }],
  [{ kind: 'slow-body', bytes: 1_000_000 }, { amount: '12.50' }],
])('%j leaves no header that belies the body of a bank that compresses', async (fault, body) => {
  const bank = await openBankBehind((_, response) => {
    const coded = gzipSync('{"amount":"12.50"}');
    response.writeHead(200, {
      'Content-Type': 'application/json',
      'Content-Encoding': 'gzip',
      'Content-Length': coded.length,
    });
    response.end(coded);
  });
  onTestFinished(bank.close);
  await bank.gateway.app.faults.add({ id: 'f', do: fault });
  const answer = await fetchFrom(bank.gateway, `${V1}/consents/VALID_CONSENT_ID/status`);
  expect(JSON.parse(answer)).toEqual(body);
});

/** Decodes the body as clients do. */
async function fetchFrom(gateway: TestGateway, path: string): Promise<string> {
  const dispatcher = new Agent({ connect: { secureContext: contextOf(gateway.certs, 'tpp') } });
  onTestFinished(() => dispatcher.close());
  const response = await fetch(`${gateway.urls.api}${path}`, { dispatcher });
  return response.text();
}

it('every kind is in a table of the tests', () => {
  const tests = ['weather-kinds', 'weather-notifications', 'weather-certificates']
    .map((name) => readFileSync(new URL(`${name}.test.ts`, import.meta.url), 'utf8'))
    .join('\n');
  const missing = KIND_ROWS.map(({ kind }) => kind.slice(kind.indexOf('/') + 1)).filter(
    (name) => !new RegExp(`['/]${name}['\\x60 :]`).test(tests),
  );
  expect(missing).toEqual([]);
});
