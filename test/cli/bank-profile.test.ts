/** `sandgate bank-profile`: what profiles say, what is wrong with one, and what two differ in. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bankProfileNames } from '../../src/app/config/index.js';
import { folderOfFile } from '../folder.js';
import { processorTime } from '../processor-time.js';
import { sandgate } from './run-command.js';

const folder = folderOfFile();

const HEAD = {
  name: 'test',
  title: 'Test bank',
  standard: 'Berlin Group 1.3.8',
  sources: [{ where: 'this test', tells: 'everything' }],
};
const deviation = { id: 'one', rule: 'answers/location-present', says: 'No Location.', sample: '201' };

function fileOf(parts: object, name = 'bank.json'): string {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify({ ...HEAD, ...parts }, null, 2));
  return file;
}

/** Values that stand for a sentence. */
const IN_SENTENCES = new Set<unknown>([
  ...['SCT', 'CBP', 'application/json', 'application/xml', 'multipart/form-data'],
  ...['none', 'before', 'within', 'required', 'optional', 'created'],
  ...['calendar-day', 'rolling', 'operation', 'consent'],
]);

describe('list', () => {
  it('has the built-in interface and every profile that comes with the program, without a subcommand too', async () => {
    const { status, out } = await sandgate(['bank-profile']);
    expect(status).toBe(0);
    expect(out.split('\n').map((line) => line.split(' ')[0])).toEqual([
      'NAME',
      'sandgate',
      ...bankProfileNames(),
      '',
    ]);
    const json = JSON.parse((await sandgate(['bank-profile', 'list', '--json'])).out);
    expect(json[0]).toEqual({
      name: 'sandgate',
      title: 'The built-in interface',
      standard: 'Berlin Group 1.3',
      sca: ['oauth'],
      date: null,
    });
  });
});

describe('show', () => {
  it('says each part in words, and leaves out what the profile does not say', async () => {
    const file = fileOf({
      only: 'All is known from one test.',
      paths: {
        base: '/xs2a/{tenant}',
        version: '',
        values: { tenant: 'a1' },
        operations: { 'oauth.token': null },
      },
      services: { payments: { 'pain.001': { like: 'SCT', media: ['application/xml'] } } },
      sca: { approaches: ['embedded'], oauth: 'none' },
      headers: { required: { 'PSU-ID': ['consents.create'] } },
      deviations: [{ ...deviation, source: 'seen', emulate: 'no-location' }],
    });
    const { out } = await sandgate(['bank-profile', 'show', file]);
    expect(out).toBe(`test: Test bank, Berlin Group 1.3.8
All is known from one test.

Paths
  Base: /xs2a/{tenant}
  The emulator writes: a1 for {tenant}
  Version: none
  Not offered: oauth.token

Payments
  payments: pain.001 (XML)

SCA
  Approaches: embedded
  No OAuth.

Headers
  PSU-ID is required: consents.create

Deviations of the bank
  one: No Location.
    Rule: answers/location-present
    Sample: 201
    Source: seen
    The emulator does the same: no-location

Sources
  this test
    everything
`);
  });

  it.each(bankProfileNames())('leaves out nothing that %s says', async (name) => {
    const { out } = await sandgate(['bank-profile', 'show', name]);
    const profile = JSON.parse(readFileSync(`data/banks/${name}.json`, 'utf8'));
    const texts = (value: unknown): unknown[] =>
      typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : [value];
    const { $schema, ...said } = profile;
    const products = Object.values(said.services ?? {}).flatMap((one) => Object.keys(one as object));
    const missing = [...texts(said), ...products].filter(
      (text) => text !== null && text !== '' && !IN_SENTENCES.has(text) && !out.includes(String(text)),
    );
    expect(missing).toEqual([]);
  });

  it('prints with --json a profile that says the same, with what the built-in interface gives', async () => {
    const { out } = await sandgate(['bank-profile', 'show', fileOf({}), '--json']);
    expect(JSON.parse(out)).toMatchObject({ ...HEAD, limits: { consentDays: 90 }, paths: { version: 'v1' } });
    const again = join(folder, 'resolved.json');
    writeFileSync(again, out);
    const { out: difference } = await sandgate(['bank-profile', 'diff', fileOf({}), again]);
    expect(difference).toBe('The two say the same.\n');
  });

  it('names the nearest profile where there is none', async () => {
    const { status, err } = await sandgate(['bank-profile', 'show', 'sandgat']);
    expect(status).toBe(2);
    expect(err).toContain('Did you mean sandgate?');
  });

  it('sends nothing that steers a terminal', async () => {
    const { out } = await sandgate(['bank-profile', 'show', fileOf({ title: 'a\u001b[2Jb' })]);
    expect(out).toContain('a\\x1b[2Jb');
  });
});

