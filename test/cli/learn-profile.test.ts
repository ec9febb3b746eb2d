/** `sandgate bank-profile learn`: what it proposes out of recordings, and what becomes of a proposal that is accepted. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Proposal } from '../../src/app/bank-profile/index.js';
import { folderOfFile } from '../folder.js';
import { sandgate } from './run-command.js';

const folder = folderOfFile();
const ID = '3dc3d5b3-7023-4848-9853-f5400a64e80f';
const BANK = 'https://api.bank.example/hill/v2';

interface Entry {
  readonly call: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  readonly status?: number;
  readonly answer?: unknown;
  readonly answered?: Record<string, string>;
}

const listOf = (headers: Record<string, string>) =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));
const content = (value: unknown) => ({
  mimeType: 'application/json',
  text: JSON.stringify(value),
  size: JSON.stringify(value).length,
});

/** A HAR of calls to a bank below a base of its own. */
function harOf(name: string, entries: readonly Entry[]): string {
  const file = join(folder, name);
  const log = entries.map(({ call, headers = {}, body, status = 200, answer, answered = {} }, at) => {
    const [method, path = ''] = call.split(' ');
    const json = { 'Content-Type': 'application/json' };
    const id = `${String(at).padStart(8, '0')}-ad88-49ec-a2ad-99ddcb1f7721`;
    const echoed = { 'X-Request-ID': id, ...answered };
    return {
      startedDateTime: new Date(Date.UTC(2026, 2, 2, 12, 0, at)).toISOString(),
      time: 5,
      request: {
        ...{ method, url: path.startsWith('http') ? path : `${BANK}${path}`, httpVersion: 'HTTP/1.1' },
        headers: listOf({ 'X-Request-ID': id, ...(body === undefined ? {} : json), ...headers }),
        ...{ queryString: [], cookies: [], headersSize: -1, bodySize: -1 },
        ...(body === undefined ? {} : { postData: content(body) }),
      },
      response: {
        ...{ status, statusText: '', httpVersion: 'HTTP/1.1', cookies: [], redirectURL: '', headersSize: -1 },
        headers: listOf(answer === undefined ? echoed : { ...json, ...echoed }),
        content: answer === undefined ? { size: 0, mimeType: '' } : content(answer),
        bodySize: -1,
      },
      cache: {},
      timings: { send: 1, wait: 3, receive: 1 },
    };
  });
  writeFileSync(
    file,
    JSON.stringify({ log: { version: '1.2', creator: { name: 't', version: '1' }, entries: log } }),
  );
  return file;
}

const account = (amount: unknown) => ({
  resourceId: ID,
  iban: 'BE71096123456769',
  currency: 'EUR',
  balances: [{ balanceType: 'expected', balanceAmount: { currency: 'EUR', amount } }],
  _links: { balances: { href: `/hill/v2/accounts/${ID}/balances` } },
});
const consented = { 'Consent-ID': ID };
const READ: Entry = { call: 'GET /accounts', headers: consented, answer: { accounts: [account('1.00')] } };
const STATUS = { call: `GET /consents/${ID}/status` };

const proposalsOf = async (file: string, ...more: string[]): Promise<Proposal[]> => {
  const { out, err, status } = await sandgate(['bank-profile', 'learn', file, '--json', ...more]);
  expect({ err, status }).toEqual({ err: '', status: 0 });
  return JSON.parse(out);
};

const base = join(folder, 'hill.json');
writeFileSync(
  base,
  JSON.stringify({
    ...{ name: 'hill', title: 'Hill Bank', standard: 'Berlin Group 1.3.8' },
    sources: [{ where: 'this test', tells: 'paths' }],
    paths: { base: '/hill', version: 'v2' },
    access: { bearer: 'none' },
    services: { 'periodic-payments': { 'sepa-credit-transfers': { like: 'SCT' } } },
  }),
);

