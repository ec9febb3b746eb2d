/** `sandgate verify` looks at every field and every byte, and says which ones nothing proves. */

import { generateKeyPairSync } from 'node:crypto';
import { copyFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildCassette } from '../../src/exchange/recording/index.js';
import type { Report } from '../../src/report/index.js';
import { dialectOf } from '../../src/spec/index.js';
import { createSqliteStore } from '../../src/store/index.js';
import { NOW } from '../builders.js';
import { anAuthority } from '../certificate/made.js';
import { folderOfFile } from '../folder.js';
import { record, VALID } from '../report/a-recording.js';
import { sandgate } from './run-command.js';

const folder = folderOfFile();
const path = (name: string) => join(folder, name);
const store = path('sandgate.db');

const DAY = 86_400_000;
/** After the recording. */
const LATER = NOW + DAY;
const clock = () => LATER;
const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });

const report = (...args: readonly string[]) =>
  sandgate(['report', 'june', '--store', store, ...args], { clock });
const verify = (...args: readonly string[]) => sandgate(['verify', ...args], { clock });
const withStore = ['--store', store];

beforeAll(() => {
  const opened = createSqliteStore({ path: store });
  const match = { path: '/stdgroup/*', tpp: 'PSD*', operation: 'accounts.*' };
  record(opened, VALID, {
    // Members in no order: a configuration has them as its author likes.
    waivers: [{ until: '2027-01-01', reason: 'known', match, rule: 'accounts/within-daily-limit' }],
    overrides: { 'payments/iban-valid': 'note', 'accounts/date-range': 'should' },
  });
  opened.close();
  writeFileSync(path('key.pem'), keys.privateKey.export({ type: 'pkcs8', format: 'pem' }));
  writeFileSync(path('pub.pem'), keys.publicKey.export({ type: 'spki', format: 'pem' }));
});

function changed(file: string, name: string, change: (report: Report) => unknown): string {
  const made = JSON.parse(readFileSync(path(file), 'utf8')) as Report;
  change(made);
  writeFileSync(path(name), `${JSON.stringify(made, null, 2)}\n`);
  if (existsSync(path(`${file}.jws`))) copyFileSync(path(`${file}.jws`), path(`${name}.jws`));
  return path(name);
}

describe('an honest report', () => {
  it('with a waiver and other severities is sound, in whatever order the settings stand', async () => {
    await report('--out', path('waiver.json'));
    const { status, out } = await verify(path('waiver.json'), ...withStore);
    expect([status, out]).toEqual([0, expect.stringContaining('is sound. Not checked: signature.')]);
  });

  it('with waivers of the configuration is sound, and they are told as chosen', async () => {
    const match = { tpp: 'PSD*', operation: 'payments.*' };
    const waivers = [{ match, until: '2027-01-01', reason: 'x', rule: 'payments/iban-valid' }];
    writeFileSync(path('config.json'), JSON.stringify({ waivers }));
    await report('--config', path('config.json'), '--out', path('chosen.json'));
    const { status, out } = await verify(path('chosen.json'), ...withStore);
    expect(status).toBe(0);
    expect(out).toContain('Not checked: signature, setting waivers, waivers, recipe.');
  });
});

describe('what a report says by the wish of who made it', () => {
  it('is named, and only the signature covers it', async () => {
    const wishes = ['--title', 'For the board', '--made-at', 'now', '--appendix', '3'];
    await report(...wishes, '--out', path('wishes.json'), '--sign', path('key.pem'));
    const bare = await verify(path('wishes.json'), ...withStore);
    expect(bare.status).toBe(0);
    expect(bare.out).toMatch(
      /this is right: title, date of making, setting appendix; no signature that was checked covers them/,
    );
    const signed = await verify(path('wishes.json'), ...withStore, '--key', path('pub.pem'));
    expect(signed.out).toMatch(/this is right: title, .*; the signature covers them/);
    expect([signed.status, signed.out]).toEqual([0, expect.stringContaining('All checks passed')]);
  });

  it.each([
    ['title', ({ head }: Report) => Object.assign(head, { title: 'Fine' }), 'title'],
    [
      'version',
      ({ head }: Report) => Object.assign(head.gateway, { version: '9.9.9' }),
      'version of Sandgate',
    ],
    [
      'waivers',
      (made: Report) => {
        for (const one of [...made.head.waivers, ...made.recipe.judging.waivers]) one.reason = 'agreed';
      },
      'setting waivers, waivers',
    ],
    ['caps', ({ recipe }: Report) => Object.assign(recipe.caps, { rows: 501 }), 'setting rows'],
    [
      'allowed hosts',
      ({ recipe }: Report) => recipe.judging.blockedOrganisations.push('PSDBE-NBB-1'),
      'setting blockedOrganisations',
    ],
    ['sessions known before', ({ recipe }: Report) => Object.assign(recipe.earlier, { leftAside: 1 }), null],
  ])('changed afterwards is told: %s', async (name, change, fields) => {
    const file = changed('waiver.json', `wish-${name.replaceAll(' ', '-')}.json`, change);
    const { status, out } = await verify(file, ...withStore);
    if (fields === null) expect(status).toBe(1);
    else expect([status, out]).toEqual([0, expect.stringContaining(`Not checked: signature, ${fields}.`)]);
  });
});