describe('check', () => {
  it.each<[string, object, string]>([
    [
      'an unknown member',
      { bodys: {} },
      'line 11, bodys: “bodys” is not known here; the nearest name is “bodies”',
    ],
    [
      'an unknown operation',
      { paths: { operations: { 'accounts.lst': '/a' } } },
      'line 13, paths.operations.accounts.lst: “accounts.lst” is not known here; the nearest name is “accounts.list”',
    ],
    [
      'an operation without path',
      { paths: { operations: { 'accounts.list': '' } } },
      'line 13, paths.operations.accounts.list: accounts.list has no path',
    ],
    [
      'two operations on one path',
      { paths: { operations: { 'consents.read': '/a/{consentId}', 'accounts.read': '/a/{accountId}' } } },
      'line 14, paths.operations.accounts.read: /a/{accountId} (accounts.read) and /a/{consentId} (consents.read) cannot be told apart',
    ],
    [
      'a parameter that takes the fixed part of another path',
      { paths: { operations: { 'oauth.discovery': '/stdgroup/v1/accounts/own' } } },
      'line 13, paths.operations.oauth.discovery: /stdgroup/v1/accounts/own (oauth.discovery) and /stdgroup/v1/accounts/{accountId} (accounts.read) overlap: {accountId} takes “own”',
    ],
    [
      'a lost parameter',
      { paths: { operations: { 'consents.read': '/consents' } } },
      'line 13, paths.operations.consents.read: the path of consents.read lacks {consentId}',
    ],
    [
      'a path beside the standard that an operation has',
      { paths: { further: [{ path: '/stdgroup/v1/accounts', methods: ['GET'], says: 'x' }] } },
      'line 14, paths.further[0].path: /stdgroup/v1/accounts is the path of accounts.list already',
    ],
    [
      'an operation that is offered and is not',
      { paths: { operations: { 'accounts.transaction': null }, offers: ['accounts.transaction'] } },
      'line 16, paths.offers[0]: accounts.transaction is null in paths.operations',
    ],
    [
      'a rule that does not exist',
      { rules: { 'answers/location-presnt': { severity: 'off', reason: 'x' } } },
      'line 12, rules.answers/location-presnt: there is no rule answers/location-presnt; did you mean answers/location-present?',
    ],
    [
      'a rule without reason',
      { rules: { 'answers/location-present': { severity: 'off' } } },
      'line 12, rules.answers/location-present.reason: it is missing; a text is expected',
    ],
    [
      'a deviation without sample',
      { deviations: [{ ...deviation, sample: undefined }] },
      'line 12, deviations[0].sample: it is missing; a text is expected',
    ],
    [
      'a deviation of operations that there are not',
      { deviations: [{ ...deviation, operations: ['account.*'] }] },
      'line 18, deviations[0].operations[0]: account.* names no operation; did you mean accounts.list?',
    ],
    [
      'two deviations of one id',
      { deviations: [deviation, { ...deviation, says: 'Else.' }] },
      'line 19, deviations[1].id: deviations[0] has the id one already',
    ],
    [
      'a header that is required and forbidden',
      { headers: { required: { 'PSU-ID': ['consents.*'] }, forbidden: { 'psu-id': ['consents.create'] } } },
      'line 18, headers.forbidden.psu-id: headers.required asks consents.create for it',
    ],
    [
      'a time zone that there is not',
      { limits: { accesses: { zone: 'Europe/Brussel' } } },
      'line 13, limits.accesses.zone: a time zone such as Europe/Brussels is expected',
    ],
  ])('refuses %s', async (_, parts, message) => {
    const file = fileOf(parts);
    const { status, out } = await sandgate(['bank-profile', 'check', file]);
    expect(out).toBe(`${file}, ${message}\nNot valid: 1 problem.\n`);
    expect(status).toBe(1);
    // A command that needs the profile does not start, and says the same.
    const use = await sandgate(['bank-profile', 'show', file]);
    expect(use).toMatchObject({ status: 2, err: `${file}, ${message}${message.endsWith('?') ? '' : '.'}\n` });
  });

  it.each<[string, object, number]>([
    ['unknown members', Object.fromEntries(Array.from({ length: 4_000 }, (_, i) => [`unknown${i}`, 1])), 100],
    [
      'patterns that name nothing',
      {
        headers: {
          required: Object.fromEntries(
            Array.from({ length: 40 }, (_, i) => [
              `X-${i}`,
              Array.from({ length: 90 }, (_, k) => `no.such${k}`),
            ]),
          ),
        },
      },
      100,
    ],
  ])('ends soon at thousands of %s, and tells a hundred', async (_, parts, told) => {
    const before = processorTime();
    const { out } = await sandgate(['bank-profile', 'check', fileOf(parts), '--json']);
    expect(processorTime() - before).toBeLessThan(10_000);
    expect(JSON.parse(out).problems).toHaveLength(told);
  });

  it('lists all at once, those of the schema and those beyond it', async () => {
    const file = fileOf({
      name: 'Test bank',
      bse: '',
      pahts: {},
      paths: { versio: 'v1', operations: { 'accounts.list': '', 'accounts.read': 'accounts' } },
      rules: { 'answers/location-presnt': { severity: 'off', reason: 'x' } },
      deviations: [
        { ...deviation, sample: undefined },
        { ...deviation, rule: 'a/b' },
      ],
    });
    const { out, status } = await sandgate(['bank-profile', 'check', file, '--json']);
    expect(status).toBe(1);
    const { valid, problems } = JSON.parse(out);
    expect(valid).toBe(false);
    expect(problems.map(({ place }: { place: string }) => place)).toEqual([
      'name',
      'bse',
      'pahts',
      'paths.versio',
      'paths.operations.accounts.read',
      'rules.answers/location-presnt',
      'deviations[0].sample',
      'deviations[1].rule',
    ]);
  });

  it.each<[string, object, string]>([
    [
      'a base whose parameter has no value',
      { paths: { base: '/{bank}' } },
      'line 12, paths.base: warning: {bank} has no value in paths.values; the emulator writes “bank”',
    ],
    [
      'a value that no base has',
      { paths: { values: { bank: 'a' } } },
      'line 13, paths.values.bank: warning: no base has {bank}; the value is not used',
    ],
    [
      'steps of the SCA without an operation for them',
      { sca: { steps: ['selection'] } },
      'line 12, sca.steps: warning: the TPP sends these by PUT, and paths.offers names no operation that ends in “.update”',
    ],
  ])('warns of %s', async (_, parts, message) => {
    const file = fileOf(parts);
    const { status, out } = await sandgate(['bank-profile', 'check', file]);
    expect(out).toBe(`${file}, ${message}\nValid: test, Test bank.\n`);
    expect(status).toBe(0);
  });

  it.each(bankProfileNames())('finds nothing wrong with %s, which comes with the program', async (name) => {
    const file = `data/banks/${name}.json`;
    const { status, out } = await sandgate(['bank-profile', 'check', file]);
    expect(out).toMatch(/^Valid: .*\n$/);
    expect(status).toBe(0);
  });

  it('says where a file is no JSON', async () => {
    const file = join(folder, 'broken.json');
    writeFileSync(file, '{\n  "name": }');
    const { status, err } = await sandgate(['bank-profile', 'check', file]);
    expect({ status, err }).toEqual({
      status: 2,
      err: `${file} is not JSON: line 2, column 11 cannot be read.\n`,
    });
  });
});

