/** What moves on an account of each kind in a month. Most amounts are parts of its income, so spending follows it. */
import type { Range } from './draw.js';
import { FIRMS_BY_TRADE, type Party, SHOPS } from './parties.js';

/** ISO 20022 bank transaction codes: domain, family, sub-family. */
export const CODES = {
  card: 'PMNT-CCRD-POSD',
  cash: 'PMNT-CCRD-CWDL',
  credit: 'PMNT-RCDT-ESCT',
  abroad: 'PMNT-RCDT-XBCT',
  transfer: 'PMNT-ICDT-ESCT',
  standing: 'PMNT-ICDT-STDO',
  debit: 'PMNT-RDDT-ESDD',
  ownOut: 'PMNT-ICDT-BOOK',
  ownIn: 'PMNT-RCDT-BOOK',
  interestIn: 'ACMT-MCOP-INTR',
  interestOut: 'ACMT-MDOP-INTR',
  charge: 'ACMT-MDOP-CHRG',
  other: 'ACMT-OPCL-ACCO',
} as const;

export interface Flow {
  readonly goes: 'in' | 'out';
  /** A day of the month after payday, 16 at most, or the next bank day; 0: on payday. Drawn each time. */
  readonly on: number | Range;
  /** The months of the year in which it does; all where absent. */
  readonly months?: readonly number[];
  /** Thousandths of the account's income… */
  readonly part?: Range;
  /** …or minor units. */
  readonly amount?: Range;
  /** Drawn anew each time; else once for the account. */
  readonly varies?: true;
  /** A multiple of so many minor units. */
  readonly step?: number;
  /** In so many pieces, spread over the period, each with another party. */
  readonly pieces?: Range;
  /** One of them, the same each time; null: the bank itself. */
  readonly with: readonly Party[] | null;
  readonly text: string;
  readonly code: string;
}

export interface Spending {
  readonly on: readonly Party[];
  /** How often, against the others. */
  readonly often: number;
  /** How much, against the others. */
  readonly weight: Range;
  readonly text: string;
  readonly code: string;
}

export interface Plan {
  /** Monthly income in the first year, in minor units; absent: what its transfers bring, or that of another account. */
  readonly income?: Range;
  readonly flows: readonly Flow[];
  /** What is left at the end of a period: in thousandths of the income, where the rest is spent… */
  readonly left?: Range;
  readonly payments?: Range;
  readonly spending?: readonly Spending[];
  /** …or as it comes, from this sum on, where it is not. */
  readonly opening?: Range;
  /** Interest paid for a year, in hundredths of a percent. */
  readonly interest?: number;
}

const purchase = { text: 'Aankoop / Purchase', code: CODES.card } as const;
const DAILY: readonly Spending[] = [
  { on: SHOPS.groceries, often: 10, weight: [18, 95], ...purchase },
  { on: SHOPS.bakery, often: 8, weight: [3, 12], ...purchase },
  { on: SHOPS.restaurant, often: 5, weight: [14, 70], ...purchase },
  { on: SHOPS.fuel, often: 3, weight: [38, 75], text: 'Brandstof / Fuel', code: CODES.card },
  { on: SHOPS.clothes, often: 4, weight: [15, 110], ...purchase },
  { on: SHOPS.pharmacy, often: 2, weight: [6, 40], ...purchase },
  { on: SHOPS.transport, often: 3, weight: [3, 24], ...purchase },
];

const salary = (from: readonly Party[], text: string): Flow => ({
  ...({ goes: 'in', on: 0, part: [1000, 1000], code: CODES.credit } as const),
  with: from,
  text,
});
const debit = (on: number, to: readonly Party[], text: string) =>
  ({ goes: 'out', on, with: to, text, code: CODES.debit }) as const;
const byBank = (on: number, text: string, code: string) =>
  ({ goes: 'out', on, with: null, text, code }) as const;

const HOME: readonly Flow[] = [
  {
    ...({ goes: 'out', on: 1, part: [240, 300], step: 500, code: CODES.standing } as const),
    with: FIRMS_BY_TRADE.landlords,
    text: 'Huur / Rent',
  },
  { ...debit(8, FIRMS_BY_TRADE.energy, 'Elektriciteit en gas / Energy'), part: [35, 55], varies: true },
  { ...debit(10, FIRMS_BY_TRADE.water, 'Water'), part: [12, 18], months: [2, 5, 8, 11], varies: true },
  { ...debit(3, FIRMS_BY_TRADE.insurance, 'Woningverzekering / Home insurance'), part: [12, 20] },
];
const OWN: readonly Flow[] = [
  { ...debit(4, FIRMS_BY_TRADE.telecom, 'Internet en mobiel / Telecom'), amount: [3999, 6999] },
  { ...debit(6, FIRMS_BY_TRADE.sport, 'Lidgeld / Membership'), amount: [2450, 3990] },
  {
    ...({ goes: 'out', on: 11, amount: [899, 1499], code: CODES.card } as const),
    with: SHOPS.streaming,
    text: 'Abonnement / Subscription',
  },
  {
    ...({ goes: 'out', on: [9, 15], part: [20, 40], varies: true, step: 2000, code: CODES.cash } as const),
    with: SHOPS.cash,
    text: 'Geldopname / Cash withdrawal',
  },
  { ...byBank(2, 'Rekeningkosten / Account fee', CODES.charge), amount: [195, 395] },
  {
    ...({ goes: 'in', on: [5, 16], amount: [800, 3500], varies: true, code: CODES.credit } as const),
    with: FIRMS_BY_TRADE.friends,
    text: 'Terugbetaling / Paid back',
  },
];