describe('a recording proposes', () => {
  it.each<[string, Entry, string, object]>([
    [
      'a further status',
      { ...STATUS, answer: { consentStatus: 'suspended' } },
      'status-suspended',
      { statuses: { consentStatus: ['suspended'] } },
    ],
    [
      'a further code',
      { ...STATUS, status: 409, answer: { tppMessages: [{ category: 'ERROR', code: 'BANK_SLEEPS' }] } },
      'code-bank-sleeps-409',
      { codes: { BANK_SLEEPS: [409] } },
    ],
    [
      'a further link',
      { ...READ, answer: { accounts: [account('1.00')], _links: { blog: { href: '/hill/v2/accounts' } } } },
      'link-blog',
      { links: ['blog'] },
    ],
    [
      'a further operation',
      { call: `PUT /consents/${ID}/authorisations/A1`, body: {}, answer: { scaStatus: 'finalised' } },
      'offers-consents-authorisations-update',
      { paths: { offers: ['consents.authorisations.update'] } },
    ],
    [
      'another path of an operation',
      { call: `GET https://api.bank.example/dale/v1/accounts/${ID}/balances`, answer: {} },
      'path-accounts-balances',
      { paths: { operations: { 'accounts.balances': '/dale/v1/accounts/{accountId}/balances' } } },
    ],
    [
      'where tokens come from',
      { call: 'POST https://api.bank.example/login/token', answer: {} },
      'path-oauth-token',
      { paths: { operations: { 'oauth.token': '/login/token' } } },
    ],
    [
      'a path beside the standard, without ids',
      { call: `GET /cards/${ID}`, answer: {} },
      'further-get-hill-v2-cards-id',
      {
        paths: { further: [{ path: '/hill/v2/cards/{id}', methods: ['GET'], says: 'Seen in recordings.' }] },
      },
    ],
    [
      'reads without a consent',
      { call: 'GET /accounts', answer: { accounts: [] } },
      'reads-without-consent',
      { access: { consent: 'none' } },
    ],
    [
      'a header that the bank does without',
      {
        call: 'POST /consents',
        headers: { 'TPP-Redirect-URI': 'https://tpp.example/cb' },
        body: {},
        status: 201,
        answer: {},
      },
      'optional-psu-ip-address',
      { headers: { optional: { 'PSU-IP-Address': ['consents.create'] } } },
    ],
    [
      'a link that leads to the SCA',
      {
        call: 'POST /consents',
        body: {},
        status: 201,
        answer: {
          consentStatus: 'received',
          consentId: ID,
          _links: { scaRedirect: { href: 'https://sca.bank.example' } },
        },
      },
      'leads-on-scaredirect',
      { sca: { links: { implicit: ['scaRedirect'] } } },
    ],
    [
      'a value of the bank’s own',
      {
        call: 'POST /periodic-payments/sepa-credit-transfers',
        body: { frequency: 'WEEK' },
        status: 201,
        answer: {},
      },
      'value-frequency-week',
      { bodies: { 'payments.create': { values: { frequency: ['WEEK'] } } } },
    ],
    [
      'a further product',
      { call: 'POST /periodic-payments/pain.001-sct', body: {}, status: 201, answer: {} },
      'product-periodic-payments-pain-001-sct',
      {
        services: {
          'periodic-payments': { 'pain.001-sct': { like: 'SCT', media: ['multipart/form-data'] } },
        },
      },
    ],
  ])('%s', async (_, entry, id, change) => {
    const file = harOf('one.har', [READ, entry]);
    const proposals = await proposalsOf(file, '--bank-profile', base);
    const found = proposals.find((one) => one.id === id);
    expect(found?.change).toMatchObject(change);
    expect(found?.seen).toBe(1);
    // The profile that takes it over does not have it proposed again.
    const taken = join(folder, `${id}.json`);
    await sandgate(['bank-profile', 'learn', file, '--bank-profile', base, '--accept', id, '--out', taken]);
    expect((await proposalsOf(file, '--bank-profile', taken)).map((one) => one.id)).not.toContain(id);
  });

  it('deviations with a sample that names nobody, how often they were seen, and what the emulator can do', async () => {
    const file = harOf('deviating.har', [
      { ...READ, answer: { accounts: [account(1)] } },
      { ...READ, answer: { accounts: [account(2.5), account(3)] } },
      READ,
      { ...READ, answered: { 'X-Request-ID': '' } },
    ]);
    const proposals = await proposalsOf(file, '--bank-profile', base);
    expect(proposals.map(({ id, seen, of }) => [id, seen, of])).toEqual([
      ['amounts-are-strings-amount', 2, 4],
      ['request-id-echoed-x-request-id', 1, 4],
    ]);
    expect(proposals[0]?.change.deviations).toMatchObject([
      { rule: 'answers/amounts-are-strings', operations: ['accounts.list'], emulate: 'amounts-as-numbers' },
    ]);
    expect(proposals[0]?.sample).toContain('1 (a number)');
    expect(JSON.stringify(proposals)).not.toMatch(/ad88-49ec|BE7109612345/);
    const { out } = await sandgate(['bank-profile', 'learn', file, '--bank-profile', base]);
    expect(out).toContain('amounts-are-strings-amount  deviations, 2 of 4 calls\n');
    expect(out).toContain('request-id-echoed-x-request-id  deviations, 1 of 4 calls, seen only once\n');
  });

  it.each([
    'BE71 0961 2345 6769',
    '2026-11-24BE71096123456769',
    '+32 470 12 34 56',
    'anna.peeters@mail.example',
  ])('no sample with %s', async (value) => {
    const file = harOf('personal.har', [{ ...READ, answered: { 'X-Request-ID': value } }]);
    const [proposal] = await proposalsOf(file, '--bank-profile', base);
    expect(proposal?.sample).toContain('…');
    expect(JSON.stringify(proposal)).not.toContain(value);
  });

  it('what the bank accepts against a rule, only where it answered with success', async () => {
    const call = `GET /accounts/${ID}/transactions?bookingStatus=mine`;
    const refused = { tppMessages: [{ category: 'ERROR', code: 'FORMAT_ERROR' }] };
    const file = harOf('accepted-by-bank.har', [
      { call, headers: consented, answer: { account: {}, transactions: { booked: [], _links: {} } } },
      { call, headers: consented, status: 400, answer: refused },
    ]);
    const proposals = await proposalsOf(file, '--bank-profile', base);
    const accepted = proposals.filter(({ id }) => id.startsWith('accepts-'));
    expect(accepted.map(({ id, seen, of }) => [id, seen, of])).toEqual([
      ['accepts-booking-status-bookingstatus', 1, 2],
    ]);
  });

  it('the base of the paths where no profile knows them, and then what else is seen below it', async () => {
    const file = harOf('unknown.har', [
      { ...READ, answer: { accounts: [account(1)] } },
      { call: `GET /payments/sepa-credit-transfers/${ID}/status`, answer: { transactionStatus: 'RCVD' } },
      { call: 'POST https://api.bank.example/login/token', answer: {} },
    ]);
    const ids = (await proposalsOf(file)).map(({ id, seen, of }) => `${id} ${seen}/${of}`);
    expect(ids.slice(0, 3)).toEqual(['base 2/3', 'path-oauth-token 1/3', 'reads-without-token 1/1']);
    expect(ids).toContain('amounts-are-strings-amount 1/1');
  });

  it('nothing where the profile says it all', async () => {
    const { out } = await sandgate([
      'bank-profile',
      'learn',
      harOf('right.har', [READ]),
      '--bank-profile',
      base,
    ]);
    expect(out).toBe('The recordings show nothing that the profile does not say.\n');
  });
});

