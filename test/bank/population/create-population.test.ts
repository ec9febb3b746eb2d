/** The population of a seed: what holds for everybody in it, on any day. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Account,
  createPopulation,
  isBankDay,
  MOST_PSUS,
  type Posting,
} from '../../../src/bank/index.js';
import { dateOf, dayOf, isBic, isCurrency, isFixedIdentifier, isIban } from '../../../src/spec/index.js';

const day = (date: string) => dayOf(Date.parse(date));
const population = createPopulation({ seed: 42, count: MOST_PSUS });
const accountsOf = (number: number) => population.accountsOf(`psu-${number}`);
const accountBy = (number: number, name: string) =>
  accountsOf(number).find((one) => one.name === name) as Account;

/** All that is ever booked on an account up to a day, oldest first. */
function history({ resourceId, openedOn }: Account, until: number): Posting[] {
  return [...population.postingsPage(resourceId, openedOn, until, 0, 1_000_000)].reverse();
}
const sum = (postings: readonly Posting[]) => postings.reduce((all, { amount }) => all + amount, 0);

const anyNumber = fc.integer({ min: 1, max: MOST_PSUS });
const anyAccount = anyNumber.chain((number) => fc.constantFrom(...accountsOf(number)));
const anyDay = fc.integer({ min: day('2022-01-01'), max: day('2036-12-31') });
const runs = (numRuns: number) => ({ numRuns });

describe('a PSU', () => {
  it('is found by id and login, alone and in the list', () => {
    fc.assert(
      fc.property(anyNumber, (number) => {
        const psu = population.psu(`psu-${number}`);
        expect(psu).toBeDefined();
        expect(psu && population.psuByLogin(psu.login)).toEqual(psu);
        expect(population.psus(number - 1, 1)).toEqual([psu]);
      }),
    );
  });

  it('is not found by what is nearly an id or a login', () => {
    const { login } = population.psu('psu-7') ?? { login: '' };
    const wrong = ['', 'psu-0', 'psu-07', 'PSU-7', 'psu-7 ', 'psu-1000001', 'psu-99999999999', '__proto__'];
    for (const id of wrong) expect(population.psu(id)).toBeUndefined();
    for (const one of ['', '7', login.toUpperCase(), `${login}0`, `x${login}`, login.replace('7', '07')])
      expect(population.psuByLogin(one)).toBeUndefined();
  });

  it('is one of as many as were asked for', () => {
    const three = createPopulation({ seed: 42, count: 3 });
    expect(three.psus(0, 100).map(({ id }) => id)).toEqual(['psu-1', 'psu-2', 'psu-3']);
    expect(three.psus(2, 100)).toHaveLength(1);
    expect(three.psus(3, 1)).toEqual([]);
    expect(three.psu('psu-4')).toBeUndefined();
    expect(three.accountsOf('psu-4')).toEqual([]);
    expect(three.account('acc-4-1')).toBeUndefined();
  });

  it('is the same whatever the count, and another with another seed', () => {
    const [few, other] = [createPopulation({ seed: 42, count: 5 }), createPopulation({ seed: 43, count: 5 })];
    expect(few.psus(0, 5)).toEqual(population.psus(0, 5));
    expect(few.psus(0, 5).map(({ name }) => name)).not.toEqual(other.psus(0, 5).map(({ name }) => name));
  });
});

describe('an account', () => {
  it('is found by resource id and IBAN, and owned by those who have it', () => {
    fc.assert(
      fc.property(anyAccount, (account) => {
        expect(population.account(account.resourceId)).toEqual(account);
        expect(population.accountByIban(account.iban)).toEqual(account);
        for (const owner of account.owners) expect(population.accountsOf(owner)).toContainEqual(account);
      }),
    );
  });

  it('is written as the standard wants it', () => {
    fc.assert(
      fc.property(anyAccount, ({ resourceId, iban, bic, currency, ownerName, name, product }) => {
        expect([isIban(iban), isBic(bic), isCurrency(currency)]).toEqual([true, true, true]);
        // The remainder by 97 of what stands before them are the last digits of a Belgian account number.
        expect(Number(iban.slice(4, 14)) % 97 || 97).toBe(Number(iban.slice(14)));
        expect(encodeURIComponent(resourceId)).toBe(resourceId);
        expect(isFixedIdentifier(resourceId)).toBe(false);
        expect(ownerName.length).toBeLessThanOrEqual(70);
        expect(name.length).toBeLessThanOrEqual(70);
        expect(product.length).toBeLessThanOrEqual(35);
      }),
    );
  });

  it('is not found by what is nearly one of its names', () => {
    for (const id of ['acc-1-0', 'acc-1-9', 'acc-01-1', 'acc-1', 'ACCOUNT_ID', 'acc-1-1-1'])
      expect(population.account(id)).toBeUndefined();
    const { iban } = accountBy(1, 'Current account');
    expect(population.accountByIban(iban.toLowerCase())).toBeUndefined();
    expect(population.accountByIban(`${iban} `)).toBeUndefined();
    expect(population.accountByIban('NL91ABNA0417164300')).toBeUndefined();
  });

  it('never has the number of one that the sandbox fixes, and is of the same bank', () => {
    const files = ['accounts', 'funds', 'payments', 'transactions'].map((name) =>
      readFileSync(new URL(`../../../data/sandbox/${name}.json`, import.meta.url), 'utf8'),
    );
    const ibans = files.join().match(/BE\d{14}/g) ?? [];
    expect(ibans.length).toBeGreaterThan(4);
    expect(ibans.filter((iban) => population.accountByIban(iban) !== undefined)).toEqual([]);
    expect(JSON.parse(files[0] ?? '').bank.bic).toBe(accountBy(1, 'Current account').bic);
  });

  it('has one owner if the second is not among the PSUs', () => {
    expect(accountBy(2, 'Household account').owners).toEqual(['psu-2', 'psu-3']);
    const two = createPopulation({ seed: 42, count: 2 });
    expect(two.account('acc-2-3')?.owners).toEqual(['psu-2']);
  });
});

