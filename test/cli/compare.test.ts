/** `sandgate compare` as a user types it, on recordings of a bank that changed its answers. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Comparison } from '../../src/app/compare/index.js';
import { buildCassette } from '../../src/exchange/recording/index.js';
import { dialectOf } from '../../src/spec/index.js';
import type { RecordedExchange } from '../../src/store/index.js';
import {
  type Change,
  type ChangedAnswer,
  changed,
  recordJourneys,
} from '../app/compare/changed-recordings.js';
import { aProfile } from '../builders.js';
import { folderOfFile } from '../folder.js';
import { sandgate } from './run-command.js';

const folder = folderOfFile();
let records: readonly RecordedExchange[];
let base: string;

beforeAll(async () => {
  records = await recordJourneys();
  base = cassette('base', records);
});

function cassette(name: string, from: readonly RecordedExchange[], dialect = dialectOf()): string {
  const file = join(folder, `${name}.json`);
  const meta = { session: name, dialect, origins: { api: [], psu: [] } };
  writeFileSync(file, [...buildCassette(from, meta)].join(''));
  return file;
}

async function compared(from: string, to: string) {
  const { status, out, err } = await sandgate(['compare', from, to, '--json']);
  expect(err).toBe('');
  const result: Comparison = JSON.parse(out);
  return { status, result };
}

/** Changes answers of one operation with one status. */
const at =
  (operation: string, change: (answer: ChangedAnswer, nth: number) => void, status = 200): Change =>
  (answer, id, nth) => {
    if (id === operation && answer.status === status) change(answer, nth);
  };

const list = (change: (account: Record<string, unknown>, nth: number) => void) =>
  at('accounts.list', ({ json }, nth) => {
    for (const one of json.accounts) change(one, nth);
  });
const booked = (change: (entry: Record<string, unknown>, index: number) => void) =>
  at('accounts.transactions', ({ json }) => json.transactions.booked.forEach(change));
const renamed = (of: Record<string, unknown>, from: string, to: string): void => {
  of[to] = of[from];
  delete of[from];
};

type Way = readonly [title: string, change: Change, finds: readonly string[], status: 0 | 1];

