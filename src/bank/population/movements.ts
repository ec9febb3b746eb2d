/** What moves on an account in one period, in the order of booking: flows, transfers, interest, and the rest spent. */
import { nextBankDay } from '../bank-days.js';
import { createDraws, FOR, numberFrom, oneOf, type Range, within } from './draw.js';
import type { Place } from './identity.js';
import type { Party } from './parties.js';
import { dayAfterPayday, firstDayOf, lastBankDayOf } from './periods.js';
import { CODES, type Flow, type Spending } from './plans.js';
import { bankDayOf, isDue, partOf, planOf, type Reckoning, stepped, type Transferred } from './reckoning.js';

/** A posting before it has a name. */
export interface Movement {
  readonly bookingDay: number;
  readonly valueDay: number;
  readonly amount: number;
  readonly party: Party | null;
  /** Of a transfer between accounts of the bank: it is the counterparty's name and number. */
  readonly transfer?: Transferred;
  readonly text: string;
  readonly code: string;
}

interface Period {
  readonly seed: number;
  readonly place: Place;
  readonly period: number;
  readonly reckoning: Reckoning;
}

/** `period` 0 or later. What an account begins with stands before all else. */
export function movementsOf(parts: Period): readonly Movement[] {
  const { place, period, reckoning } = parts;
  const before = reckoning.leftOf(place, period - 1);
  const planned = [
    ...transfersIn(parts),
    ...planOf(place).flows.flatMap((flow, index) => flowIn(flow, index, parts)),
    ...interestIn(parts),
  ];
  const rest = before + sumOf(planned) - reckoning.leftOf(place, period);
  const all = [...planned, ...spend(rest, parts)].filter(({ amount }) => amount !== 0);
  // What comes on a day is booked before what goes.
  all.sort((a, b) => a.bookingDay - b.bookingDay || Math.sign(b.amount) - Math.sign(a.amount));
  return period === 0 && before !== 0 ? [broughtForward(before, parts), ...all] : all;
}

const sumOf = (movements: readonly Movement[]): number =>
  movements.reduce((sum, { amount }) => sum + amount, 0);

const on = (day: number) => ({ bookingDay: day, valueDay: day });

function broughtForward(amount: number, { place, period, reckoning }: Period): Movement {
  const day = firstDayOf(period, reckoning.paydayOf(place));
  return {
    ...on(day),
    amount,
    party: null,
    text: 'Saldo overgedragen / Balance brought forward',
    code: CODES.other,
  };
}

function transfersIn({ place, period, reckoning }: Period): Movement[] {
  return reckoning.transfersOf(place, period).map((transfer) => {
    const comes = transfer.to.number === place.number && transfer.to.slot === place.slot;
    const { day, text } = transfer;
    const [amount, code] = comes ? [transfer.amount, CODES.ownIn] : [-transfer.amount, CODES.ownOut];
    return { ...on(day), amount, party: null, transfer, text, code };
  });
}

function interestIn({ place, period, reckoning }: Period): Movement[] {
  const amount = reckoning.interestOf(place, period);
  if (amount === 0) return [];
  const newYear = dayAfterPayday(period, 1);
  return [
    {
      ...{ bookingDay: nextBankDay(newYear), valueDay: newYear, amount, party: null },
      ...{ text: 'Rente / Interest', code: CODES.interestIn },
    },
  ];
}

function flowIn(flow: Flow, index: number, { seed, place, period, reckoning }: Period): Movement[] {
  const once = (purpose: number) => numberFrom(seed, purpose, place.number, place.slot, index);
  const now = createDraws(seed, FOR.flow, place.number, place.slot, index, period);
  const date = typeof flow.on === 'number' ? flow.on : within(flow.on, now());
  if (!isDue(flow.months, period, date)) return [];
  const number = flow.varies === true ? now() : once(FOR.flow);
  const size = within(flow.part ?? flow.amount ?? NONE, number);
  const exact = flow.part === undefined ? size : partOf(reckoning.incomeOf(place, period), size);
  const sum = stepped(exact, flow.step ?? 1);
  const sign = flow.goes === 'in' ? 1 : -1;
  const { text, code } = flow;
  const payday = reckoning.paydayOf(place);
  if (flow.pieces === undefined) {
    const party = flow.with === null ? null : oneOf(flow.with, once(FOR.party));
    return [{ ...on(bankDayOf(date, period, payday)), amount: sign * sum, party, text, code }];
  }
  const weights = Array.from({ length: within(flow.pieces, now()) }, () => within(PIECE, now()));
  return shares(sum, weights).map((share) => {
    const party = flow.with === null ? null : oneOf(flow.with, now());
    return {
      ...on(bankDayWithin(period, payday, now()).bookingDay),
      amount: sign * share,
      party,
      text,
      code,
    };
  });
}

const NONE: Range = [0, 0];
const PIECE: Range = [2, 9];

/** The whole sum, on so many purchases: the last cent goes to the last of them. */
function spend(sum: number, { seed, place, period, reckoning }: Period): Movement[] {
  const { payments, spending } = planOf(place);
  if (payments === undefined || spending === undefined) return [];
  const draw = createDraws(seed, FOR.spending, place.number, place.slot, period);
  const payday = reckoning.paydayOf(place);
  const all = spending.reduce((often, one) => often + one.often, 0);
  const chosen = Array.from({ length: within(payments, draw()) }, () => {
    const { on: parties, weight, text, code } = chosenBy(draw() % all, spending);
    const days = bankDayWithin(period, payday, draw());
    const party = oneOf(parties, draw());
    // To the hundredth, or prices would come in steps.
    return { ...days, party, text, code, weight: within([weight[0] * 100, weight[1] * 100], draw()) };
  });
  const amounts = shares(
    sum,
    chosen.map(({ weight }) => weight),
  );
  return chosen.map(({ weight: _, ...movement }, i) => ({ ...movement, amount: -(amounts[i] ?? 0) }));
}

function chosenBy(number: number, spending: readonly Spending[]): Spending {
  let before = 0;
  for (const one of spending) {
    before += one.often;
    if (number < before) return one;
  }
  return spending[0] as Spending;
}

/** A day of the period: what falls on a weekend is booked on the next bank day. */
function bankDayWithin(period: number, payday: number, number: number) {
  const first = firstDayOf(period, payday);
  const valueDay = within([first, lastBankDayOf(period, payday)], number);
  return { bookingDay: nextBankDay(valueDay), valueDay };
}

/** A sum divided by weights, to the last unit. */
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
