import { describe, expect, it } from 'vitest';
import {
  accessesAllowed,
  accessesUsed,
  advance,
  applyChanges,
  budgetOf,
  budgets,
  createLedger,
  isTimeZone,
  openDailyWindow,
} from '../../src/ledger/index.js';
import { type AnswerParts, aCall, anExchange, type CallParts, fingerprint, NOW, TPP } from '../builders.js';
import { aConsent, aLedger } from '../rules/a-ledger.js';

const HOUR = 3_600_000;
const rolling = openDailyWindow({ kind: 'rolling' });
const inZone = (timeZone: string) => openDailyWindow({ kind: 'calendar-day', timeZone });
const brussels = inZone('Europe/Brussels');

function read(parts: CallParts = {}): CallParts {
  return { operation: 'accounts.balances', ...parts, headers: { 'Consent-Id': 'C1', ...parts.headers } };
}

type Step = readonly [CallParts, (number | AnswerParts)?];

function ledgerAfter(...calls: readonly Step[]) {
  const ledger = createLedger();
  for (const [call, answered = 200] of calls) {
    const answer = typeof answered === 'number' ? { status: answered, body: {} } : answered;
    applyChanges(ledger, advance(ledger, anExchange({ call, answer }), fingerprint));
  }
  return ledger;
}

