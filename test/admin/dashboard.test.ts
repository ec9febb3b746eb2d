/** The dashboard as text: what it shows, how far it looks, and that recorded text stays text. */
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { buildAdmin } from '../../src/admin/server.js';
import { type LocalStore, openLookup, type RecordedExchange } from '../../src/store/index.js';
import { append, aStore, recordSource } from '../store/stores.js';

const settings = {
  source: 'emulator',
  stance: 'observe',
  profile: 'sandbox',
  bank: 'sandbox',
  scaLink: 'by-profile',
  stances: [],
} as const;

function aDashboard(store: LocalStore, search = openLookup(store, null).search, token?: string) {
  const server = buildAdmin({
    host: '127.0.0.1',
    token,
    checks: [
      { name: 'store', check: () => null },
      { name: 'listeners', check: () => 'The gateway is stopping.' },
    ],
    ports: {
      settings: { current: () => settings, wanted: z.unknown(), change: () => settings },
      budgets: {
        current: async () => [
          {
            tpp: 'PSDBE-NBB-0123456789',
            consentId: 'VALID_CONSENT_ID',
            operation: 'accounts.list',
            accountId: '',
            used: 3,
            allowed: 4,
            left: 1,
            freesUpAt: Date.UTC(2026, 5, 16),
          },
        ],
      },
    },
    dashboard: { store, search, session: () => 'test' },
  });
  return (url: string, headers: Record<string, string> = {}) =>
    server.inject({ url, headers: { host: 'localhost:8445', ...headers } });
}

function filled(count: number): { store: LocalStore; records: RecordedExchange[] } {
  const store = aStore({ path: ':memory:' });
  const next = recordSource();
  const records = Array.from({ length: count }, (_, i) =>
    next({ call: { operation: i % 2 === 0 ? 'accounts.list' : 'consents.create' } }),
  );
  append(store, ...records);
  return { store, records };
}

const idsOf = (html: string) => [...html.matchAll(/href="\/exchanges\/([^"]+)"/g)].map((match) => match[1]);

describe('the overview', () => {
  it('tells health, switches, latest exchanges, budgets and sessions', async () => {
    const { store, records } = filled(30);
    const { statusCode, body } = await aDashboard(store)('/');
    expect(statusCode).toBe(200);
    expect(body).toContain('store: ready');
    expect(body).toContain('listeners: The gateway is stopping.');
    expect(body).toContain('observe');
    expect(body).toContain('3 of 4');
    expect(body).toContain('href="/exchanges?session=test"');
    expect(idsOf(body)).toEqual(
      records
        .slice(-20)
        .reverse()
        .map(({ exchange }) => exchange.call.id),
    );
  });

  it('is whole in an empty store', async () => {
    const { statusCode, body } = await aDashboard(aStore({ path: ':memory:' }))('/');
    expect(statusCode).toBe(200);
    expect(body).toContain('No exchange was recorded in this session yet.');
  });
});

describe('the list of exchanges', () => {
  it('begins with the newest and goes on to the oldest, page by page', async () => {
    const { store, records } = filled(250);
    const open = aDashboard(store);
    const seen: (string | undefined)[] = [];
    let url: string | undefined = '/exchanges?session=test';
    let pages = 0;
    while (url !== undefined) {
      const { body } = await open(url);
      seen.push(...idsOf(body));
      url = /href="([^"]+)">Older</.exec(body)?.[1]?.replaceAll('&amp;', '&');
      pages++;
    }
    expect(pages).toBe(3);
    expect(seen).toEqual(records.map(({ exchange }) => exchange.call.id).reverse());
  });

  it('takes the filter language', async () => {
    const { store } = filled(10);
    const { body } = await aDashboard(store)(
      `/exchanges?q=${encodeURIComponent('operation:consents.* status<400')}`,
    );
    expect(idsOf(body)).toHaveLength(5);
    expect(body).toContain('5 exchanges (10 looked at)');
    expect(body).toContain('value="operation:consents.* status&lt;400"');
  });

  it.each([
    ['a filter that cannot be read', 'q=stat%3A1', /Did you mean «status»/],
    ['a filter without value', 'q=status%3A', /has no value/],
    ['a place that is not there', 'before=0000000ZZZZ', /holds no exchange 0000000ZZZZ/],
  ])('says of %s what is wrong with it', async (_name, query, text) => {
    const { statusCode, body } = await aDashboard(filled(3).store)(`/exchanges?${query}`);
    expect(statusCode).toBe(400);
    expect(body).toMatch(/<p class="problem" id="problem" role="alert">/);
    expect(body).toMatch(text);
  });

  it.each(['session=nobody', 'session=', 'session=a&session=nobody', 'q=a&q='])(
    'answers ?%s',
    async (query) => {
      expect((await aDashboard(filled(3).store)(`/exchanges?${query}`)).statusCode).toBe(200);
    },
  );

  it('says where a search that was cut off goes on', async () => {
    const search = async () => ({
      exchanges: [],
      unfinished: [],
      examined: 5_000,
      next: '0000000ABCD',
      indexedUpTo: null,
      behind: null,
    });
    const { body } = await aDashboard(filled(1).store, search)('/exchanges?q=status%3A599');
    expect(body).toContain('0 exchanges (5,000 looked at)');
    expect(body).toContain('before=0000000ABCD">Older</a>');
  });
});

