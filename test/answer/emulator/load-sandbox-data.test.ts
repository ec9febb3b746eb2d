import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadSandboxData } from '../../../src/answer/index.js';
import { SandgateError } from '../../../src/spec/index.js';
import { DATA } from '../an-emulator.js';

const read = (name: string) =>
  readFileSync(new URL(`../../../data/sandbox/${name}`, import.meta.url), 'utf8');
const load = (changed: string, change: (text: string) => string) =>
  loadSandboxData((name) => (name === changed ? change(read(name)) : read(name)));

describe('the sandbox data', () => {
  it('is a history of about sixty entries over 120 days, newest first', () => {
    const days = DATA.transactions.booked.map(({ bookingDay }) => bookingDay);
    expect(days.length).toBeGreaterThanOrEqual(60);
    expect(Math.min(...days)).toBe(-120);
    expect(days).toEqual([...days].sort((a, b) => b - a));
    expect(DATA.transactions.pending.length).toBeGreaterThan(1);
    const ids = [...DATA.transactions.booked, ...DATA.transactions.pending].map((one) => one.transactionId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('has balances for each account', () => {
    for (const { resourceId } of DATA.accounts.accounts)
      expect(DATA.balances[resourceId]?.length).toBeGreaterThan(1);
  });

  it.each([
    ['accounts.json', (text: string) => text.slice(0, -20), /accounts\.json/],
    [
      'accounts.json',
      (text: string) => text.replace(/BE\d{14}/, 'BE00983120441783'),
      /accounts\.0\.iban: a valid IBAN/,
    ],
    ['accounts.json', (text: string) => text.replace('"ACCOUNT_ID"', '"OTHER"'), /resourceId ACCOUNT_ID/],
    ['balances.json', (text: string) => text.replace('"ACCOUNT_ID"', '"OTHER"'), /balances of ACCOUNT_ID/],
    ['balances.json', (text: string) => text.replace('"3412.58"', '3412.58'), /ACCOUNT_ID\.0\.amount/],
    [
      'transactions.json',
      (text: string) => text.replace('"bookingDay": -2', '"bookingDay": 2'),
      /bookingDay/,
    ],
    ['payments.json', (text: string) => text.replace('"123.50"', '"-1"'), /SCT\.instructedAmount\.amount/],
    ['funds.json', (text: string) => text.replace('EUR', 'EURO'), /currency/],
    ['funds.json', () => '[]', /the whole/],
  ])('in %s that cannot be used is one clear error', (file, change, message) => {
    const attempt = () => load(file, change);
    expect(attempt).toThrow(SandgateError);
    expect(attempt).toThrow(message);
    expect(attempt).toThrow(file);
  });

  it('that is missing is one clear error', () => {
    expect(() =>
      loadSandboxData(() => {
        throw new Error('ENOENT: no such file');
      }),
    ).toThrow(/accounts\.json cannot be used: ENOENT/);
  });
});