/** `class what place`, of all that is found. */
const WAYS: readonly Way[] = [
  ['a member is gone', list((one) => delete one.iban), ['breaking gone body accounts[].iban'], 1],
  ['a member came', list((one) => (one.usage = 'PRIV')), ['additive added body accounts[].usage'], 0],
  [
    'a member has another name',
    list((one) => renamed(one, 'resourceId', 'accountId')),
    ['breaking gone body accounts[].resourceId', 'additive added body accounts[].accountId'],
    1,
  ],
  [
    'a member is sometimes left out',
    list((one, nth) => nth % 2 === 0 && delete one.bic),
    ['value optional body accounts[].bic'],
    0,
  ],
  [
    'an amount is a number',
    at('accounts.balances', ({ json }) => (json.balances[0].balanceAmount.amount = 12.5)),
    ['breaking type body balances[].balanceAmount.amount'],
    1,
  ],
  [
    'an object became a list',
    at('accounts.read', ({ json }) => (json.account = [json.account])),
    ['breaking type body account'],
    1,
  ],
  [
    'a member may be null',
    list((one, nth) => {
      if (nth === 0) one.name = null;
    }),
    ['breaking null body accounts[].name'],
    1,
  ],
  [
    'a date is written another way',
    booked((one) => (one.bookingDate = '24.11.2026')),
    ['breaking format body transactions.booked[].bookingDate'],
    1,
  ],
  [
    'a date became a date with time',
    booked((one) => (one.valueDate = '2026-11-24T00:00:00Z')),
    ['breaking format body transactions.booked[].valueDate'],
    1,
  ],
  [
    'a time has no offset any more',
    at('accounts.balances', ({ json }) => {
      for (const one of json.balances) one.lastChangeDateTime = '2026-11-23T21:14:07';
    }),
    ['breaking format body balances[].lastChangeDateTime'],
    1,
  ],
  [
    'an amount has a comma',
    booked((one) => (one.transactionAmount = { currency: 'EUR', amount: '12,50' })),
    ['breaking format body transactions.booked[].transactionAmount.amount'],
    1,
  ],
  [
    'a status is spelled another way',
    at('consents.read', ({ json }) => (json.consentStatus = 'VALID')),
    ['breaking code body consentStatus'],
    1,
  ],
  [
    'a status that the standard does not have',
    at('payments.status', ({ json }) => (json.transactionStatus = 'DONE')),
    ['breaking code body transactionStatus'],
    1,
  ],
  [
    'one more code of a list',
    at('accounts.balances', ({ json }) =>
      json.balances.push({ ...json.balances[0], balanceType: 'nonInvoiced' }),
    ),
    ['additive code body balances[].balanceType'],
    0,
  ],
  [
    'another code in the place of the only one',
    list((one) => (one.cashAccountType = 'TRAN')),
    ['value code body accounts[].cashAccountType'],
    0,
  ],
  [
    'a grant is no longer supported',
    at('oauth.discovery', ({ json }) => json.grant_types_supported.pop()),
    ['breaking code body grant_types_supported[]'],
    1,
  ],
  [
    'a header is gone',
    at('payments.create', ({ headers }) => delete headers.location, 201),
    ['breaking gone header location'],
    1,
  ],
  [
    'a header came',
    at('accounts.read', ({ headers }) => (headers['aspsp-sca-approach'] = 'REDIRECT')),
    ['additive added header aspsp-sca-approach'],
    0,
  ],
  [
    'a header says something else',
    at('funds-confirmations.create', ({ headers }) => (headers['cache-control'] = 'private')),
    ['value code header cache-control[]'],
    0,
  ],
  [
    'the way of the SCA is another one',
    at('consents.create', ({ headers }) => (headers['aspsp-sca-approach'] = 'DECOUPLED'), 201),
    ['breaking code header aspsp-sca-approach'],
    1,
  ],
  [
    'a link is gone',
    at('consents.create', ({ json }) => delete json._links.scaStatus, 201),
    ['breaking gone body _links.scaStatus'],
    1,
  ],
  [
    'a link came',
    at('consents.read', ({ json }) => (json._links.self = { href: 'https://bank.example/consents/1' })),
    ['additive added body _links.self'],
    0,
  ],
  [
    'links have no host any more',
    at('accounts.read', ({ json }) => {
      for (const link of Object.values<{ href: string }>(json.account._links))
        link.href = new URL(link.href).pathname;
    }),
    ['account', 'balances', 'transactions'].map((name) => `breaking format body account._links.${name}.href`),
    1,
  ],
  [
    'a success has another status code',
    at('payments.create', (answer) => (answer.status = 200), 201),
    ['breaking status status'],
    1,
  ],
  [
    'an error has another status code',
    at('accounts.read', (answer) => (answer.status = 403), 401),
    ['breaking error-status status'],
    1,
  ],
  [
    'errors have another shape',
    at(
      'accounts.read',
      (answer) => (answer.json = { type: 'about:blank', title: 'Not allowed', code: 'CONSENT_INVALID' }),
      401,
    ),
    [
      'breaking gone body tppMessages',
      'additive added body code',
      'additive added body title',
      'additive added body type',
    ],
    1,
  ],
  [
    'an error has another code',
    at('accounts.read', ({ json }) => (json.tppMessages[0].code = 'RESOURCE_UNKNOWN'), 401),
    ['value code body tppMessages[].code'],
    0,
  ],
  [
    'an error is a page of HTML',
    at(
      'accounts.read',
      (answer) => {
        answer.headers['content-type'] = 'text/html';
        answer.text = '<h1>Not allowed</h1>';
      },
      401,
    ),
    ['breaking code header content-type', 'breaking type body'],
    1,
  ],
  [
    'lists are divided into pages',
    at('accounts.transactions', ({ json }) => {
      json.transactions.booked = json.transactions.booked.slice(0, 3);
      json.transactions._links.next = { href: 'https://bank.example/next' };
    }),
    ['breaking pagination body', 'additive added body transactions._links.next'],
    1,
  ],
  [
    'the bank fails where it answered',
    at('funds-confirmations.create', (answer) => {
      answer.status = 500;
      answer.json = undefined;
    }),
    ['breaking status status'],
    1,
  ],
  [
    'a body is gone',
    at('accounts.balances', (answer) => (answer.json = undefined)),
    ['breaking type body'],
    1,
  ],
];

describe('sandgate compare finds', () => {
  it.each(WAYS)('%s', async (title, change, finds, expected) => {
    const file = cassette(title.replaceAll(' ', '-'), changed(records, change));
    const { status, result } = await compared(base, file);
    const found = result.changes.map(({ class: kind, what, place }) => `${kind} ${what} ${place}`);
    expect(found.toSorted()).toEqual([...finds].toSorted());
    expect(status).toBe(expected);
    for (const { was, now } of result.changes)
      for (const side of [was, now]) {
        expect(side.seen).toBeGreaterThan(0);
        expect(side.seen).toBeLessThanOrEqual(side.of);
      }
  });
});

const everywhere =
  (change: (answer: ChangedAnswer, nth: number) => void): Change =>
  (answer, _, nth) =>
    change(answer, nth);
const replaced = (from: RegExp, by: string) =>
  everywhere((answer) => {
    if (answer.json !== undefined) answer.json = JSON.parse(JSON.stringify(answer.json).replaceAll(from, by));
  });
