/** Dates of a recording on another day. */
import { describe, expect, it } from 'vitest';
import { isDated, isSameDate, moveDate, moveHttpDate } from '../../../src/answer/replay/dates.js';
import { DAY_MS, dateAt, dayOf } from '../../../src/spec/index.js';
import type { CallParts } from '../../builders.js';
import { aReplay, numbered } from './a-replay.js';

describe('a date', () => {
  it.each([
    ['2026-06-15', 3, '2026-06-18'],
    ['2026-12-31', 1, '2027-01-01'],
    ['2028-02-28', 1, '2028-02-29'],
    ['2026-06-15', -15, '2026-05-31'],
    ['2026-06-15T23:59:59.123+02:00', 1, '2026-06-16T23:59:59.123+02:00'],
    ['2026-06-15T10:00:00Z', 365, '2027-06-15T10:00:00Z'],
    ['2026-06-15', 0, '2026-06-15'],
    ['9999-12-31', 0, '9999-12-31'],
  ])('%s moves by %i days to %s', (text, days, moved) => {
    expect(isDated(text)).toBe(true);
    expect(moveDate(text, days)).toBe(moved);
  });

  it.each(['2026-02-30', '2026-13-01', '20260615', '2026-06-15x', 'BE14983120441783', '2026-06-15T25'])(
    '%s is none',
    (text) => {
      expect(isDated(text)).toBe(false);
    },
  );

  it.each([
    ['Mon, 15 Jun 2026 10:00:00 GMT', 3, 'Thu, 18 Jun 2026 10:00:00 GMT'],
    ['0', 3, '0'],
    ['Monday, 15-Jun-26 10:00:00 GMT', 3, 'Monday, 15-Jun-26 10:00:00 GMT'],
  ])('of HTTP, %s moves by %i days to %s', (text, days, moved) => {
    expect(moveHttpDate(text, days)).toBe(moved);
  });

  it.each([
    ['2026-06-15', '2026-06-15', 30, true],
    ['2026-06-15', '2026-07-15', 30, true],
    ['2026-06-15', '2026-07-14', 30, true],
    ['2026-06-15', '2026-07-16', 30, true],
    ['2026-06-15', '2026-07-17', 30, false],
    ['2026-06-15', '2026-06-16', 30, false],
    ['2026-06-15T10:00:00Z', '2026-07-15T11:22:33Z', 30, true],
    ['2026-06-15', 'tomorrow', 30, false],
    ['tomorrow', 'tomorrow', 30, true],
  ])('%s is %s after so many days: %i, %s', (recorded, sent, days, same) => {
    expect(isSameDate(recorded, sent, { from: dayOf(Date.UTC(2026, 5, 15)), days })).toBe(same);
  });
});

describe('a date that is reckoned by the calendar', () => {
  it.each([
    ['the first of the month', '2026-05-20', '2026-05-01', '2026-08-11', '2026-08-01'],
    ['the first of the month before', '2026-01-20', '2025-12-01', '2026-03-31', '2026-02-01'],
    ['the first of the next month', '2026-11-20', '2026-12-01', '2026-12-31', '2027-01-01'],
    ['the last of the month', '2026-05-20', '2026-05-31', '2027-02-11', '2027-02-28'],
    ['the last of the month before', '2026-03-20', '2026-02-28', '2028-03-01', '2028-02-29'],
    ['a month ago', '2026-05-20', '2026-04-20', '2026-08-11', '2026-07-11'],
    ['a month ago, from the 31st', '2026-05-20', '2026-04-20', '2026-03-31', '2026-02-28'],
    ['a month ago, to the 30th', '2026-05-31', '2026-04-30', '2026-08-11', '2026-07-11'],
    ['a month ago, a time zone away', '2026-05-20', '2026-04-21', '2026-08-11', '2026-07-12'],
    ['half a year ahead', '2026-05-20', '2026-11-20', '2026-08-11', '2027-02-11'],
    ['a year ago', '2026-05-20', '2025-05-20', '2028-02-29', '2027-02-28'],
    ['the first of the year', '2026-05-20', '2026-01-01', '2027-02-11', '2027-01-01'],
    ['the last of the year', '2026-05-20', '2026-12-31', '2027-02-11', '2027-12-31'],
  ])('is the recorded one: %s', (_, recordedOn, recorded, sentOn, sent) => {
    const from = dayOf(Date.parse(recordedOn));
    const shift = { from, days: dayOf(Date.parse(sentOn)) - from };
    expect(isSameDate(recorded, sent, shift)).toBe(true);
    expect(isSameDate(recorded, recorded.replace('20', '19'), shift)).toBe(false);
  });

  it.each([
    ['a day of no meaning', '2026-05-20', '2026-05-07', '2026-08-11', '2026-08-07'],
    ['the first of another month', '2026-05-20', '2026-05-01', '2026-08-11', '2026-07-01'],
    ['two months ago', '2026-05-20', '2026-04-20', '2026-08-11', '2026-06-11'],
  ])('is not taken for it: %s', (_, recordedOn, recorded, sentOn, sent) => {
    const from = dayOf(Date.parse(recordedOn));
    expect(isSameDate(recorded, sent, { from, days: dayOf(Date.parse(sentOn)) - from })).toBe(false);
  });

  it('finds its answer, and is what the answer shows', async () => {
    const read = (dateFrom: string): CallParts => ({
      operation: 'accounts.transactions',
      query: `bookingStatus=booked&dateFrom=${dateFrom}`,
      headers: { Authorization: 'Bearer t', 'Consent-Id': 'C' },
    });
    // Recorded on 15 June, 57 days before 11 August.
    const { ask } = aReplay([{ call: read('2026-06-01'), answer: { body: { dateFrom: '2026-06-01' } } }], {
      days: 57,
    });
    expect((await ask(read('2026-08-01')))?.json).toEqual({ dateFrom: '2026-08-01' });
  });
});

