/** Entries of files are parsed and looked at quickly, with the same outcome as by JSON.parse and the schema. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { cassetteExchange } from '../../../src/exchange/cassette/cassette-schema.js';
import { createEntryParser } from '../../../src/exchange/har/har-entry.js';
import { harEntry } from '../../../src/exchange/har/har-schema.js';
import { buildCassette } from '../../../src/exchange/recording/index.js';
import {
  accountList,
  consentCreation,
  createCheck,
  dialectOf,
  payment,
  tppMessages,
  transactions,
} from '../../../src/spec/index.js';
import { records } from '../arbitrary-record.js';
import { buildHar } from '../har/build-har.js';

const parseEntry = createEntryParser();
const META = { session: 'a session', dialect: dialectOf() };
type Written = Record<string, unknown>;

const harEntries = records.map(
  (given) => JSON.parse([...buildHar(given, { ...META, version: '0' })].join('')).log.entries as Written[],
);
const cassetteEntries = records.map(
  (given) => JSON.parse([...buildCassette(given, META)].join('')).exchanges as Written[],
);

/** One of the members, however deep, is another value, or gone. */
function bend(entry: Written, place: number, value: unknown): unknown {
  let copy: Written = structuredClone(entry);
  const whole = copy;
  for (let at = place; ; at = Math.floor(at / 7)) {
    const names = Object.keys(copy);
    const name = names[at % Math.max(names.length, 1)];
    if (name === undefined) return whole;
    const inner = copy[name];
    if (at % 3 !== 0 && typeof inner === 'object' && inner !== null) {
      copy = inner as Written;
      continue;
    }
    if (value === undefined) delete copy[name];
    else copy[name] = value;
    return whole;
  }
}

const links = (...names: string[]) => Object.fromEntries(names.map((name) => [name, { href: '/v1/a' }]));
const amount = { currency: 'EUR', amount: '12.50' };
const account = { iban: 'BE14983120441783', currency: 'EUR' };
const balances = [{ balanceAmount: { currency: 'EUR', amount: 12.5 }, balanceType: 'expected' }];
/** Its bent members are of the schema or not. */
const only = (body: Written): fc.Arbitrary<Written[]> =>
  fc.constant([{ ...body, a: 1, b: [amount], c: 'C', d: null }]);

const values = fc.oneof(
  fc.constantFrom(undefined, null, 0, -1, 1e300, Number.POSITIVE_INFINITY, '', 'api', true, [], {}),
  fc.jsonValue(),
);

describe('a quick check', () => {
  it.each<[string, z.ZodType, fc.Arbitrary<Written[]>]>([
    ['an entry of a HAR', harEntry, harEntries],
    ['an exchange of a cassette', cassetteExchange, cassetteEntries],
    [
      'a list of accounts',
      accountList,
      only({ accounts: [{ ...account, resourceId: 'A', balances, _links: links('balances', 'self') }] }),
    ],
    [
      'transactions',
      transactions,
      only({
        account,
        transactions: { booked: [{ transactionAmount: amount }], pending: null, _links: links('account') },
        balances,
      }),
    ],
    [
      'a consent that was created',
      consentCreation,
      only({ consentStatus: 'received', consentId: 'C', _links: links('self', '__proto__') }),
    ],
    [
      'a payment',
      payment,
      only({ instructedAmount: amount, debtorAccount: account, creditorAccount: account, creditorName: 'A' }),
    ],
    [
      'an error',
      tppMessages,
      only({ tppMessages: [{ category: 'ERROR', code: 'FORMAT_ERROR', text: null }] }),
    ],
  ])('of %s says what the schema says', (_, schema, written) => {
    const fits = createCheck(schema);
    const seen = { true: 0, false: 0 };
    fc.assert(
      fc.property(written, fc.nat(), values, (entries, place, value) => {
        for (const entry of entries) {
          expect(fits(entry)).toBe(true);
          const bent = bend(entry, place, value);
          const isSound = schema.safeParse(bent).success;
          seen[`${isSound}`]++;
          expect(fits(bent)).toBe(isSound);
        }
      }),
      // So many that it is no chance whether both kinds are met.
      { numRuns: 400 },
    );
    expect(Math.min(seen.true, seen.false)).toBeGreaterThan(10);
  });
});

describe('an entry of a HAR', () => {
  it('is parsed as JSON.parse does it', () => {
    fc.assert(
      fc.property(harEntries, fc.nat(), values, (entries, place, value) => {
        for (const entry of entries) {
          for (const one of [entry, bend(entry, place, value)]) {
            const text = JSON.stringify(one);
            expect(parseEntry(text)).toEqual(JSON.parse(text));
            // What is known of its verdicts by now makes no difference.
            expect(parseEntry(text)).toEqual(JSON.parse(text));
          }
        }
      }),
    );
  });

  it.each([
    '{"_sandgate":{"verdicts":{"a":"complied"}},"comment":"\\"verdicts\\":{}"}',
    '{"comment":"\\"verdicts\\":{","_sandgate":{"verdicts":{"a":"complied"}}}',
    '{"_sandgate":{"verdicts":{"a}":"complied"}}}',
    '{"_sandgate":{"verdicts":{"a":{"b":1}}}}',
    '{"_other":{"verdicts":{"a":"complied"}},"_sandgate":{"verdicts":{"b":"complied"}}}',
    '{"_sandgate":{"verdicts":{}}}',
    '[{"_sandgate":{"verdicts":{"a":"complied"}}}]',
  ])('of odd form is parsed as JSON.parse does it: %s', (text) => {
    expect(parseEntry(text)).toEqual(JSON.parse(text));
  });

  it.each([
    '{"_sandgate":{"verdicts":{"a":}}}',
    '{"_sandgate":{"verdicts":{"a":"b"}',
    '{"_sandgate":{"verdicts":{',
  ])('that is no JSON is not parsed: %s', (text) => {
    expect(() => parseEntry(text)).toThrow(SyntaxError);
  });
});