describe('one exchange', () => {
  it('is shown with headers, bodies, findings and verdicts', async () => {
    const store = aStore({ path: ':memory:' });
    const record = recordSource()({
      call: {
        operation: 'consents.create',
        body: '{"validUntil":"2027-01-01"}',
        headers: { 'X-Own': 'value of it' },
      },
    });
    append(store, {
      ...record,
      findings: [
        {
          rule: 'consents/valid-until-within-90-days',
          severity: 'must',
          judges: 'tpp',
          place: 'body validUntil',
          expected: 'a date up to 2026-09-13',
          actual: '2027-01-01',
        },
      ],
    });
    const { statusCode, body } = await aDashboard(store)(`/exchanges/${record.exchange.call.id}`);
    expect(statusCode).toBe(200);
    for (const text of [
      'X-Own',
      'value of it',
      'a date up to 2026-09-13',
      'body validUntil',
      '1 rule complied',
    ])
      expect(body).toContain(text);
    expect(body).toContain('{\n  &quot;validUntil&quot;: &quot;2027-01-01&quot;\n}');
  });

  it('is told missing where it is', async () => {
    const { statusCode, body } = await aDashboard(filled(1).store)('/exchanges/0000000ZZZZ');
    expect(statusCode).toBe(404);
    expect(body).toContain('holds no exchange');
  });

  it('keeps hostile text as text', async () => {
    const store = aStore({ path: ':memory:' });
    const hostile = '"><script>alert(1)</script>\u202e';
    const record = recordSource()({
      call: {
        operation: 'consents.create',
        body: hostile,
        headers: { 'X-Note': hostile, [hostile]: '1' },
      },
    });
    append(store, record);
    const open = aDashboard(store);
    for (const url of [
      `/exchanges/${record.exchange.call.id}`,
      '/',
      `/exchanges?q=${encodeURIComponent(hostile)}&session=${encodeURIComponent(hostile)}`,
      `/exchanges/${encodeURIComponent(hostile)}`,
    ]) {
      const { body } = await open(url);
      expect(body, url).not.toContain('<script');
      expect(body.replace(/value="[^"]*"|href="[^"]*"/g, ''), url).not.toContain('\u202e');
    }
  });
});

describe('who may look', () => {
  it('sends pages with a policy that lets in their own style and nothing else', async () => {
    const { headers, body } = await aDashboard(filled(1).store)('/');
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['x-frame-options']).toBe('DENY');
    expect(body).not.toMatch(/<script| style="|http-equiv="refresh"/i);
  });

  it.each([
    ['nothing', undefined, 401],
    ['a wrong password', `Basic ${Buffer.from('operator:wrong').toString('base64')}`, 401],
    ['the token as name', `Basic ${Buffer.from('0123456789abcdef:').toString('base64')}`, 401],
    ['the token without colon', `Basic ${Buffer.from('0123456789abcdef').toString('base64')}`, 401],
    ['the token as password', `Basic ${Buffer.from('operator:0123456789abcdef').toString('base64')}`, 200],
    ['the token as Bearer', 'Bearer 0123456789abcdef', 200],
  ])(
    'with an admin token answers %s as it should, and asks a browser for it',
    async (_name, authorization, status) => {
      const open = aDashboard(filled(1).store, undefined, '0123456789abcdef');
      const answer = await open('/', authorization === undefined ? {} : { authorization });
      expect(answer.statusCode).toBe(status);
      if (status === 401)
        expect(String(answer.headers['www-authenticate'])).toContain('Basic realm="Sandgate"');
    },
  );

  it('refuses a foreign Host', async () => {
    expect((await aDashboard(filled(1).store)('/', { host: 'evil.example' })).statusCode).toBe(403);
  });
});