const swapMembers = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(swapMembers)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .toReversed()
            .map(([name, one]) => [name, swapMembers(one)]),
        )
      : value;

/** What is different from day to day at a bank that did not change. The first change makes the recording that it is compared with. */
type Harmless = readonly [title: string, change: Change, base?: Change];
const HARMLESS: readonly Harmless[] = [
  ['other ids', replaced(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '0b8c1a52-0001-4000-8000-000000000001')],
  ['ids of another form', list((one) => (one.resourceId = 'x7/99'))],
  ['other dates', replaced(/2026-1\d-\d\d/g, '2025-02-28')],
  ['other times, with another offset', replaced(/T21:14:07Z/g, 'T09:00:00.123+02:00')],
  ['other amounts', booked((one) => (one.transactionAmount = { currency: 'EUR', amount: '-0.01' }))],
  ['another balance', at('accounts.balances', ({ json }) => (json.balances[0].balanceAmount.amount = '1'))],
  ['another currency', replaced(/"EUR"/g, '"USD"')],
  ['another account', replaced(/BE14983120441783/g, 'BE36986677189081')],
  ['other texts', booked((one) => (one.remittanceInformationUnstructured = '2026-11-24'))],
  ['other names', booked((one) => (one.creditorName = 'Aa Bb'))],
  ['fewer transactions', at('accounts.transactions', ({ json }) => json.transactions.booked.splice(1))],
  ['no transaction at all', at('accounts.transactions', ({ json }) => json.transactions.booked.splice(0))],
  ['entries in another order', at('accounts.transactions', ({ json }) => json.transactions.booked.reverse())],
  ['members in another order', everywhere((answer) => (answer.json = swapMembers(answer.json)))],
  ['another host', replaced(/https:\/\/localhost:\d+/g, 'https://api.bank.example/v2')],
  [
    'headers in other letters, and of the transport',
    everywhere(({ headers }) => {
      if (headers['content-type'] !== undefined) headers['content-type'] = 'Application/JSON; charset=utf-8';
      Object.assign(headers, {
        date: 'now',
        server: 'nginx',
        via: '1.1 cache',
        'x-trace': 'a',
        'retry-after': '3',
      });
    }),
  ],
  [
    'a member that was sometimes there is never there',
    list((one) => delete one.bic),
    list((one, nth) => nth === 0 && delete one.bic),
  ],
  [
    'a member that was null has a value',
    list((one) => (one.name = 'Account')),
    list((one, nth) => {
      if (nth > 0) one.name = null;
    }),
  ],
  ['a payment went on', at('payments.status', ({ json }) => (json.transactionStatus = 'ACSC'))],
  ['funds are not available', at('funds-confirmations.create', ({ json }) => (json.fundsAvailable = false))],
  ['secrets are hidden', replaced(/"(resourceId|iban)":"[^"]*"/g, '"$1":"fp_0123456789abcdefghijkl"')],
  [
    'members whose names are ids',
    list((one) => (one.rates = { '0b8c1a52-0001-4000-8000-000000000001': '1.0', USD: '2.0' })),
    list((one) => (one.rates = { '7f3c1a52-0001-4000-8000-000000000009': '3.0', '2026-11-24': '1.0' })),
  ],
];

/** Consents, calls and answers of one recording alone. */
const without = (operation: string) =>
  records.filter(({ exchange }) => exchange.call.operation !== operation);

describe('sandgate compare says nothing of', () => {
  it.each(HARMLESS.map(([title, ...changes]) => [title, changes] as const))('%s', async (title, changes) => {
    const [change, before] = changes;
    const name = title.replaceAll(' ', '-').replaceAll(',', '');
    const first = before === undefined ? base : cassette(`${name}-before`, changed(records, before));
    const second = cassette(name, changed(records, change));
    const { status, result } = await compared(first, second);
    expect(result.changes).toEqual([]);
    expect(status).toBe(0);
  });
});

describe('sandgate compare', () => {
  it('says what it could not compare, and why', async () => {
    const { status, result } = await compared(
      base,
      cassette('no-funds', without('funds-confirmations.create')),
    );
    expect(status).toBe(0);
    expect(result.notCompared).toContainEqual({
      ...{ operation: 'funds-confirmations.create', variant: '', status: null, place: '' },
      reason: 'only in the first recording',
    });
  });

  it('prints a row for each difference, with the number of answers that carries it', async () => {
    const second = cassette(
      'printed',
      changed(
        without('payments.status'),
        list((one) => delete one.iban),
      ),
    );
    const { status, out, err } = await sandgate(['compare', base, second]);
    expect(err).toBe('');
    expect(status).toBe(1);
    expect(out).toMatch(
      /^CLASS +CALL +STATUS +PLACE +WAS +NOW\nbreaking +accounts\.list \(withBalance=true\) +200 +body accounts\[\]\.iban +there, (\d+) of \1 +absent, \1 of \1\n/,
    );
    expect(out).toContain(
      'Not compared:\n    only in the first recording: payments.status (payments, SCT)\n',
    );
    expect(out).toMatch(
      /printed\.json \(\d+ answers\): 1 breaking in what both show; \d+ statuses of operations were compared\.\n$/,
    );
  });

  it('prints nothing that tells of a person', async () => {
    const names = ['Jan Jansen', 'BE36986677189081', 'geheim 123', '0478 11 22 33'];
    const [name, iban, text, phone] = names;
    const second = changed(records, (answer, operation) => {
      if (operation !== 'accounts.list' || answer.status !== 200) return;
      for (const one of answer.json.accounts) {
        Object.assign(one, { ownerName: name, name: { full: name }, product: 7, usage: text, status: phone });
        Object.assign(one, { iban: `${iban} ${iban}`, owners: { [String(name)]: 1, [String(iban)]: 2 } });
      }
      answer.headers['cache-control'] = `private="${name}"`;
    });
    const file = cassette('people', second);
    for (const more of [[], ['--json']]) {
      const { status, out } = await sandgate(['compare', base, file, ...more]);
      expect(status).toBe(1);
      expect(out).toContain('accounts[].owners');
      for (const personal of names) expect(out).not.toContain(personal);
    }
  });

  it('compares a session, a cassette and a HAR file with each other', async () => {
    const store = join(folder, 'store.db');
    const har = join(folder, 'base.har');
    const flags = ['--store', store];
    expect(await sandgate(['sessions', 'import', base, '--session', 'monday', ...flags])).toMatchObject({
      status: 0,
    });
    expect(
      await sandgate(['sessions', 'export', 'monday', '--format', 'har', '--out', har, ...flags]),
    ).toMatchObject({ status: 0 });
    for (const pair of [
      ['monday', base],
      [har, 'monday'],
      [base, har],
    ]) {
      const { status, out, err } = await sandgate(['compare', ...pair, '--json', ...flags]);
      expect(err).toBe('');
      const { changes, notCompared, was, now } = JSON.parse(out);
      expect({ status, changes, notCompared, answers: now.answers }).toEqual({
        ...{ status: 0, changes: [], notCompared: [], answers: was.answers },
      });
      expect(was.answers).toBeGreaterThan(50);
    }
  });

  it('takes an operation for the same at other paths, each recording in its own interface', async () => {
    const profile = aProfile({ paths: { base: '/psd2', version: 'v7' } });
    const dialect = dialectOf(profile);
    const moved = records.map((record) => {
      const { exchange } = record;
      const { request } = exchange.call;
      const target = request.target.replace('/stdgroup/v1/', '/psd2/v7/').replace('/stdgroup/', '/psd2/');
      return {
        ...record,
        exchange: {
          ...exchange,
          call: exchange.call.sending(request.with(target, request.headers, request.body)),
        },
      };
    });
    const named = cassette('moved', moved, dialect);
    const told = await compared(base, named);
    expect(told.result).toMatchObject({
      changes: [],
      notCompared: [],
      now: { bankProfile: expect.stringContaining('Test bank') },
    });
    // The same file, without its interface: it is named by the option.
    const { bankProfile: _, ...rest } = JSON.parse(readFileSync(named, 'utf8'));
    const [unnamed, profileFile] = [join(folder, 'unnamed.json'), join(folder, 'profile.json')];
    writeFileSync(unnamed, JSON.stringify(rest));
    writeFileSync(profileFile, JSON.stringify(profile));
    const asked = await sandgate(['compare', unnamed, unnamed, '--bank-profile', profileFile, '--json']);
    expect(asked.err).toBe('');
    expect(JSON.parse(asked.out)).toMatchObject({
      changes: [],
      was: { unknownCalls: 0, answers: told.result.now.answers },
    });
  });

  it('refuses to compare what has nothing in common', async () => {
    const only = (operation: string) =>
      cassette(
        operation,
        records.filter(({ exchange }) => exchange.call.operation === operation),
      );
    const { status, out, err } = await sandgate([
      'compare',
      only('accounts.balances'),
      only('payments.status'),
    ]);
    expect(status).toBe(2);
    expect(out).toBe('');
    expect(err).toMatch(
      /have no operation in common that the bank answered: give two recordings of the same calls\.\n$/,
    );
  });

  it.each([
    ['one recording', () => [base], 'missing required argument'],
    ['three', () => [base, base, base], 'too many arguments'],
    ['a file that is not there', () => [base, join(folder, 'none.json')], 'none.json'],
  ])('is told that it was given %s', async (_, names, said) => {
    const { status, err } = await sandgate(['compare', ...names()]);
    expect(status).toBe(2);
    expect(err).toContain(said);
  });
});