describe('an accepted proposal', () => {
  const file = harOf('accepted.har', [
    { ...READ, answer: { accounts: [account(1)] } },
    { ...STATUS, answer: { consentStatus: 'suspended' } },
  ]);

  it('is added to the profile with its source, and no other is', async () => {
    const out = join(folder, 'accepted.json');
    const made = await sandgate([
      'bank-profile',
      'learn',
      file,
      '--bank-profile',
      base,
      '--accept',
      'status-suspended',
      '--out',
      out,
    ]);
    expect(made).toMatchObject({ status: 0, out: `Written: ${out}, with 1 proposal.\n` });
    const profile = JSON.parse(readFileSync(out, 'utf8'));
    expect(profile).toMatchObject({ name: 'hill', statuses: { consentStatus: ['suspended'] } });
    expect(profile.deviations).toBeUndefined();
    expect(profile.sources.at(-1)).toEqual({
      where: file,
      tells: 'Learned: status-suspended (1 of 1 call, seen only once).',
    });
    // A second one goes into the same file.
    await sandgate(['bank-profile', 'learn', file, '--accept', 'amounts-are-strings-amount', '--out', out]);
    const { statuses, deviations } = JSON.parse(readFileSync(out, 'utf8'));
    expect(statuses).toEqual({ consentStatus: ['suspended'] });
    expect(deviations).toHaveLength(1);
    expect((await sandgate(['bank-profile', 'check', out])).status).toBe(0);
  });

  it('makes a new profile where there is none', async () => {
    const out = join(folder, 'New Bank.json');
    await sandgate(['bank-profile', 'learn', file, '--accept', 'base', '--out', out]);
    expect(JSON.parse(readFileSync(out, 'utf8'))).toMatchObject({
      name: 'new-bank',
      paths: { base: '/hill', version: 'v2' },
    });
  });

  it.each<[string, string[], string]>([
    [
      'that is not proposed is refused, with the nearest',
      ['--accept', 'status-suspende', '--out', 'x.json'],
      'There is no proposal status-suspende. Did you mean status-suspended?\n',
    ],
    [
      'without a file is refused',
      ['--accept', 'base'],
      '--accept and --out go together: name the proposals, and the profile to add them to.\n',
    ],
  ])('%s', async (_, more, err) => {
    const said = await sandgate(['bank-profile', 'learn', file, '--bank-profile', base, ...more]);
    expect(said).toMatchObject({ status: 2, err });
    expect(existsSync('x.json')).toBe(false);
  });
});