describe('diff', () => {
  it('prints what two profiles differ in, and nothing else', async () => {
    const one = fileOf({ paths: { base: '/one' }, links: ['a', 'b'], deviations: [deviation] }, 'one.json');
    const other = fileOf({ name: 'other', paths: { base: '/other', version: 'v1' } }, 'other.json');
    const { out } = await sandgate(['bank-profile', 'diff', one, other]);
    expect(out).toBe(`PLACE           TEST                                         OTHER
deviations one  answers/location-present; No Location.; 201  -
links           a, b                                         -
paths.base      /one                                         /other
`);
    const { out: json } = await sandgate(['bank-profile', 'diff', one, 'sandgate', '--json']);
    expect(JSON.parse(json)).toContainEqual({ place: 'paths.base', one: '/one', other: '/{segment}' });
  });
});

describe('from-openapi', () => {
  const document = join(folder, 'api.yaml');
  writeFileSync(document, 'openapi: 3.0.1\ninfo: { title: A bank }\npaths: { /v1/accounts: { get: {} } }\n');

  it('prints a profile on standard output, and on standard error what the document leaves open', async () => {
    const { status, out, err } = await sandgate(['bank-profile', 'from-openapi', document]);
    expect(status).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ name: 'a-bank', paths: { base: '', version: 'v1' } });
    expect(err).toMatch(/^The document does not tell, or leaves open:\n {2}- Which version of the standard/);
  });

  it('writes it to a file that can be used at once', async () => {
    const file = join(folder, 'proposed.json');
    const { out } = await sandgate(['bank-profile', 'from-openapi', document, '--out', file]);
    expect(out).toBe('');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ name: 'a-bank' });
    const checked = await sandgate(['bank-profile', 'check', file]);
    expect(checked.out).toBe('Valid: a-bank, A bank.\n');
  });

  it('refuses what is no OpenAPI document', async () => {
    const { status, err } = await sandgate(['bank-profile', 'from-openapi', fileOf({})]);
    expect(status).toBe(2);
    expect(err).toContain('is no OpenAPI 3 document: it has no member openapi: 3.x');
  });
});
