/** Ten kinds of PSUs, in turn: psu-1, psu-11 and psu-21 are alike. So the first ten show every kind of account. */
import type { Range } from './draw.js';
import type { PlanName } from './plans.js';
import type { Account } from './population.js';

export interface AccountRow
  extends Pick<Account, 'name' | 'product' | 'cashAccountType'>,
    Partial<Pick<Account, 'status' | 'usage' | 'overdraft'>> {
  readonly plan: PlanName;
  /** Of which one is drawn; EUR where absent. */
  readonly currencies?: readonly string[];
  /** The slot of the account by whose income its amounts are measured. */
  readonly measuredBy?: number;
  /** The next PSU owns it too. */
  readonly joint?: true;
}

const current = (plan: PlanName, more: Partial<AccountRow> = {}): AccountRow => ({
  ...{ plan, name: 'Current account', product: 'Sandgate Current', cashAccountType: 'CACC' },
  ...more,
});
const savings = (plan: PlanName, more: Partial<AccountRow> = {}): AccountRow => ({
  ...{ plan, name: 'Savings account', product: 'Sandgate Savings', cashAccountType: 'SVGS' },
  ...more,
});

/** By persona, from 1; the accounts of each by slot, from 1. */
export const PERSONAS: readonly (readonly AccountRow[])[] = [
  [current('saver'), savings('savings')],
  [current('partner'), savings('savings'), current('household', { name: 'Household account', joint: true })],
  [current('partner')],
  [
    current('business', { name: 'Business account', product: 'Sandgate Business', usage: 'ORGA' }),
    current('drawings'),
  ],
  [
    current('saver'),
    savings('savings'),
    {
      ...{ plan: 'card', name: 'Credit card', product: 'Sandgate Card', cashAccountType: 'CARD' },
      ...{ overdraft: 250_000, measuredBy: 1 },
    },
  ],
  [
    current('wages'),
    current('foreign', {
      ...{ name: 'Foreign currency account', product: 'Sandgate World' },
      currencies: ['USD', 'GBP', 'CHF'],
    }),
  ],
  [current('overdrawn', { overdraft: 550_000 })],
  [current('pension'), savings('nothing')],
  [current('wages'), current('still', { name: 'Estate account', status: 'blocked' })],
  [current('student'), savings('nothing', { name: 'Youth savings account', status: 'deleted' })],
];

interface End {
  readonly persona: number;
  readonly slot: number;
}

/** Between accounts of one PSU, or of two who share a household: what one pays, the other gets, on the same day. */
export interface Transfer {
  readonly from: End;
  readonly to: End;
  readonly on: number;
  readonly months?: readonly number[];
  /** Thousandths of the income of the account `of`; absent: what is owed on the other at the end of the last period. */
  readonly part?: Range;
  readonly of?: 'from' | 'to';
  readonly text: string;
}

const at = (persona: number, slot: number): End => ({ persona, slot });
const saving = (persona: number): Transfer => ({
  ...{ from: at(persona, 1), to: at(persona, 2), on: 2, text: 'Sparen / Savings' },
  ...({ part: [60, 100], of: 'from' } as const),
});
const holiday = (persona: number): Transfer => ({
  ...{ from: at(persona, 2), to: at(persona, 1), on: 5, months: [7], text: 'Vakantie / Holiday' },
  ...({ part: [420, 540], of: 'to' } as const),
});
const household = (persona: number): Transfer => ({
  ...{ from: at(persona, 1), to: at(2, 3), on: 1, text: 'Huishouden / Household' },
  ...({ part: [300, 360], of: 'from' } as const),
});

export const TRANSFERS: readonly Transfer[] = [
  saving(1),
  holiday(1),
  saving(2),
  household(2),
  household(3),
  {
    ...{ from: at(4, 1), to: at(4, 2), on: 0, text: 'Bezoldiging / Drawings' },
    ...({ part: [300, 350], of: 'from' } as const),
  },
  saving(5),
  holiday(5),
  { from: at(5, 1), to: at(5, 3), on: 6, text: 'Kaartafrekening / Card settlement' },
];
