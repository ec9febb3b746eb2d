/** Days of the calendar, and those on which banks settle. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calendarDateOf, dayOfDate, isBankDay, lastBankDay, nextBankDay } from '../../src/bank/index.js';
import { dateOf, dayOf } from '../../src/spec/index.js';

const day = (date: string) => dayOf(Date.parse(date));

describe('a day', () => {
  it('has the date that the calendar gives it, and the date leads back to it', () => {
    fc.assert(
      fc.property(fc.integer({ min: day('1600-01-01'), max: day('2999-12-31') }), (any) => {
        const { year, month, date } = calendarDateOf(any);
        const text = [String(year), ...[month, date].map((part) => String(part).padStart(2, '0'))].join('-');
        expect(text).toBe(dateOf(any));
        expect(dayOfDate(year, month, date)).toBe(any);
      }),
    );
  });

  it('may be named by a month beyond the year', () => {
    expect(dateOf(dayOfDate(2025, 13, 1))).toBe('2026-01-01');
    expect(dateOf(dayOfDate(2026, 0, 31))).toBe('2025-12-31');
    expect(dateOf(dayOfDate(2025, 38, 1))).toBe('2028-02-01');
  });
});

describe('banks', () => {
  it.each([
    ['2026-01-01', 'New Year'],
    ['2026-04-03', 'Good Friday'],
    ['2026-04-06', 'Easter Monday'],
    ['2024-03-29', 'Good Friday in March'],
    ['2038-04-26', 'the latest Easter Monday'],
    ['2026-05-01', '1 May'],
    ['2026-12-25', 'Christmas Day'],
    ['2025-12-26', 'the day after'],
    ['2026-11-21', 'a Saturday'],
    ['2026-11-22', 'a Sunday'],
  ])('do not settle on %s, %s', (date) => {
    expect(isBankDay(day(date))).toBe(false);
  });

  it.each([
    ['2026-11-23', 'a Monday'],
    ['2026-07-21', 'a national holiday, which TARGET does not know'],
    ['2026-05-14', 'Ascension Day, as well'],
    ['2026-12-24', 'Christmas Eve'],
  ])('settle on %s, %s', (date) => {
    expect(isBankDay(day(date))).toBe(true);
  });

  it('wait over holidays and weekends, or settle before them', () => {
    expect(dateOf(nextBankDay(day('2026-04-03')))).toBe('2026-04-07');
    expect(dateOf(lastBankDay(day('2026-04-06')))).toBe('2026-04-02');
    expect(nextBankDay(day('2026-11-23'))).toBe(day('2026-11-23'));
    expect(lastBankDay(day('2026-11-23'))).toBe(day('2026-11-23'));
  });
});
