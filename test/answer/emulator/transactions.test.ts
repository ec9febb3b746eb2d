import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bankDateAt, isAmount, isDate } from '../../../src/spec/index.js';
import { NOW } from '../../builders.js';
import { anEmulator, DATA, errorOf, jsonOf, V1 } from '../an-emulator.js';

const { ask } = anEmulator();
const answerTo = (query: string, consent = 'VALID_CONSENT_ID') =>
  ask({ operation: 'accounts.transactions', headers: { 'Consent-Id': consent }, query });
const report = (query: string) => jsonOf(answerTo(query)).transactions;
interface Entry {
  transactionId: string;
  bookingDate: string;
  transactionAmount: { amount: string; currency: string };
}
const ids = (entries: Entry[]) => entries.map((one) => one.transactionId);

describe('booked and pending', () => {
  it('come as bookingStatus says', () => {
    expect(Object.keys(report('bookingStatus=booked'))).toEqual(['booked', '_links']);
    expect(Object.keys(report('bookingStatus=pending'))).toEqual(['pending', '_links']);
    expect(Object.keys(report('bookingStatus=both'))).toEqual(['booked', 'pending', '_links']);
    expect(Object.keys(report('bookingStatus=all'))).toEqual(['booked', 'pending', '_links']);
    expect(report('bookingStatus=information').information).toEqual([]);
  });

  it('name account, amounts as strings, real dates, and who was at the other end', () => {
    const answer = jsonOf(answerTo('bookingStatus=both&itemsPerPage=100&dateFrom=2020-01-01'));
    expect(answer.account).toEqual({ iban: DATA.accounts.accounts[0]?.iban, currency: 'EUR' });
    expect(answer.balances).toBeUndefined();
    expect(answer.transactions.booked).toHaveLength(DATA.transactions.booked.length);
    for (const entry of [...answer.transactions.booked, ...answer.transactions.pending]) {
      expect(isAmount(entry.transactionAmount.amount)).toBe(true);
      expect(isDate(entry.valueDate)).toBe(true);
      const goes = entry.transactionAmount.amount.startsWith('-');
      expect(entry[goes ? 'creditorName' : 'debtorName']).toEqual(expect.any(String));
      expect(entry[goes ? 'debtorName' : 'creditorName']).toBeUndefined();
    }
  });

  it('bring the balances where asked', () => {
    expect(jsonOf(answerTo('bookingStatus=booked&withBalance=true')).balances).toHaveLength(6);
  });

  it('begin 90 days back and end today where no dates are given', () => {
    const { booked } = report('bookingStatus=booked&itemsPerPage=100');
    expect(booked[0].bookingDate).toBe('2026-06-15');
    expect(booked.at(-1).bookingDate).toBe('2026-03-17');
  });
});

describe('a range of dates', () => {
  const all: Entry[] = report('bookingStatus=booked&itemsPerPage=100&dateFrom=2020-01-01').booked;

  it('holds both its ends, newest first', () => {
    fc.assert(
      fc.property(fc.nat(130), fc.nat(130), (a, b) => {
        const [from, to] = [Math.max(a, b), Math.min(a, b)].map((days) =>
          bankDateAt(NOW - days * 86_400_000),
        ) as [string, string];
        const { booked } = report(`bookingStatus=booked&itemsPerPage=100&dateFrom=${from}&dateTo=${to}`);
        expect(ids(booked)).toEqual(
          ids(all.filter((one) => one.bookingDate >= from && one.bookingDate <= to)),
        );
      }),
    );
    expect(all.map((one) => one.bookingDate)).toEqual(
      all
        .map((one) => one.bookingDate)
        .sort()
        .reverse(),
    );
  });

  it.each(['dateFrom=2026-07-01', 'dateFrom=2026-07-01&dateTo=2026-07-02', 'dateTo=2025-06-01'])(
    'may lie wholly ahead or behind, and the links of its pages work: %s',
    (dates) => {
      const { booked, _links } = report(`bookingStatus=booked&${dates}`);
      expect(booked).toEqual([]);
      for (const { href } of [_links.first, _links.last, _links.transactions])
        expect(report(href.slice(href.indexOf('?') + 1)).booked).toEqual(booked);
    },
  );
});