const wages: Plan = {
  income: [210_000, 390_000],
  flows: [salary(FIRMS_BY_TRADE.employers, 'Loon / Salary'), ...HOME, ...OWN],
  left: [600, 760],
  payments: [30, 42],
  spending: DAILY,
};
const { income: _, ...drawings } = wages;

export const PLANS = {
  wages,
  /** One who saves for a journey in July. */
  saver: {
    ...wages,
    flows: [
      ...wages.flows,
      {
        ...({ goes: 'out', on: 9, months: [7], part: [340, 420], code: CODES.transfer } as const),
        with: FIRMS_BY_TRADE.travel,
        text: 'Zomerreis / Summer holiday',
      },
    ],
  },
  pension: {
    ...wages,
    income: [150_000, 230_000],
    flows: [salary(FIRMS_BY_TRADE.pensions, 'Pensioen / Pension'), ...HOME, ...OWN],
    left: [700, 820],
  },
  /** The private account of one who runs a business and lives on transfers from it. */
  drawings: { ...drawings, flows: [...HOME, ...OWN] },
  /** One of two who share a household. */
  partner: {
    ...wages,
    flows: [salary(FIRMS_BY_TRADE.employers, 'Loon / Salary'), ...OWN],
    payments: [16, 24],
  },
  household: {
    flows: [
      ...HOME,
      { ...debit(12, FIRMS_BY_TRADE.school, 'Schoolrekening / School'), part: [30, 60], varies: true },
    ],
    left: [1100, 1250],
    payments: [14, 22],
    spending: DAILY.slice(0, 2),
  },
  overdrawn: {
    ...wages,
    income: [190_000, 240_000],
    flows: [
      ...wages.flows,
      {
        ...byBank(2, 'Debetrente / Overdraft interest', CODES.interestOut),
        ...({ part: [8, 14], months: [1, 4, 7, 10], varies: true } as const),
      },
    ],
    left: [-1400, -1200],
  },
  student: {
    income: [28_000, 45_000],
    flows: [
      salary(FIRMS_BY_TRADE.parents, 'Zakgeld / Allowance'),
      { ...debit(4, FIRMS_BY_TRADE.telecom, 'Mobiel / Mobile'), amount: [1000, 1500] },
    ],
    left: [150, 300],
    payments: [9, 15],
    spending: [
      ...DAILY.slice(1, 3),
      { on: SHOPS.transport, often: 4, weight: [3, 12], ...purchase },
      { on: SHOPS.groceries, often: 6, weight: [4, 25], ...purchase },
    ],
  },
  business: {
    income: [700_000, 1_200_000],
    flows: [
      {
        ...({ goes: 'in', on: 0, part: [900, 1100], varies: true, pieces: [4, 7] } as const),
        with: FIRMS_BY_TRADE.customers,
        text: 'Factuur / Invoice',
        code: CODES.credit,
      },
      {
        ...({ goes: 'out', on: 1, part: [40, 60], step: 500, code: CODES.standing } as const),
        with: FIRMS_BY_TRADE.offices,
        text: 'Huur kantoor / Office rent',
      },
      {
        ...({ goes: 'out', on: 14, months: [1, 4, 7, 10], part: [150, 200], varies: true } as const),
        with: FIRMS_BY_TRADE.tax,
        text: 'BTW / VAT',
        code: CODES.transfer,
      },
      {
        ...debit(15, FIRMS_BY_TRADE.social, 'Sociale bijdragen / Social contributions'),
        ...({ months: [2, 5, 8, 11], part: [80, 110] } as const),
      },
      { ...byBank(2, 'Rekeningkosten / Account fee', CODES.charge), amount: [595, 1495] },
    ],
    left: [1500, 1600],
    payments: [9, 15],
    spending: [
      {
        ...{ on: FIRMS_BY_TRADE.suppliers, often: 5, weight: [40, 400] },
        ...{ text: 'Factuur leverancier / Supplier invoice', code: CODES.transfer },
      },
      { on: SHOPS.fuel, often: 3, weight: [30, 70], text: 'Brandstof / Fuel', code: CODES.card },
      {
        on: SHOPS.restaurant,
        often: 2,
        weight: [25, 120],
        text: 'Zakenlunch / Business lunch',
        code: CODES.card,
      },
    ],
  },
  /** Dollars, pounds or francs, from customers abroad. */
  foreign: {
    income: [60_000, 180_000],
    flows: [
      {
        ...({ goes: 'in', on: [4, 8], part: [1000, 1000], code: CODES.abroad } as const),
        with: FIRMS_BY_TRADE.clientsAbroad,
        text: 'Consulting fee',
      },
    ],
    left: [2500, 2900],
    payments: [3, 7],
    spending: [{ on: SHOPS.abroad, often: 1, weight: [10, 150], text: 'Purchase', code: CODES.card }],
  },
  /** Settled each month by the account that it belongs to, whose income it is measured by. */
  card: {
    flows: [],
    left: [-120, -60],
    payments: [6, 14],
    spending: [
      { on: SHOPS.online, often: 3, weight: [15, 140], ...purchase },
      { on: SHOPS.restaurant, often: 2, weight: [20, 80], ...purchase },
    ],
  },
  savings: { flows: [], opening: [600_000, 2_400_000], interest: 85 },
  /** Nothing moves: blocked… */
  still: { flows: [], opening: [30_000, 250_000] },
  /** …or there is nothing. */
  nothing: { flows: [], opening: [0, 0] },
} as const satisfies Record<string, Plan>;
export type PlanName = keyof typeof PLANS;
