/** docs/bank-habits.md: what a bank does on other days, and what a TPP should expect of it. */
import { HABITS } from '../src/bank/index.js';
import { code, page, table } from './docs.js';

const TITLES = {
  postings: 'Entries of accounts',
  payments: 'Payments',
  consents: 'Consents',
  accounts: 'Accounts',
} as const satisfies Record<keyof typeof HABITS, string>;

export function habitsDoc(): string {
  const groups = (Object.keys(TITLES) as (keyof typeof HABITS)[]).flatMap((group) => [
    `## ${TITLES[group]}`,
    table(
      ['Habit', 'Share of', 'What a TPP should do', 'market'],
      Object.entries(HABITS[group]).map(([habit, { says, expect, market }]) => [
        code(`${group}.${habit}`),
        says,
        expect,
        `${Math.round(market * 100)} %`,
      ]),
    ),
  ]);
  return page(
    'Habits of the living bank',
    'Most of what breaks a TPP is no error: it is a well-formed answer that the TPP takes in wrongly. `--bank-habits` lets the ' +
      '[living bank](emulator.md#the-living-bank) do what banks do.',
    table(
      ['Value', 'The bank'],
      [
        ['`calm`', 'is as its page describes it; the default'],
        ['`market`', 'has a little of every habit'],
        ['a file', 'has the habits that the file names'],
      ],
    ),
    'A file is JSON, each habit a share from 0 to 1. What it does not name is 0; `1` means always. The shares of payments are of all ' +
      'payments, and add up to 1 at most.',
    '```json\n{ "postings": { "held": 1, "heldOtherId": 1 }, "payments": { "checked": 0.5, "returned": 0.5 } }\n```',
    'The same seed has the same life: what happens to an account follows from `--bank-seed` and the day, what happens to a payment ' +
      'from the seed, its accounts, its amount and the day. On every day a balance is the sum of what is booked. Sessions note the habits.',
    ...groups,
    `The last column is \`market\`. Habits of accounts are shares of a year, from 2026 on. An IBAN changes by itself only in a bank ` +
      'of a seed.',
    'To make something happen at once, see [admin.md](admin.md) and `gateway.bank` in [testing.md](testing.md).',
  );
}
