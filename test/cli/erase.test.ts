/** A person's right to be forgotten, as an operator grants it: `sandgate erase`. */
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createSqliteStore } from '../../src/store/index.js';
import { aKeyPair, signSession } from '../evidence/signed-session.js';
import { folderOfFile } from '../folder.js';
import { record } from '../report/a-recording.js';
import { exchangeWith } from '../rules/requests-of.js';
import { ANNA, BEN, filesWith, placesOf, plant } from './planted.js';
import { sandgate } from './run-command.js';

const folder = folderOfFile();
const planted = join(folder, 'planted.db');
const TOKENS = { access_token: 'of-ben', token_type: 'Bearer', expires_in: 3600 };
const OF_ANNA = [ANNA.name, ANNA.consent, ANNA.iban, 'Wilhelmina', Buffer.from(ANNA.name).toString('base64')];

/** A store of its own, with what was planted. */
function aStoreOf(name: string): string {
  const path = join(folder, name);
  for (const end of ['', '.key']) copyFileSync(planted + end, path + end);
  return path;
}

const readOf = (path: string, text: string) => {
  const store = createSqliteStore({ path, readonly: true });
  const found = [...store.read('june')].filter((one) => JSON.stringify(one).includes(text));
  const breaks = [...store.chains.verify('june')];
  store.close();
  return { found, breaks };
};

beforeAll(async () => {
  const store = createSqliteStore({ path: planted });
  plant(store, ANNA);
  plant(store, BEN);
  store.close();
  expect(placesOf(ANNA).length).toBeGreaterThan(50);
  await sandgate(['report', 'june', '--store', planted, '--out', join(folder, 'before.json')]);
});

