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
    'TPPs seldom break on errors. They break on well-formed answers that they misread. `--bank-habits` lets the ' +
      '[living bank](emulator.md#the-living-bank) do what banks do.',
    table(
      ['Value', 'The bank'],
      [
        ['`calm`', 'behaves as its page describes (the default)'],
        ['`market`', 'has a little of every habit'],
        ['a file', 'has the habits that the file names'],
      ],
    ),
    'A file is JSON and gives each habit a share from 0 (default: never) to 1 (always). The shares of payments are shares of all ' +
      'payments, and add up to 1 at most.',
    '```json\n{ "postings": { "held": 1, "heldOtherId": 1 }, "payments": { "checked": 0.5, "returned": 0.5 } }\n```',
    'The same seed gives the same events: those of an account follow from `--bank-seed` and the day, those of a payment ' +
      'from the seed, its accounts, its amount and the day. A balance is always the sum of the booked entries. Sessions note the habits.',
    ...groups,
    `The last column is the share under \`market\`. Habits of accounts are shares per year, from 2026 on. IBANs change only in a bank ` +
      'generated from a seed.',
    'To make something happen at once, see [admin.md](admin.md) and `gateway.bank` in [testing.md](testing.md).',
  );
}
