/** The population of a seed: each PSU, account and posting follows from it alone, and nothing of it is stored. */
import { createRecentCache } from '../../exchange/index.js';
import { type Place, placeIn, placeOfIban, psuNumberAtEnd, psuNumberIn } from './identity.js';
import { movementsOf } from './movements.js';
import { namePostings } from './name-postings.js';
import { accountAt, placesOf, psuAt } from './people.js';
import { PERIODS, periodOf } from './periods.js';
import type { Account, Population, Posting, Psu } from './population.js';
import { createReckoning } from './reckoning.js';
import { sliceOf, sumOf } from './slices.js';

/** Postings that are remembered, by the periods of accounts that were asked for last. */
const REMEMBERED = 20_000;

/** `seed`: below 2^32; `count`: 1 to 1,000,000 PSUs. Takes no time and no memory, however many they are. */
export function createPopulation({ seed, count }: { seed: number; count: number }): Population {
  const reckoning = createReckoning(seed);
  const remembered = createRecentCache<number, readonly Posting[]>(REMEMBERED, ({ length }) => length + 1);

  const psuOf = (number: number | undefined): Psu | undefined =>
    number !== undefined && number <= count ? psuAt(seed, number) : undefined;
  const accountOf = (place: Place | undefined): Account | undefined =>
    place && accountAt(place, { seed, count, reckoning });

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