describe('sandgate erase', () => {
  it('leaves nothing of a consent in the store, its log, its index and what is exported afterwards', async () => {
    const path = aStoreOf('consent.db');
    expect(filesWith(path, OF_ANNA)).not.toEqual([]);
    const before = readOf(path, BEN.consent);
    const { status, out } = await sandgate(['erase', '--consent', ANNA.consent, '--yes', '--store', path]);
    expect([status, out]).toEqual([
      0,
      expect.stringMatching(/Erased the content of \d+ exchanges, 1 note, \d+ facts?\./),
    ]);
    for (const format of ['cassette', 'har'])
      await sandgate([
        'sessions',
        'export',
        'june',
        '--format',
        format,
        '--out',
        join(folder, `a.${format}`),
        '--store',
        path,
      ]);
    await sandgate(['report', 'june', '--store', path, '--out', join(folder, 'after.json')]);
    const others = ['a.cassette', 'a.har', 'after.json'].map((file) => join(folder, file));
    expect(filesWith(path, OF_ANNA, others)).toEqual([]);
    expect(readOf(path, BEN.consent)).toEqual(before);
    expect(before.breaks).toEqual([]);
  });

  it.each([false, true])(
    'takes nothing more of the consent that a read with the token of an erased one named (encrypt: %s)',
    async (encrypt) => {
      const path = join(folder, `both-${encrypt}.db`);
      const store = createSqliteStore({ path, encrypt });
      const ofAnna = { operation: 'accounts.list', headers: { 'Consent-ID': ANNA.consent } } as const;
      const ofBen = { operation: 'consents.read', params: { consentId: BEN.consent } } as const;
      const ofPayment = { operation: 'payments.read', params: { paymentId: 'P1' } } as const;
      record(store, [
        {
          call: { operation: 'consents.create', body: {} },
          answer: { status: 201, body: { consentId: ANNA.consent, consentStatus: 'valid' } },
        },
        { call: ofAnna, answer: { body: { owner: ANNA.name } } },
        { call: ofAnna, answer: { status: 401 }, with: { scope: `AIS:${BEN.consent}` } },
        { call: exchangeWith({}), answer: { body: { ...TOKENS, scope: `AIS:${BEN.consent}` } } },
        { call: { ...ofAnna, headers: { ...ofAnna.headers, Authorization: 'Bearer of-ben' } }, answer: {} },
        { call: { ...ofPayment, headers: { 'Consent-ID': BEN.consent } }, answer: {} },
        { call: ofPayment, answer: { body: { owner: ANNA.name } } },
        { call: ofBen, answer: {} },
      ]);
      store.close();
      const { out } = await sandgate(['erase', '--consent', BEN.consent, '--yes', '--store', path]);
      expect(out).toMatch(/Erased the content of 5 exchanges/);
      const { found, breaks } = readOf(path, ANNA.name);
      expect([found.length, breaks]).toEqual([2, []]);
      expect(readOf(path, BEN.consent).found).toEqual([]);
      await sandgate(['erase', '--consent', ANNA.consent, '--yes', '--store', path]);
      expect(readOf(path, ANNA.consent)).toEqual({ found: [], breaks: [] });
      expect(readOf(path, 'withheld').found).toHaveLength(7);
    },
  );

  it('is told by verify, which finds the chain sound', async () => {
    const path = aStoreOf('verified.db');
    await sandgate(['erase', '--consent', ANNA.consent, '--yes', '--store', path]);
    const since = await sandgate(['verify', join(folder, 'before.json'), '--store', path]);
    expect(since.out).toMatch(/chain +sound .*Content was erased: of \d+ exchanges on 2026-06-15\./);
    expect(since.out).toMatch(/contents +not checked +Content was erased/);
    await sandgate(['report', 'june', '--store', path, '--out', join(folder, 'later.json')]);
    const { status, out } = await sandgate(['verify', join(folder, 'later.json'), '--store', path]);
    expect([status, out]).toEqual([0, expect.stringMatching(/contents +sound/)]);
  });

  it('leaves what it erased unwitnessed, which verify names, unless the key of the gateway is there to sign the note', async () => {
    const path = join(folder, 'witnessed.db');
    const { pem, publicPem } = aKeyPair();
    const [pub, settings] = [join(folder, 'evidence.pub'), join(folder, 'settings.json')];
    writeFileSync(pub, publicPem);
    writeFileSync(settings, JSON.stringify({ evidenceKey: join(folder, 'evidence.key') }));
    const store = createSqliteStore({ path });
    for (const person of [ANNA, BEN]) plant(store, person);
    await signSession(store, { pem });
    const first = [...store.read('june')].slice(0, 5).map(({ exchange }) => exchange.call.id);
    store.close();
    const verified = async (name: string) => {
      const file = join(folder, `${name}.json`);
      const from = ['--store', path, '--evidence-key', pub];
      await sandgate(['report', 'june', '--out', file, ...from]);
      return (await sandgate(['verify', file, ...from])).out;
    };
    const sound = /checkpoints +sound +\d+ records of exchanges are as the gateway/;
    expect(await verified('before-erasure')).toMatch(sound);
    const erase = async (value: string) =>
      (await sandgate(['erase', '--consent', value, '--yes', '--store', path, '--config', settings])).status;
    expect(await erase(ANNA.consent)).toBe(0);
    const left = `No checkpoint covers ${placesOf(ANNA).length} others, from ${first.join(', ')} on.`;
    expect(await verified('unsigned')).toContain(left);
    writeFileSync(join(folder, 'evidence.key'), pem);
    expect(await erase(BEN.consent)).toBe(0);
    expect(await verified('signed')).toContain(left);
  });

  it.each([
    ['as it is', ANNA.iban],
    ['in groups and in lower case', 'be68 5390 0754 7034'],
  ])('finds an account by its number %s, and all of the consents that name it', async (name, iban) => {
    const path = aStoreOf(`iban ${name}.db`);
    const { status } = await sandgate(['erase', '--iban', iban, '--yes', '--store', path]);
    expect([status, filesWith(path, [ANNA.iban, ANNA.consent])]).toEqual([0, []]);
    expect(readOf(path, BEN.consent).found).toHaveLength(placesOf(BEN).length);
  });

  it('shows what it found, and erases nothing, where nobody can be asked', async () => {
    const path = aStoreOf('asked.db');
    const { status, out, err } = await sandgate(['erase', '--psu', ANNA.name, '--store', path]);
    expect([status, err]).toEqual([2, expect.stringContaining('add --yes')]);
    expect(out).toMatch(/june +\d+ +1/);
    expect(filesWith(path, [ANNA.name])).not.toEqual([]);
  });

  it('says that nobody has a value, and ends with 1', async () => {
    const path = aStoreOf('nobody.db');
    const { status, out } = await sandgate(['erase', '--psu', 'Nobody Nowhere', '--yes', '--store', path]);
    expect([status, out]).toEqual([1, expect.stringContaining('holds nothing of it')]);
  });

  it('wants one value', async () => {
    const both = await sandgate(['erase', '--psu', 'a', '--iban', 'b', '--yes', '--store', planted]);
    const none = await sandgate(['erase', '--yes', '--store', planted]);
    expect([both.status, none.status]).toEqual([2, 2]);
  });
});