describe('in a replay ten days later', () => {
  const create = (validUntil: string): CallParts => ({ operation: 'consents.create', body: { validUntil } });
  const answer = {
    status: 201,
    headers: {
      Date: 'Mon, 15 Jun 2026 10:00:00 GMT',
      Expires: 'Tue, 16 Jun 2026 10:00:00 GMT',
      'X-Trace': '2026-06-15',
    },
    body: {
      consentId: 'C',
      validUntil: '2026-08-01',
      lastActionDate: '2026-06-15',
      bookings: [{ bookingDate: '2026-06-01', entryDateTime: '2026-06-01T08:00:00.5+02:00' }],
      iban: 'BE14983120441783',
      self: '/stdgroup/v1/accounts/A/transactions?dateFrom=2026-06-01&bookingStatus=booked',
    },
  };
  const recorded = [{ call: create('2026-08-01'), answer }];

  it('every date of an answer is ten days later, but for what is no date', async () => {
    const seen = await aReplay(recorded, { days: 10 }).ask(create('2026-08-11'));
    expect(seen?.json).toEqual({
      consentId: 'C',
      validUntil: '2026-08-11',
      lastActionDate: '2026-06-25',
      bookings: [{ bookingDate: '2026-06-11', entryDateTime: '2026-06-11T08:00:00.5+02:00' }],
      iban: 'BE14983120441783',
      self: '/stdgroup/v1/accounts/A/transactions?dateFrom=2026-06-11&bookingStatus=booked',
    });
    expect(seen?.answer.header).toMatchObject({
      date: 'Thu, 25 Jun 2026 10:00:00 GMT',
      expires: 'Fri, 26 Jun 2026 10:00:00 GMT',
    });
  });

  it('a date that the client wrote down once and for all stays as it sends it, in the answer too', async () => {
    const seen = await aReplay(recorded, { days: 10 }).ask(create('2026-08-01'));
    expect(seen?.json).toMatchObject({ validUntil: '2026-08-01', lastActionDate: '2026-06-25' });
  });

  it('the date that the client sends in its own time zone is the one of the answer', async () => {
    const seen = await aReplay(recorded, { days: 10 }).ask(create('2026-08-12'));
    expect(seen?.json).toMatchObject({ validUntil: '2026-08-12' });
  });

  it('another date is another call, and the miss names the one of today', async () => {
    const seen = await aReplay(recorded, { days: 10 }).ask(create('2026-09-01'));
    expect(seen?.miss).toMatchObject({
      kind: 'differs',
      closest: {
        differences: [{ place: 'body validUntil', expected: '2026-08-11', got: '2026-09-01' }],
      },
    });
  });

  it('kept dates stay, in answers and in what is expected of calls', async () => {
    const { ask, report } = aReplay(recorded, { days: 10, dates: 'keep' });
    expect((await ask(create('2026-08-11')))?.miss?.closest?.differences).toEqual([
      { place: 'body validUntil', expected: '2026-08-01', got: '2026-08-11' },
    ]);
    const seen = await ask(create('2026-08-01'));
    expect(seen?.json).toEqual(answer.body);
    expect(seen?.answer.header.date).toBe('Mon, 15 Jun 2026 10:00:00 GMT');
    expect(report().daysShifted).toBe(0);
  });

  it('the report tells how old the recording is', () => {
    expect(aReplay(recorded, { days: 10 }).report().daysShifted).toBe(10);
  });
});

describe('a recording that goes on after midnight', () => {
  const MIDNIGHT = Date.parse('2026-06-16T00:00:00Z');
  const [before, after] = [MIDNIGHT - 1_380_000, MIDNIGHT + 5_820_000];
  const create = (at: number, ahead: number): CallParts => ({
    ...{ operation: 'consents.create', at },
    body: { validUntil: dateAt(at + ahead * DAY_MS) },
  });
  const recorded = [
    { call: create(before, 60), answer: numbered(1) },
    { call: create(after, 60), answer: numbered(2) },
  ];
  const numbers = async (calls: readonly CallParts[]) => {
    const { ask } = aReplay(recorded);
    const seen: unknown[] = [];
    for (const call of calls) {
      const one = await ask(call);
      seen.push(one?.miss?.kind ?? one?.json.n);
    }
    return seen;
  };

  it.each([
    ['it goes on after midnight, too', 10, [before, after]],
    ['it is by day', 10, [before - 36_000_000, before - 35_000_000]],
    ['its clock is moved on by days', 10, [before, after + 3 * DAY_MS]],
    ['it is of the same night', 0, [before, after]],
  ])('is replayed in its order by a run if %s', async (_, days, times) => {
    const calls = times.map((at) => create(at + days * DAY_MS, 60));
    expect(await numbers(calls)).toEqual([1, 2]);
    expect(await numbers([...calls, calls[1] as CallParts])).toEqual([1, 2, 'used-up']);
  });

  it('is replayed by a client that computes its dates when it starts', async () => {
    const once = [before, after].map((at) => ({ ...create(before, 60), at }));
    const { ask } = aReplay(once.map((call, i) => ({ call, answer: numbered(i + 1) })));
    const later = once.map(({ at }) => ({ ...create(before + 10 * DAY_MS, 60), at: at + 10 * DAY_MS }));
    expect([(await ask(later[0] as CallParts))?.json, (await ask(later[1] as CallParts))?.json]).toEqual([
      { n: 1 },
      { n: 2 },
    ]);
  });

  it('is not replayed by a call with a date further away', async () => {
    expect(await numbers([create(before + 10 * DAY_MS, 64)])).toEqual(['differs']);
  });
});