describe('pages', () => {
  it('lead through all entries once, forward and back', () => {
    let target: string | undefined = '?bookingStatus=both&dateFrom=2026-02-01&withBalance=true';
    const [seen, back]: [string[], string[]] = [[], []];
    let last = '';
    for (let guard = 0; target !== undefined && guard < 20; guard++) {
      const { booked, pending, _links } = report(target.slice(target.indexOf('?') + 1));
      seen.push(...ids(booked));
      expect(pending).toHaveLength(guard === 0 ? 3 : 0);
      expect(_links.previous === undefined).toBe(guard === 0);
      last = _links.last.href;
      target = _links.next?.href;
    }
    expect(new Set(seen).size).toBe(DATA.transactions.booked.length);
    expect(seen).toHaveLength(DATA.transactions.booked.length);
    for (let here: string | undefined = last; here !== undefined; ) {
      const { booked, _links } = report(here.slice(here.indexOf('?') + 1));
      back.unshift(...ids(booked));
      here = _links.previous?.href;
    }
    expect(back).toEqual(seen);
  });

  it('keep the query, and link account, balances and themselves', () => {
    const { _links } = report(
      'bookingStatus=both&dateFrom=2026-06-01&withBalance=true&itemsPerPage=2&page=1',
    );
    const to = (page: number) =>
      `${V1}/accounts/ACCOUNT_ID/transactions?dateFrom=2026-06-01&dateTo=2026-06-15&bookingStatus=both&withBalance=true&itemsPerPage=2&page=${page}`;
    expect(_links).toMatchObject({
      account: { href: `${V1}/accounts/ACCOUNT_ID` },
      balances: { href: `${V1}/accounts/ACCOUNT_ID/balances` },
      transactions: { href: to(1) },
      first: { href: to(0) },
      previous: { href: to(0) },
      next: { href: to(2) },
    });
  });

  it('are empty beyond the last, and lead back', () => {
    const { booked, _links } = report('bookingStatus=booked&dateFrom=2026-06-01&page=900');
    expect(booked).toEqual([]);
    expect(_links.previous).toEqual(_links.last);
    expect(_links.next).toBeUndefined();
  });

  it('are counted by pageIndex too, and never larger than 100', () => {
    const query = 'bookingStatus=booked&itemsPerPage=3&dateFrom=2026-02-01';
    expect(report(`${query}&pageIndex=1`)).toEqual(report(`${query}&page=1`));
    expect(report('bookingStatus=booked&itemsPerPage=999')._links.first.href).toContain('itemsPerPage=100&');
  });
});

describe('what is refused', () => {
  it.each([
    ['', '400 FORMAT_ERROR'],
    ['bookingStatus=BOOKED', '400 FORMAT_ERROR'],
    ['bookingStatus=booked&dateFrom=2026-02-30', '400 FORMAT_ERROR'],
    ['bookingStatus=booked&dateTo=tomorrow', '400 FORMAT_ERROR'],
    ['bookingStatus=booked&dateFrom=2026-06-02&dateTo=2026-06-01', '400 PERIOD_INVALID'],
    ['bookingStatus=booked&page=-1', '400 FORMAT_ERROR'],
    ['bookingStatus=booked&pageIndex=1e3', '400 FORMAT_ERROR'],
    ['bookingStatus=booked&itemsPerPage=0', '400 FORMAT_ERROR'],
    ['bookingStatus=booked&deltaList=true', '400 PARAMETER_NOT_SUPPORTED'],
    ['bookingStatus=booked&entryReferenceFrom=1', '400 PARAMETER_NOT_SUPPORTED'],
  ])('%s', (query, error) => {
    expect(errorOf(answerTo(query))).toBe(error);
  });

  it.each([
    ['itemsPerPage=0', 'itemsPerPage', 'expected a whole number from 1 to 999999, found 0'],
    ['itemsPerPage=%F0%9F%A6%8A', 'itemsPerPage', 'expected a whole number from 1 to 999999, found 🦊'],
    ['page=-1', 'page', 'expected a whole number from 0 to 999999, found -1'],
    ['pageIndex=1e3', 'pageIndex', 'expected a whole number from 0 to 999999, found 1e3'],
  ])('with what is expected instead: %s', (query, name, fault) => {
    const [message] = jsonOf(answerTo(`bookingStatus=booked&${query}`)).tppMessages;
    expect(message).toMatchObject({ path: name, text: `${name}: ${fault}.` });
  });

  it.each(['bookingStatus=booked&dateFrom=2026-01-01', 'bookingStatus=booked&dateFrom=2026-06-14', ''])(
    'the consent whose right to old transactions is expired: %s',
    (query) => {
      const answer = answerTo(query, 'CONSENT_ID_TRANSACTION_90D_KO');
      expect(errorOf(answer)).toBe('401 CONSENT_EXPIRED');
      expect(jsonOf(answer).tppMessages[0].text).toBe(
        'The access right to transactions older than 90 days is expired.',
      );
    },
  );

  it('not the other reads of that consent', () => {
    for (const operation of ['accounts.list', 'accounts.read', 'accounts.balances'] as const)
      expect(ask({ operation, headers: { 'Consent-Id': 'CONSENT_ID_TRANSACTION_90D_KO' } }).status).toBe(200);
  });
});
