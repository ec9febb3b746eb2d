/** The population of a seed: each PSU, account and posting follows from it alone, and nothing of it is stored. */
import { createRecentCache, memberOf } from '../../exchange/index.js';
import { plainIban } from '../../spec/index.js';
import { calendarDateOf } from '../bank-days.js';
import {
  ibanAt,
  isOfOwnBank,
  type Place,
  placeIn,
  placeOfIban,
  psuNumberAtEnd,
  psuNumberIn,
  resourceIdOf,
} from './identity.js';
import { type Movement, movementsOf } from './movements.js';
import { accountAt, ownerNameOf, placesOf, psuAt } from './people.js';
import { PERIODS, periodOf } from './periods.js';
import type { Account, Population, Posting, Psu } from './population.js';
import { createReckoning, type Transferred } from './reckoning.js';
import { sliceOf, sumOf } from './slices.js';

/** Postings that are remembered, by the periods of accounts that were asked for last. */
const REMEMBERED = 20_000;

/** `seed`: below 2^32; `count`: 1 to 1,000,000 PSUs. Takes no time and no memory, however many they are. */
export function createPopulation({
  seed,
  count,
  twoSignatories = 0,
}: {
  seed: number;
  count: number;
  /** The share of business accounts that another PSU owns too. */
  twoSignatories?: number;
}): Population {
  const reckoning = createReckoning(seed);
  const remembered = createRecentCache<number, readonly Posting[]>(REMEMBERED, ({ length }) => length + 1);

  const psuOf = (number: number | undefined): Psu | undefined =>
    number !== undefined && number <= count ? psuAt(seed, number) : undefined;
  const accountOf = (place: Place | undefined): Account | undefined =>
    place && accountAt(place, { seed, count, reckoning, twoSignatories });

  const ofPeriod = (place: Place, period: number): readonly Posting[] => {
    const key = (place.number * 10 + place.slot) * PERIODS + period;
    const known = remembered.get(key);
    if (known !== undefined) return known;
    const made = namePostings(movementsOf({ seed, place, period, reckoning }), { seed, place });
    remembered.set(key, made);
    return made;
  };
  /** Of an account of this bank, oldest first; `day`: its postings are in the period, if there are any. */
  const around = (resourceId: string, day: number) => {
    const place = placeIn(resourceId);
    if (place === undefined || accountOf(place) === undefined) return undefined;
    const period = Math.min(periodOf(day, reckoning.paydayOf(place)), PERIODS - 1);
    return { place, period, postings: period < 0 ? [] : ofPeriod(place, period) };
  };
  /** The postings of a range, a period at a time, newest first. */
  function* backwards(resourceId: string, from: number, to: number): Generator<readonly Posting[]> {
    const newest = around(resourceId, to);
    if (newest === undefined) return;
    const { place, period: last } = newest;
    const oldest = Math.max(0, periodOf(from, reckoning.paydayOf(place)));
    for (let period = last; period >= oldest; period--) yield sliceOf(ofPeriod(place, period), from, to);
  }

  return {
    seed,
    count,
    psus: (from, limit) =>
      Array.from({ length: Math.max(0, Math.min(limit, count - from)) }, (_, i) => psuAt(seed, from + i + 1)),
    psu: (id) => psuOf(psuNumberIn(id)),
    psuByLogin: (login) => {
      const found = psuOf(psuNumberAtEnd(login));
      return found?.login === login ? found : undefined;
    },
    accountsOf: (psu) =>
      placesOf(psuNumberIn(psu) ?? 0).flatMap((place) => {
        const account = accountOf(place);
        return account?.owners.includes(psu) === true ? account : [];
      }),
    account: (resourceId) => accountOf(placeIn(resourceId)),
    accountByIban: (iban) => accountOf(placeOfIban(iban)),
    postings: (account, day) => sliceOf(around(account, day)?.postings ?? [], day, day),
    balance: (account, day) => {
      const found = around(account, day);
      if (found === undefined || found.period < 0) return 0;
      const { place, period, postings } = found;
      const before = period === 0 ? 0 : reckoning.leftOf(place, period - 1);
      return before + sumOf(sliceOf(postings, Number.NEGATIVE_INFINITY, day));
    },
    countPostings: (account, from, to) => {
      let count = 0;
      for (const some of backwards(account, from, to)) count += some.length;
      return count;
    },
    postingsPage: (account, from, to, offset, limit) => {
      const page: Posting[] = [];
      let skip = offset;
      for (const some of backwards(account, from, to)) {
        for (let i = some.length - 1 - skip; i >= 0; i--) {
          if (page.length === limit) return page;
          page.push(some[i] as Posting);
        }
        skip = Math.max(0, skip - some.length);
      }
      return page;
    },
  };
}

/** `movements`: those of whole days, in the order of booking. An id is the account, the day, and the place in the day. */
function namePostings(
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

function digitsOf(day: number): string {
  const { year, month, date } = calendarDateOf(day);
  return String(year * 10_000 + month * 100 + date);
}

/** By its IBAN, as people write it: in small letters or with blanks too. undefined where it is elsewhere. */
export function accountNamed(population: Population, reference: unknown): Account | undefined {
  const iban = ibanIn(reference);
  return iban === undefined ? undefined : population.accountByIban(iban);
}

/** Whether the reference names an account of this bank that nobody has. */
export function namesNobody(population: Population, reference: unknown): boolean {
  const iban = ibanIn(reference);
  return iban !== undefined && isOfOwnBank(iban) && population.accountByIban(iban) === undefined;
}

function ibanIn(reference: unknown): string | undefined {
  const iban = memberOf(reference, 'iban');
  return typeof iban === 'string' ? plainIban(iban) : undefined;
}