describe('the first ten PSUs', () => {
  const all = population.psus(0, 10).flatMap(({ id }) => population.accountsOf(id));

  it('show every kind of account', () => {
    const today = day('2026-11-22');
    const balance = ({ resourceId }: Account) => population.balance(resourceId, today);
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set(['enabled', 'blocked', 'deleted']));
    expect(new Set(all.map(({ usage }) => usage))).toEqual(new Set(['PRIV', 'ORGA']));
    expect(new Set(all.map(({ cashAccountType }) => cashAccountType))).toEqual(
      new Set(['CACC', 'SVGS', 'CARD']),
    );
    expect(all.some(({ owners }) => owners.length === 2)).toBe(true);
    expect(all.some(({ currency }) => currency !== 'EUR')).toBe(true);
    expect(all.some((one) => one.name === 'Current account' && balance(one) < 0)).toBe(true);
    expect(all.some((one) => one.status === 'enabled' && balance(one) === 0)).toBe(true);
  });

  it('begin with one who has money on a current and a savings account', () => {
    const [current, savings, ...more] = accountsOf(1);
    expect([current?.name, savings?.name, more]).toEqual(['Current account', 'Savings account', []]);
    for (const today of ['2024-01-02', '2026-11-22', '2030-06-15', '2035-12-31'].map(day)) {
      expect(population.balance('acc-1-1', today)).toBeGreaterThan(1_000_00);
      expect(population.balance('acc-1-2', today)).toBeGreaterThan(1_000_00);
      expect(population.countPostings('acc-1-1', today - 730, today)).toBeGreaterThan(800);
    }
  });

  it('include one who is overdrawn on every day', () => {
    const days = Array.from({ length: 3650 }, (_, i) => day('2022-01-01') + i);
    expect(days.filter((one) => population.balance('acc-7-1', one) >= 0)).toEqual([]);
  });
});

describe('a balance', () => {
  it('is the sum of all postings up to its day, on any day', () => {
    fc.assert(
      fc.property(anyAccount, anyDay, (account, today) => {
        expect(population.balance(account.resourceId, today)).toBe(sum(history(account, today)));
      }),
      runs(25),
    );
  });

  it('never falls below the overdraft by postings of its own, nor grows or falls without measure in 25 years', () => {
    fc.assert(
      fc.property(anyAccount, (account) => {
        let [balance, least, most] = [0, 0, 0];
        for (const { amount } of history(account, day('2046-12-31'))) {
          balance += amount;
          [least, most] = [Math.min(least, balance), Math.max(most, balance)];
        }
        expect(least).toBeGreaterThanOrEqual(-account.overdraft);
        expect(most).toBeLessThan(300_000_00);
      }),
      runs(30),
    );
  });

  it('is nothing before the account was opened and in an account that there is not', () => {
    expect(population.balance('acc-1-1', accountBy(1, 'Current account').openedOn - 1)).toBe(0);
    expect(population.balance('acc-1-1', -1_000_000)).toBe(0);
    expect(population.balance('acc-1-9', day('2026-01-01'))).toBe(0);
  });

  it('stands still after a hundred years', () => {
    const [then, later] = [day('2121-06-01'), day('9999-12-31')];
    expect(population.balance('acc-1-1', later)).toBe(population.balance('acc-1-1', then));
    expect(population.postings('acc-1-1', later)).toEqual([]);
    expect(population.countPostings('acc-1-1', day('2121-06-01'), later)).toBe(0);
  });
});

