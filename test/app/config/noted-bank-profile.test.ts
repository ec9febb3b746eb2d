/** Bank profiles inside of recordings, and files that are none: what is broken or hostile is one clear error. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseBankProfile } from '../../../src/app/config/index.js';
import { loadConfig } from '../../../src/app/index.js';
import { readNote } from '../../../src/exchange/index.js';
import { readRecording } from '../../../src/exchange/recording/index.js';
import { dialectOf, SandgateError } from '../../../src/spec/index.js';
import { NOW } from '../../builders.js';
import { folderOfFile } from '../../folder.js';

const folder = folderOfFile();
const HILL = {
  ...{ name: 'hill-bank', title: 'Hill Bank', standard: 'Berlin Group 1.3.8' },
  sources: [{ where: 'this test', tells: 'everything' }],
};
const LONG = 'x'.repeat(10_000_000);

const cassetteWith = (profile: string): string =>
  `{"format":"sandgate-cassette","version":1,"session":"s","segment":"stdgroup","bankProfile":${profile},"recorded":"2026-01-01T00:00:00Z","certificates":{},"exchanges":[]}`;
const harWith = (profile: string): string =>
  `{"log":{"version":"1.2","creator":{"name":"sandgate","version":"1"},"entries":[],"_sandgate":{"format":1,"certificates":{},"notes":[],"origins":[],"session":"s","segment":"stdgroup","bankProfile":${profile}}}}`;

const BROKEN: readonly (readonly [string, string, RegExp])[] = [
  ['an unknown member', JSON.stringify({ ...HILL, pahts: {} }), /pahts/],
  ['text like a pattern in a path', JSON.stringify({ ...HILL, paths: { base: '/(a+)+$' } }), /paths.base/],
  [
    'two operations on one path',
    JSON.stringify({
      ...HILL,
      paths: { operations: { 'accounts.balances': '/stdgroup/v1/accounts/{accountId}' } },
    }),
    /told apart/,
  ],
  ['a member __proto__', `{"__proto__":{"name":"x"},${JSON.stringify(HILL).slice(1)}`, /__proto__/],
  ['10 MB', JSON.stringify({ ...HILL, title: LONG }), /100 kB/],
  ['a list', '[]', /bankProfile/],
];

describe.each([
  ['a cassette', cassetteWith],
  ['a HAR file', harWith],
])('%s', (_, fileWith) => {
  it('is read with a profile that is good', () => {
    const { dialect } = readRecording(fileWith(JSON.stringify(HILL)), { name: 'file' });
    expect(dialect.profile?.name).toBe('hill-bank');
  });

  it.each(BROKEN)('with a profile that has %s is one short error', (_what, profile, problem) => {
    const read = () => readRecording(fileWith(profile), { name: 'file' });
    expect(read).toThrow(SandgateError);
    expect(read).toThrow(problem);
    let message = '';
    try {
      read();
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message.length).toBeLessThan(600);
    expect(Object.hasOwn(Object.prototype, 'name')).toBe(false);
  });
});

describe('a note of a session', () => {
  it('whose profile a later version wrote keeps the rest, and the name', () => {
    const later = { ...HILL, weather: 'rain' };
    const [note] = readNote(NOW, 'started', { profile: 'sandbox', segment: 'stdgroup', bankProfile: later });
    expect(note?.settings).toEqual({ profile: 'sandbox', segment: 'stdgroup', laterProfile: 'hill-bank' });
  });
});

describe('the worked example of the documents', () => {
  const page = readFileSync(new URL('../../../docs/bank-profiles.md', import.meta.url), 'utf8');
  const [example = '', settings = ''] = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(
    ([, text]) => text ?? '',
  );

  it('is a profile, and says what the page says of it', () => {
    const { pathOf, recognise, headerIs } = dialectOf(parseBankProfile(example, 'the page'));
    expect(pathOf('accounts.list')).toBe('/xs2a/hill/v1/accounts');
    expect(recognise('GET', '/xs2a/other/v1/accounts')).toMatchObject({ operation: 'accounts.list' });
    expect(pathOf('oauth.token')).toBe('/oauth/token');
    expect(headerIs('PSU-ID', 'consents.create')).toBe('required');
  });

  it('has settings for several hosts', () => {
    const file = join(folder, 'hosts.json');
    const profile = join(folder, 'my-bank.json');
    writeFileSync(profile, example);
    writeFileSync(file, settings.replace('my-bank.json', profile));
    const { config } = loadConfig({ file });
    expect(config.upstreams?.['payments.*']?.href).toBe('https://pis.bank.example/');
  });
});

describe('a file named by --bank-profile', () => {
  const load = (bankProfile: string) => loadConfig({ file: null, flags: { bankProfile } });
  const fileOf = (name: string, text: string): string => {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  };

  it.each<readonly [string, () => string, RegExp]>([
    [
      'of more than 100 kB',
      () => fileOf('long.json', `${JSON.stringify(HILL)}${' '.repeat(100_000)}`),
      /100 kB/,
    ],
    ['that is no JSON', () => fileOf('text.json', 'paths: /a'), /text\.json/],
    ['that is no profile', () => fileOf('list.json', '[]'), /list\.json, line 1/],
    ['that does not exist', () => 'adorsis', /Did you mean adorsys/],
  ])('%s is refused', (_, file, problem) => {
    expect(() => load(file())).toThrow(problem);
  });

  it('is read once: a change of the file counts from the next start on', () => {
    const file = fileOf('changing.json', JSON.stringify(HILL));
    const before = load(file).config;
    writeFileSync(file, JSON.stringify({ ...HILL, title: 'Hill Bank and Sons' }));
    expect(before.bankProfile?.title).toBe('Hill Bank');
    expect(load(file).config.bankProfile?.title).toBe('Hill Bank and Sons');
  });
});
