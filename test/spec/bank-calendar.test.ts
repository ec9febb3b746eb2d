import { describe, expect, it } from 'vitest';
import { bankDateAt, bankDayAt, beginOfBankDay, dateOf, dayOf, openCalendar } from '../../src/spec/index.js';

const HOUR = 3_600_000;
const numberOf = (date: string) => dayOf(Date.parse(date));
const textOf = (at: number) => new Date(at).toISOString().replace(':00.000Z', '');

describe("the bank's day", () => {
  it.each([
    ['a winter evening', '2026-11-23T22:59:59.999Z', '2026-11-23'],
    ['half past eleven of a winter evening in UTC', '2026-11-23T23:30Z', '2026-11-24'],
    ['half past nine of a summer evening in UTC', '2026-06-15T21:30Z', '2026-06-15'],
    ['half past eleven of a summer evening in UTC', '2026-06-15T23:30Z', '2026-06-16'],
    ['the last moment before clocks go forward', '2026-03-28T22:59Z', '2026-03-28'],
    ['the day on which they go forward', '2026-03-28T23:00Z', '2026-03-29'],
    ['its last hour, in summer time', '2026-03-29T21:59Z', '2026-03-29'],
    ['the day after it', '2026-03-29T22:00Z', '2026-03-30'],
    ['the day on which clocks go back', '2026-10-24T22:00Z', '2026-10-25'],
    ['its 25th hour', '2026-10-25T22:59Z', '2026-10-25'],
    ["the last hour of the year's last day", '2026-12-31T22:59Z', '2026-12-31'],
    ['the year that has begun in Brussels', '2026-12-31T23:30Z', '2027-01-01'],
    ['a leap day', '2028-02-28T23:00Z', '2028-02-29'],
    ['a far year', '9999-12-31T23:00Z', '+010000-01'],
    ['a year before the zone', '1800-01-01T00:00Z', '1800-01-01'],
  ])('is of %s', (_, at, date) => {
    expect(bankDateAt(Date.parse(at))).toBe(date);
  });

  it.each([
    ['2026-06-15', '2026-06-14T22:00', 24],
    ['2026-11-23', '2026-11-22T23:00', 24],
    ['2026-03-29', '2026-03-28T23:00', 23],
    ['2026-10-25', '2026-10-24T22:00', 25],
    ['2027-01-01', '2026-12-31T23:00', 24],
  ])('%s begins at %s in UTC and lasts %i hours', (date, begins, hours) => {
    const [from, to] = [beginOfBankDay(numberOf(date)), beginOfBankDay(numberOf(date) + 1)];
    expect([textOf(from), (to - from) / HOUR]).toEqual([begins, hours]);
  });

  it('begins where the one before it ends, on every day of forty years', () => {
    for (let day = numberOf('2000-01-01'); day < numberOf('2040-01-01'); day++) {
      const begin = beginOfBankDay(day);
      expect([bankDayAt(begin - 1), bankDayAt(begin)], dateOf(day)).toEqual([day - 1, day]);
    }
  });

  it('is none of no time', () => {
    expect([bankDayAt(Number.NaN), beginOfBankDay(Number.NaN)]).toEqual([Number.NaN, Number.NaN]);
  });
});

describe('a calendar', () => {
  it.each([
    ['a zone with quarters', 'Asia/Kathmandu', '2026-06-15', '2026-06-14T18:15', 24],
    ['a zone west of UTC', 'America/New_York', '2026-03-08', '2026-03-08T05:00', 23],
    ['a day without midnight', 'America/Santiago', '2026-09-06', '2026-09-06T04:00', 23],
    ['a day whose first hour comes twice', 'America/Havana', '2026-11-01', '2026-11-01T04:00', 25],
    ['a day whose last hour comes twice', 'America/Santiago', '2026-04-04', '2026-04-04T03:00', 25],
    ['half an hour', 'Australia/Lord_Howe', '2026-10-04', '2026-10-03T13:30', 23.5],
    ['UTC', 'UTC', '2026-06-15', '2026-06-15T00:00', 24],
  ])('knows of %s when it begins', (_, zone, date, begins, hours) => {
    const { beginOf, dayAt } = openCalendar(zone);
    const [from, to] = [beginOf(numberOf(date)), beginOf(numberOf(date) + 1)];
    expect([textOf(from), (to - from) / HOUR]).toEqual([begins, hours]);
    expect([dayAt(from - 1), dayAt(from), dayAt(to - 1)].map(dateOf)).toEqual([
      dateOf(numberOf(date) - 1),
      date,
      date,
    ]);
  });
});