describe('the window', () => {
  it.each([
    ['a summer day', 'Europe/Brussels', '2026-06-15T10:00:00Z', '2026-06-14T22:00:00Z', 24],
    ['a summer day of a far year', 'Europe/Brussels', '9000-06-15T10:00:00Z', '9000-06-14T22:00:00Z', 24],
    ['its first moment', 'Europe/Brussels', '2026-06-14T22:00:00Z', '2026-06-14T22:00:00Z', 24],
    ['its last moment', 'Europe/Brussels', '2026-06-15T21:59:59.999Z', '2026-06-14T22:00:00Z', 24],
    [
      'the day on which clocks go forward',
      'Europe/Brussels',
      '2026-03-29T12:00:00Z',
      '2026-03-28T23:00:00Z',
      23,
    ],
    [
      'the day on which clocks go back',
      'Europe/Brussels',
      '2026-10-25T12:00:00Z',
      '2026-10-24T22:00:00Z',
      25,
    ],
    ['a zone with half hours', 'Asia/Kolkata', '2026-06-15T10:00:00Z', '2026-06-14T18:30:00Z', 24],
    ['a day without midnight', 'America/Santiago', '2026-09-06T12:00:00Z', '2026-09-06T04:00:00Z', 23],
    ['UTC', 'UTC', '2026-06-15T10:00:00Z', '2026-06-15T00:00:00Z', 24],
  ])('is the calendar day: %s', (_, zone, at, from, hours) => {
    const window = inZone(zone).spanAt(Date.parse(at));
    expect(new Date(window.from).toISOString()).toBe(new Date(from).toISOString());
    expect((window.to - window.from) / HOUR).toBe(hours);
  });

  it('is the 24 hours up to the call', () => {
    expect(rolling.spanAt(NOW)).toEqual({ from: NOW - 24 * HOUR + 1, to: NOW + 1 });
  });

  it('tells the day of the time zone, and of the bank where it rolls', () => {
    const late = Date.parse('2026-06-15T22:30:00Z');
    expect(
      [inZone('Asia/Tokyo'), inZone('UTC'), openDailyWindow({ kind: 'rolling' })].map((one) =>
        one.dateAt(late),
      ),
    ).toEqual(['2026-06-16', '2026-06-15', '2026-06-16']);
  });

  it('knows time zones from other texts', () => {
    expect([isTimeZone('Europe/Brussels'), isTimeZone('Europe/Atlantis'), isTimeZone('')]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe('an access', () => {
  const used = (...calls: readonly Step[]) =>
    accessesUsed(ledgerAfter(...calls), aCall(read({ at: NOW + HOUR })), brussels);

  it('counts where it was answered', () => {
    expect(used([read()], [read({ at: NOW + 1 })])).toBe(2);
  });

  it.each<[string, CallParts, number?]>([
    ['the PSU was there', read({ headers: { 'PSU-IP-Address': '2001:db8::1' } })],
    ['it was refused', read(), 429],
    ['it failed', read(), 502],
    ['it was of another account', read({ params: { accountId: 'OTHER' } })],
    ['it was of another operation', read({ operation: 'accounts.read' })],
    ['it was of another consent', read({ headers: { 'Consent-Id': 'C2' } })],
    ['it was the day before', read({ at: NOW - 24 * HOUR })],
  ])('does not count where %s', (_, call, status = 200) => {
    expect(used([call, status])).toBe(0);
  });

  it('counts with an address that is none', () => {
    expect(used([read({ headers: { 'PSU-IP-Address': 'psu' } })])).toBe(1);
  });

  const BOOKED = 'bookingStatus=booked';
  const next = (query: string) => ({ body: { transactions: { _links: { next: { href: `/t?${query}` } } } } });
  const last = { body: { transactions: { _links: { first: { href: '/t' } } } } };
  it.each<[string, number, readonly (readonly [query: string, answer?: AnswerParts])[]]>([
    [
      'all pages of a query',
      1,
      [[BOOKED], [`${BOOKED}&page=1`], [`${BOOKED}&pageIndex=2`], [`page=3&${BOOKED}`]],
    ],
    [
      'the pages of two queries in turns',
      2,
      [[BOOKED], ['bookingStatus=pending'], [`${BOOKED}&page=1`], ['bookingStatus=pending&page=1']],
    ],
    ['pages that are counted from one', 1, [[`${BOOKED}&page=1`], [`${BOOKED}&page=2`]]],
    [
      "the bank's own links, whatever they hold",
      1,
      [[BOOKED, next('cursor=a')], ['cursor=a', next('cursor=b')], ['cursor=b']],
    ],
    ['the first page once more', 2, [[BOOKED], [`${BOOKED}&page=1`], [`${BOOKED}&page=0`]]],
    [
      'the pages of a query that began again',
      2,
      [[BOOKED], [`${BOOKED}&page=1`], [BOOKED], [`${BOOKED}&page=1`]],
    ],
    [
      'what is new since an entry',
      3,
      [[BOOKED], [`${BOOKED}&entryReferenceFrom=x`], [`${BOOKED}&entryReferenceFrom=x`]],
    ],
    ['a page of another query', 2, [[BOOKED], [`${BOOKED}&dateFrom=2026-06-01&page=1`]]],
    ['one page nine times', 9, [[BOOKED], ...Array.from({ length: 9 }, () => [`${BOOKED}&page=1`] as const)]],
    ['two pages at once', 3, [[BOOKED], [`${BOOKED}&page=1&page=0`], [`${BOOKED}&page=2&page=0`]]],
    ["the bank's own link twice", 2, [[BOOKED, next('cursor=a')], ['cursor=a'], ['cursor=a']]],
    [
      'a page behind the last one',
      2,
      [
        [BOOKED, last],
        [`${BOOKED}&page=1`, last],
      ],
    ],
  ])('counts with pages: %s', (_, used, pages) => {
    const operation = 'accounts.transactions';
    const ledger = ledgerAfter(
      ...pages.map(
        ([query, answer], i) => [read({ operation, query, at: NOW + i * 1_000 }), answer ?? 200] as const,
      ),
    );
    expect(accessesUsed(ledger, aCall(read({ operation, at: NOW + HOUR })), brussels)).toBe(used);
  });

  it('counts where the operation has no pages', () => {
    const ledger = ledgerAfter([read()], [read({ query: 'page=1' })], [read({ query: 'pageIndex=2' })]);
    expect(accessesUsed(ledger, aCall(read()), brussels)).toBe(3);
  });

  it('counts where it is a further page of a query that nobody saw', () => {
    const call = read({ operation: 'accounts.transactions', query: 'page=3' });
    expect(accessesUsed(ledgerAfter([call]), aCall(call), brussels)).toBe(1);
  });
});

describe('what is allowed', () => {
  it.each([
    [1, 1],
    [4, 4],
    [10, 4],
    [0, 4],
    [null, 4],
  ])('is, of a frequencyPerDay of %s, %s', (frequencyPerDay, allowed) => {
    expect(accessesAllowed(aLedger({ consents: aConsent({ frequencyPerDay }) }), TPP, 'C1', brussels)).toBe(
      allowed,
    );
  });
});

describe('a budget', () => {
  const calls = [0, 1, 2, 3, 4].map((i) => [read({ at: NOW + i * HOUR })] as const);

  it('tells used and left of each key, and the end of the day', () => {
    expect(budgets(ledgerAfter(...calls.slice(0, 3)), NOW + 5 * HOUR, brussels)).toEqual([
      {
        tpp: TPP,
        consentId: 'C1',
        operation: 'accounts.balances',
        accountId: 'ACCOUNT_ID',
        used: 3,
        allowed: 4,
        left: 1,
        freesUpAt: Date.parse('2026-06-15T22:00:00Z'),
        freesUp: '00:00 on 16 June (Europe/Brussels)',
      },
    ]);
  });

  it('frees up, in a rolling window, when enough of it has passed', () => {
    const [four] = budgets(ledgerAfter(...calls.slice(0, 4)), NOW + 5 * HOUR, rolling);
    expect(four).toMatchObject({
      used: 4,
      left: 0,
      freesUpAt: NOW + 24 * HOUR,
      freesUp: expect.stringMatching(/^\d\d:\d\d on 16 June \(Europe\/Brussels\)$/),
    });
    const [five] = budgets(ledgerAfter(...calls), NOW + 5 * HOUR, rolling);
    expect(five).toMatchObject({ used: 5, left: 0, freesUpAt: NOW + 25 * HOUR });
  });

  it('is gone when the window is', () => {
    const ledger = ledgerAfter(...calls);
    expect(budgets(ledger, NOW + 48 * HOUR, rolling)).toEqual([]);
    expect(budgetOf(ledger, aCall(read({ at: NOW + 48 * HOUR })), brussels)).toBeUndefined();
  });
});

describe('a bank whose profile counts otherwise', () => {
  const DAY = { kind: 'calendar-day', timeZone: 'Europe/Brussels' } as const;
  const ledger = ledgerAfter(
    [
      { operation: 'accounts.list', headers: { 'Consent-Id': 'C1' } },
      { status: 200, body: { accounts: [{ resourceId: 'ACCOUNT_ID' }] } },
    ],
    [read({ at: NOW + HOUR })],
    [read({ at: NOW + 2 * HOUR })],
  );
  const known = aLedger({ consents: aConsent({ accounts: ['ACCOUNT_ID'] }) });
  for (const [key, fact] of ledger.accesses) applyChanges(known, [{ family: 'accesses', key, fact }]);
  const at = NOW + 3 * HOUR;

  it.each([
    ['as the settings have it', {}, DAY],
    ['rolling', { count: 'rolling' }, { kind: 'rolling' }],
    ['in another zone', { zone: 'Europe/London' }, { kind: 'calendar-day', timeZone: 'Europe/London' }],
    ['not at all', { count: 'none' }, DAY],
  ] as const)('%s', (_, accesses, setting) => {
    expect(openDailyWindow(DAY, accesses).setting).toEqual(setting);
  });

  it.each([
    ['each operation by itself', { by: 'operation' }, 2, { used: 2, allowed: 4 }],
    ['all of a consent together', { by: 'consent' }, 3, { used: 3, allowed: 4, operation: 'accounts.*' }],
    ['up to another number', { number: 2 }, 2, { used: 2, allowed: 2, left: 0 }],
  ] as const)('%s', (_, accesses, used, budget) => {
    const window = openDailyWindow(DAY, accesses);
    const call = aCall(read({ at }));
    expect(accessesUsed(known, call, window)).toBe(used);
    expect(budgetOf(known, call, window)).toMatchObject({ ...budget, operation: expect.any(String) });
    expect(budgets(known, at, window).at(-1)).toMatchObject(budget);
  });

  it('shows one budget of a consent whose accesses count together', () => {
    expect(budgets(known, at, openDailyWindow(DAY, { by: 'consent' }))).toHaveLength(1);
    expect(budgets(known, at, openDailyWindow(DAY))).toHaveLength(2);
  });

  it('shows no budget where it counts none', () => {
    expect(budgets(known, at, openDailyWindow(DAY, { count: 'none' }))).toEqual([]);
  });
});