describe('a date', () => {
  it.each([
    [
      'before the end of the recording',
      new Date(NOW).toISOString(),
      /dated .*, before the end of its recording/,
    ],
    ['in the future', new Date(LATER + DAY).toISOString(), /dated .*, which is in the future/],
  ])('%s is found', async (name, madeAt, message) => {
    const file = path(`date-${name.length}.json`);
    await report('--made-at', madeAt, '--out', file);
    const { status, out } = await verify(file, ...withStore);
    expect([status, out]).toEqual([1, expect.stringMatching(message)]);
  });
});

describe('bytes', () => {
  it('that are no UTF-8 are refused, also where the same sign would be shown in their place', async () => {
    await report('--title', 'Bytes \uFFFD', '--out', path('bytes.json'), '--sign', path('key.pem'));
    const bytes = readFileSync(path('bytes.json'));
    const at = bytes.indexOf(Buffer.from('\uFFFD'));
    writeFileSync(
      path('other-bytes.json'),
      Buffer.concat([bytes.subarray(0, at), Buffer.from([0xff]), bytes.subarray(at + 3)]),
    );
    copyFileSync(path('bytes.json.jws'), path('other-bytes.json.jws'));
    const { status, err } = await verify(path('other-bytes.json'), ...withStore, '--key', path('pub.pem'));
    expect([status, err]).toEqual([2, expect.stringContaining('is not UTF-8')]);
  });

  const spelt = (change: (text: string) => string) => change(readFileSync(path('waiver.json'), 'utf8'));
  it.each([
    ['white space', (text: string) => text.replace('": ', '":  ')],
    ['a member twice', (text: string) => text.replace('"title":', '"title": "Fine",\n    "title":')],
    ['a sign spelt otherwise', (text: string) => text.replace('"sandgate"', '"s\\u0061ndgate"')],
    ['a byte order mark', (text: string) => `\uFEFF${text}`],
    [
      'members in another order',
      (text: string) => {
        const { format, ...rest } = JSON.parse(text);
        return `${JSON.stringify({ ...rest, format }, null, 2)}\n`;
      },
    ],
  ])('that say the same otherwise are found without a key: %s', async (name, change) => {
    const file = path(`spelt-${name.replaceAll(' ', '-')}.json`);
    writeFileSync(file, spelt(change));
    const { status, out } = await verify(file, ...withStore);
    expect([status, out]).toEqual([1, expect.stringMatching(/not written as Sandgate|another order/)]);
  });
});

describe('a report whose recording is elsewhere', () => {
  const file = path('elsewhere.json');

  beforeAll(async () => {
    const opened = createSqliteStore({ path: store, readonly: true });
    const cassette = buildCassette([...opened.read('june')], { session: 'june', dialect: dialectOf() });
    opened.close();
    writeFileSync(path('cassette.json'), [...cassette].join(''));
    const args = ['--out', file, '--sign', path('key.pem')];
    await sandgate(['report', path('cassette.json'), ...args], { clock });
    renameSync(path('cassette.json'), path('moved.json'));
  });

  it('was not checked without a key: status 2, and nobody is told that it is sound', async () => {
    const { status, out } = await verify(file);
    expect([status, out]).toEqual([2, expect.stringContaining('Nothing was checked')]);
    expect(out).not.toMatch(/All checks passed|is sound/);
  });

  it('has a sound signature all the same', async () => {
    const { status, out } = await verify(file, '--key', path('pub.pem'));
    expect([status, out]).toEqual([0, expect.stringContaining('is sound. Not checked: contents.')]);
  });

  it('says where the recording was, which nothing proves any more', async () => {
    const { status, out } = await verify(file, '--recording', path('moved.json'));
    expect([status, out]).toEqual([0, expect.stringContaining('this is right: name of the recording;')]);
  });
});

describe('the certificate of the signing key', () => {
  const certificate = (name: string, notBefore: number, notAfter: number): string => {
    writeFileSync(path(name), anAuthority('Signer', { keys, notBefore, notAfter }).pem);
    return path(name);
  };

  beforeAll(async () => {
    await report('--out', path('undated.json'), '--sign', path('key.pem'));
    await report('--made-at', 'now', '--out', path('dated.json'), '--sign', path('key.pem'));
  });

  it('is told where it is valid', async () => {
    const key = certificate('valid.pem', NOW - DAY, LATER + DAY);
    const { status, out } = await verify(path('dated.json'), ...withStore, '--key', key);
    expect([status, out]).toEqual([
      0,
      expect.stringMatching(/signature +sound .*the certificate is valid to/),
    ]);
  });

  it.each([
    ['has expired', NOW - DAY, NOW, /signature +not checked .*has expired, on .*: nothing proves/],
    ['is not valid yet', LATER + DAY, LATER + 2 * DAY, /signature +not checked .*not valid yet/],
  ])('is told where it %s: such a signature settles nothing', async (name, from, to, message) => {
    const key = certificate(`${name.length}.pem`, from, to);
    const only = await verify(path('undated.json'), '--key', key, '--signature-only');
    expect([only.status, only.out]).toEqual([2, expect.stringMatching(message)]);
    const whole = await verify(path('undated.json'), ...withStore, '--key', key);
    expect([whole.status, whole.out]).toEqual([0, expect.stringContaining('Not checked: signature.')]);
  });

  it('that was not valid when the report is dated makes it wanting', async () => {
    const key = certificate('before.pem', NOW - DAY, NOW);
    const { status, out } = await verify(path('dated.json'), ...withStore, '--key', key);
    expect([status, out]).toEqual([1, expect.stringContaining('and the certificate is valid from')]);
  });
});
