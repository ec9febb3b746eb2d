/** Movements of an account as postings: with an id each, and the other side by its name and number. */
import { calendarDateOf } from '../bank-days.js';
import { ibanAt, type Place, resourceIdOf } from './identity.js';
import type { Movement } from './movements.js';
import { ownerNameOf } from './people.js';
import type { Posting } from './population.js';
import type { Transferred } from './reckoning.js';

/** `movements`: those of whole days, in the order of booking. An id is the account, the day, and the place in the day. */
export function namePostings(
  movements: readonly Movement[],
  { seed, place }: { seed: number; place: Place },
): readonly Posting[] {
  const account = resourceIdOf(place);
  let [day, date, before, ofDay] = [Number.NaN, '', '', 0];
  return movements.map(({ bookingDay, valueDay, amount, party, transfer, text, code }): Posting => {
    if (bookingDay !== day) {
      [day, date, ofDay] = [bookingDay, digitsOf(bookingDay), 0];
      before = `${account}-${date}-`;
    }
    ofDay++;
    // Written out: a thousand of them are made for a page, and what is spread takes three times as long.
    const posting = {
      id: before + ofDay,
      account,
      bookingDay,
      valueDay,
      amount,
      remittance: text,
      bankTransactionCode: code,
      counterparty: transfer === undefined ? party : otherSide(transfer, amount > 0, seed),
    };
    return transfer === undefined ? posting : { ...posting, endToEndId: endToEndIdOf(transfer, date) };
  });
}

function otherSide({ from, to }: Transferred, comes: boolean, seed: number) {
  const other = comes ? from : to;
  return { name: ownerNameOf(seed, other), iban: ibanAt(other) };
}

/** Both sides say the same; 35 characters at most. */
const endToEndIdOf = ({ from, to }: Transferred, date: string): string =>
  `${date}-${from.number}.${from.slot}-${to.number}.${to.slot}`;

/** `20260131` */
function digitsOf(day: number): string {
  const { year, month, date } = calendarDateOf(day);
  return String(year * 10_000 + month * 100 + date);
}