describe('a posting', () => {
  it('has an id of its own, a day on which banks settle, and whole cents', () => {
    fc.assert(
      fc.property(anyAccount, (account) => {
        const all = history(account, day('2023-12-31'));
        expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
        const isWrong = ({ id, bookingDay, valueDay, amount, remittance }: Posting) =>
          !id.startsWith(`${account.resourceId}-`) ||
          id.length > 35 ||
          !isBankDay(bookingDay) ||
          Math.abs(bookingDay - valueDay) > 5 ||
          !Number.isSafeInteger(amount) ||
          amount === 0 ||
          remittance.length > 140;
        expect(all.filter(isWrong)).toEqual([]);
      }),
      runs(25),
    );
  });

  it('between accounts of the bank is in both, to the cent and on the same day', () => {
    let seen = 0;
    fc.assert(
      fc.property(anyAccount, anyDay, (account, from) => {
        for (const posting of population.postingsPage(account.resourceId, from, from + 60, 0, 500)) {
          const other = population.accountByIban(posting.counterparty?.iban ?? '');
          if (other === undefined) continue;
          seen++;
          const twin = population
            .postings(other.resourceId, posting.bookingDay)
            .filter(({ endToEndId }) => endToEndId !== undefined && endToEndId === posting.endToEndId);
          expect(twin.map(({ amount }) => amount)).toEqual([-posting.amount]);
          expect(twin[0]?.counterparty).toEqual({ name: account.ownerName, iban: account.iban });
        }
      }),
    );
    expect(seen).toBeGreaterThan(50);
  });
});

describe('a page', () => {
  it('is a slice of the whole range, newest first', () => {
    const range = fc.tuple(anyDay, fc.integer({ min: -3, max: 400 }));
    const slice = fc.tuple(fc.nat(200), fc.nat(100));
    fc.assert(
      fc.property(anyAccount, range, slice, ({ resourceId }, [from, length], [offset, limit]) => {
        const to = from + length;
        const whole = Array.from({ length: Math.max(0, length + 1) }, (_, i) =>
          population.postings(resourceId, from + i),
        )
          .flat()
          .reverse();
        expect(population.countPostings(resourceId, from, to)).toBe(whole.length);
        expect(population.postingsPage(resourceId, from, to, offset, limit)).toEqual(
          whole.slice(offset, offset + limit),
        );
      }),
      runs(60),
    );
  });
});

describe('the seed', () => {
  it('gives today what it gave in every version: tests of others hold figures of it', () => {
    const lines = population
      .postingsPage('acc-1-1', day('2026-10-26'), day('2026-10-31'), 0, 10)
      .map(({ id, amount, counterparty }) => `${id} ${amount} ${counterparty?.name}`);
    expect([population.psu('psu-1'), accountBy(1, 'Current account'), lines]).toMatchInlineSnapshot(`
      [
        {
          "id": "psu-1",
          "login": "lotte.1",
          "name": "Lotte Mertens",
          "password": "hazelaar-1035",
        },
        {
          "bic": "SDGTBEBB",
          "cashAccountType": "CACC",
          "currency": "EUR",
          "iban": "BE16983078682374",
          "name": "Current account",
          "openedOn": 18653,
          "overdraft": 0,
          "ownerName": "Lotte Mertens",
          "owners": [
            "psu-1",
          ],
          "product": "Sandgate Current",
          "resourceId": "acc-1-1",
          "status": "enabled",
          "usage": "PRIV",
        },
        [
          "acc-1-1-20261030-1 -5249 Biohoek Zuid",
          "acc-1-1-20261029-2 -1022 Boulangerie Lambermont",
          "acc-1-1-20261029-1 -3801 Buurtmarkt Tervuursevest",
          "acc-1-1-20261027-3 -682 Bakkerij De Vlier",
          "acc-1-1-20261027-2 -3670 Versmarkt De Korf",
          "acc-1-1-20261027-1 -5520 Marché du Parvis",
          "acc-1-1-20261026-2 -4384 Modehuis Adelin",
          "acc-1-1-20261026-1 290579 Ziekenhuis Sint-Rafael VZW",
        ],
      ]
    `);
    const hash = createHash('sha256');
    for (const { id } of population.psus(0, 20))
      for (const account of population.accountsOf(id)) {
        hash.update(JSON.stringify(account));
        for (const date of ['2021-02-28', '2024-07-15', '2027-01-04', '2035-12-31'])
          hash.update(`${population.balance(account.resourceId, day(date))}`);
        hash.update(
          JSON.stringify(
            population.postingsPage(account.resourceId, day('2026-06-20'), day('2027-01-10'), 0, 1000),
          ),
        );
      }
    expect(hash.digest('hex')).toMatchInlineSnapshot(
      `"561f3f1458485ff37064ace45c657e62e2218b2e835e085963532d2fdb33fedc"`,
    );
    expect(dateOf(accountBy(1, 'Current account').openedOn)).toBe('2021-01-26');
  });
});
