/** Times and speeds of the clock, as people type them. */
import { describe, expect, it } from 'vitest';
import { readClockTime, readSignedDuration, readSpeed } from '../../../src/app/config/times.js';

describe('a time to set the clock to', () => {
  it.each([
    ['2026-01-31T09:00Z', '2026-01-31T09:00:00.000Z'],
    ['2026-01-31T09:00', '2026-01-31T09:00:00.000Z'],
    ['2026-01-31T09:00:05.5+01:00', '2026-01-31T08:00:05.500Z'],
    [' 2026-01-31 ', '2026-01-31T00:00:00.000Z'],
    ['2028-02-29', '2028-02-29T00:00:00.000Z'],
  ])('%s is %s', (text, iso) => {
    expect(readClockTime(text)).toEqual({ kind: 'at', at: Date.parse(iso) });
  });

  it.each([
    ['+90d', 90 * 86_400_000],
    ['-12h', -43_200_000],
    ['+1.5h', 5_400_000],
  ])('%s is so far from now', (text, by) => {
    expect(readClockTime(text)).toEqual({ kind: 'by', by });
  });

  it('can be that of the machine', () => {
    expect(readClockTime('real')).toEqual({ kind: 'real' });
  });

  it.each([
    ...['', 'soon', '90d', '+90', '+-1d', '2026-02-30', '2026-13-01', '2026-01-31T25:00Z', '31.1.2026'],
    ...['1969-12-31', '2026', '1760000000', '+010000-01-01', '2026-01-31T09:00Z!', '2026-04-31T10:00Z'],
  ])('is not “%s”', (text) => {
    expect(readClockTime(text)).toBeUndefined();
  });
});

describe('a speed of the clock', () => {
  it.each([
    ['1d/1s', 86_400],
    ['1h/1m', 60],
    ['2', 2],
    ['0.5', 0.5],
    [' 30m/500ms ', 3_600],
  ])('%s is %d', (text, factor) => {
    expect(readSpeed(text)).toEqual({ text: text.trim(), factor });
  });

  it.each(['', '0', '-1', '1/2', '1d', '1d/0s', '1d/1s/1s', 'fast', '99999999', '1s/1d', 'Infinity', '1e3'])(
    'is not “%s”',
    (text) => {
      expect(readSpeed(text)).toBeUndefined();
    },
  );
});

it('a duration may have a sign', () => {
  expect([readSignedDuration('-1d'), readSignedDuration('+1d'), readSignedDuration('1d')]).toEqual([
    -86_400_000, 86_400_000, 86_400_000,
  ]);
  expect([readSignedDuration('--1d'), readSignedDuration('1')]).toEqual([undefined, undefined]);
});
