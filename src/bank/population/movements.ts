/** What moves on an account in one period, in the order of booking: flows, transfers, interest, and the rest spent. */
import { nextBankDay } from '../bank-days.js';
import { createDraws, FOR, numberFrom, oneOf, type Range, within } from './draw.js';
import type { Place } from './identity.js';
import type { Party } from './parties.js';
import { dayAfterPayday, firstDayOf, lastBankDayOf } from './periods.js';
import { CODES, type Flow, type Plan, type Spending } from './plans.js';
import { bankDayOf, isDue, partOf, planOf, type Reckoning, stepped, type Transferred } from './reckoning.js';

export interface Movement {
  readonly bookingDay: number;
  readonly valueDay: number;
  readonly amount: number;
  readonly party: Party | null;
  /** Of a transfer between accounts of the bank: it names the other side. */
  readonly transfer?: Transferred;
  readonly text: string;
  readonly code: string;
}

interface Asked {
  readonly seed: number;
  readonly place: Place;
  readonly period: number;
  readonly reckoning: Reckoning;
}

interface Month extends Asked {
  readonly plan: Plan;
  readonly income: number;
  readonly payday: number;
  /** The first bank day of the period, and its last. */
  readonly days: Range;
}

/** What an account begins with stands before all else. */
export function movementsOf(asked: Asked): readonly Movement[] {
  const { place, period, reckoning } = asked;
  const payday = reckoning.paydayOf(place);
  const days: Range = [firstDayOf(period, payday), lastBankDayOf(period, payday)];
  const income = reckoning.incomeOf(place, period);
  const month = { ...asked, plan: planOf(place), income, payday, days };
  const before = reckoning.leftOf(place, period - 1);
  const all = [
    ...transfersIn(month),
    ...month.plan.flows.flatMap((flow, index) => flowIn(flow, index, month)),
    ...interestIn(month),
  ];
  const rest = before + all.reduce((sum, { amount }) => sum + amount, 0) - reckoning.leftOf(place, period);
  all.push(...spend(rest, month));
  // What comes on a day is booked before what goes.
  const booked = all
    .filter(({ amount }) => amount !== 0)
    .sort((a, b) => a.bookingDay - b.bookingDay || Math.sign(b.amount) - Math.sign(a.amount));
  return period === 0 && before !== 0 ? [broughtForward(before, days[0]), ...booked] : booked;
}

const broughtForward = (amount: number, day: number): Movement => ({
  bookingDay: day,
  valueDay: day,
  amount,
  party: null,
  text: 'Saldo overgedragen / Balance brought forward',
  code: CODES.other,
});

function transfersIn({ place, period, reckoning }: Month): Movement[] {
  return reckoning.transfersOf(place, period).map((transfer) => {
    const comes = transfer.to.number === place.number && transfer.to.slot === place.slot;
    const { day, text } = transfer;
    const [amount, code] = comes ? [transfer.amount, CODES.ownIn] : [-transfer.amount, CODES.ownOut];
    return { bookingDay: day, valueDay: day, amount, party: null, transfer, text, code };
  });
}

function interestIn({ place, period, reckoning }: Month): Movement[] {
  const amount = reckoning.interestOf(place, period);
  if (amount === 0) return [];
  const newYear = dayAfterPayday(period, 1);
  return [
    {
      bookingDay: nextBankDay(newYear),
      valueDay: newYear,
      amount,
      party: null,
      text: 'Rente / Interest',
      code: CODES.interestIn,
    },
  ];
}

function flowIn(flow: Flow, index: number, month: Month): Movement[] {
  const { seed, place, period, income, payday } = month;
  const once = (purpose: number) => numberFrom(seed, purpose, place.number, place.slot, index);
  const now = createDraws(seed, FOR.flow, place.number, place.slot, index, period);
  const date = typeof flow.on === 'number' ? flow.on : within(flow.on, now());
  if (!isDue(flow.months, period, date)) return [];
  const size = within(flow.part ?? flow.amount ?? NONE, flow.varies === true ? now() : once(FOR.flow));
  const sum = stepped(flow.part === undefined ? size : partOf(income, size), flow.step ?? 1);
  const sign = flow.goes === 'in' ? 1 : -1;
  const { text, code } = flow;
  const parties = flow.with;
  if (flow.pieces === undefined) {
    const party = parties && oneOf(parties, once(FOR.party));
    const day = bankDayOf(date, period, payday);
    return [{ bookingDay: day, valueDay: day, amount: sign * sum, party, text, code }];
  }
  const weights = Array.from({ length: within(flow.pieces, now()) }, () => within(PIECE, now()));
  return shares(sum, weights).map((share) => {
    const day = nextBankDay(within(month.days, now()));
    const party = parties && oneOf(parties, now());
    return { bookingDay: day, valueDay: day, amount: sign * share, party, text, code };
  });
}

const NONE: Range = [0, 0];
const PIECE: Range = [2, 9];

/** The whole sum, on so many purchases; what is bought on a weekend is booked on the next bank day. */
function spend(sum: number, { seed, place, period, plan, days }: Month): Movement[] {
  const { payments, spending } = plan;
  if (payments === undefined || spending === undefined) return [];
  const draw = createDraws(seed, FOR.spending, place.number, place.slot, period);
  const often = spending.reduce((all, one) => all + one.often, 0);
  const chosen = Array.from({ length: within(payments, draw()) }, () => {
    const one = chosenBy(draw() % often, spending);
    const [least, most] = one.weight;
    const [valueDay, party] = [within(days, draw()), oneOf(one.on, draw())];
    // To the hundredth, or prices would come in steps.
    return { one, valueDay, party, weight: within([least * 100, most * 100], draw()) };
  });
  const amounts = shares(
    sum,
    chosen.map(({ weight }) => weight),
  );
  return chosen.map(({ one: { text, code }, valueDay, party }, i) => {
    return { bookingDay: nextBankDay(valueDay), valueDay, amount: -(amounts[i] ?? 0), party, text, code };
  });
}

function chosenBy(number: number, spending: readonly Spending[]): Spending {
  let before = 0;
  for (const one of spending) {
    before += one.often;
    if (number < before) return one;
  }
  return spending[0] as Spending;
}

function shares(sum: number, weights: readonly number[]): number[] {
  const whole = weights.reduce((all, weight) => all + weight, 0);
  let [weighed, given] = [0, 0];
  return weights.map((weight) => {
    weighed += weight;
    const until = Math.floor((sum * weighed) / whole);
    const share = until - given;
    given = until;
    return share;
  });
}
