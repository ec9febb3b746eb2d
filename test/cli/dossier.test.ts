/** `sandgate report --format pdf`, sealed and not, and what `sandgate verify` finds in such a file. */
import type { KeyObject } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeDossier } from '../../src/app/report/index.js';
import { type Check, checkDossier } from '../../src/app/verify/index.js';
import { type CertificateOrder, issueCertificate, renderPkcs12 } from '../../src/certificate/index.js';
import { checkSeal } from '../../src/evidence/seal/index.js';
import type { StampAnchor } from '../../src/evidence/time-stamp/index.js';
import { readDossier } from '../../src/report/dossier/index.js';
import type { Report } from '../../src/report/index.js';
import { createSqliteStore } from '../../src/store/index.js';
import { NOW } from '../builders.js';
import { DAY, keys, type MadeKeyType, ROOT, serial } from '../certificate/made.js';
import { aKeyPair } from '../evidence/signed-session.js';
import { ANCHORS, CA, mintAuthority, startAuthority } from '../evidence/time-stamp/authority.js';
import { folderOfFile } from '../folder.js';
import { record, type Sent, VALID } from '../report/a-recording.js';
import { readPages, textOf } from '../report/dossier/read-pages.js';
import { CONSENT } from '../rules/ledger-of.js';
import { sandgate } from './run-command.js';

const folder = folderOfFile();
const path = (name: string) => join(folder, name);
const store = ['--store', path('sandgate.db')];
const signer = aKeyPair();
const FAR = Date.UTC(2049, 0, 1);
const PUBLIC = { type: 'spki', format: 'pem' } as const;
const PASSPHRASE = 'a passphrase that nobody may see';

const unattended: Sent = {
  call: {
    operation: 'accounts.balances',
    params: { accountId: 'ACCOUNT_ID' },
    headers: { Authorization: undefined, 'Consent-Id': CONSENT },
  },
  answer: { status: 401, body: { tppMessages: [] } },
};

function write(name: string, content: string | Uint8Array, mode = 0o600): string {
  writeFileSync(path(name), content, { mode });
  chmodSync(path(name), mode);
  return path(name);
}

const keyPem = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();

function certify(type: MadeKeyType, more: Partial<CertificateOrder> = {}) {
  return issueCertificate({
    authority: ROOT,
    publicKey: keys(type, 'seal').publicKey,
    subject: { country: 'BE', organization: 'Example Payments BV', commonName: 'eSeal' },
    serialNumber: serial('seal'),
    notBefore: NOW - DAY,
    notAfter: NOW + 100 * DAY,
    keyUsage: ['nonRepudiation'],
    ...more,
  });
}

const pemSeal = (type: MadeKeyType, more: Partial<CertificateOrder> = {}): string =>
  `${certify(type, more).chainPem}${keyPem(keys(type, 'seal').privateKey)}`;

const p12 = (type: MadeKeyType): Buffer =>
  renderPkcs12({
    privateKey: keys(type, 'seal').privateKey,
    certificates: [certify(type).der, ROOT.der],
    name: 'seal',
    passphrase: PASSPHRASE,
    salt: Buffer.from('0123456789abcdef'),
  });

beforeAll(() => {
  const opened = createSqliteStore({ path: path('sandgate.db') });
  record(opened, [...VALID, unattended], {
    waivers: [{ rule: 'accounts/token-present', reason: 'Known', until: '2026-12-31' }],
  });
  record(opened, [], { session: 'empty', start: NOW + DAY });
  opened.close();
  write('key.pem', signer.pem);
  write('pub.pem', signer.publicPem);
  write('seal.pem', pemSeal('ec-p256'));
  write('seal-cert.pem', certify('ec-p256').pem);
  write('passphrase', `${PASSPHRASE}\n`);
});

const report = (out: string, ...args: readonly string[]) =>
  sandgate(['report', 'june', ...store, '--format', 'pdf', '--out', path(out), ...args]);
const read = (name: string) => readDossier(readFileSync(path(name)));
const verify = (name: string, ...args: readonly string[]) =>
  sandgate(['verify', path(name), ...store, ...args]);

describe('a dossier', () => {
  it('is not written to a terminal', async () => {
    const { status, out, err } = await sandgate(['report', 'any', '--format', 'pdf', ...store], {
      terminal: 'both',
    });
    expect([status, out]).toEqual([2, '']);
    expect(err).toContain('A dossier is no text for a terminal: give a file with --out');
  });

  it('has three pages, in words that name no rule by its id, and the report attached as it is', async () => {
    const { status, err } = await report('plain.pdf');
    expect([status, err]).toEqual([0, '']);
    await sandgate(['report', 'june', ...store, '--format', 'json,html', '--out', path('files')]);
    const { attachments } = read('plain.pdf');
    expect([...attachments.keys()]).toEqual(['report.json', 'report.html', 'availability.csv']);
    expect(attachments.get('report.json')).toEqual(readFileSync(path('files/report.json')));
    expect(attachments.get('report.html')).toEqual(readFileSync(path('files/report.html')));
    const pages = readPages(readFileSync(path('plain.pdf')));
    expect(pages).toHaveLength(3);
    const whole = pages.map(textOf).join('\n');
    const { coverage } = JSON.parse(`${attachments.get('report.json')}`) as Report;
    for (const { rule } of coverage.rules) expect(whole).not.toContain(rule);
    expect(whole).toContain('not sealed');
  });

  it('is the same to the byte each time', async () => {
    await report('again.pdf');
    expect(readFileSync(path('again.pdf'))).toEqual(readFileSync(path('plain.pdf')));
  });

  it('of an empty session and of a file says so, on three pages', async () => {
    const empty = await sandgate([
      'report',
      'empty',
      ...store,
      '--format',
      'pdf',
      '--out',
      path('empty.pdf'),
    ]);
    expect(empty.err).toBe('');
    const [first = []] = readPages(readFileSync(path('empty.pdf')));
    expect(textOf(first)).toContain('Nothing was recorded');
    await sandgate(['sessions', 'export', 'june', ...store, '--out', path('june.cassette.json')]);
    await sandgate(['report', path('june.cassette.json'), '--out', path('imported.pdf')]);
    const pages = readPages(readFileSync(path('imported.pdf')));
    expect(pages).toHaveLength(3);
    expect(textOf(pages[0] ?? [])).toContain('Evidence: imported.');
  });
});

/** The authority stamps by the clock of the machine, which is later than that of the command. */
async function reportStamped(out: string, seal: string): Promise<void> {
  const authority = await startAuthority();
  try {
    const env = { SANDGATE_TIMESTAMP_URL: authority.url };
    const args = ['report', 'june', ...store, '--out', path(out), '--seal', seal];
    expect(await sandgate(args, { env })).toMatchObject({ status: 0, err: '' });
  } finally {
    await authority.close();
  }
}

describe('a seal', () => {
  const KINDS: readonly (readonly [string, () => string | Uint8Array, string[]])[] = [
    ['an EC key in PEM', () => pemSeal('ec-p256'), []],
    ['an EC key of P-384 in PEM', () => pemSeal('ec-p384'), []],
    ['an RSA key in PEM', () => pemSeal('rsa-2048'), []],
    ['an EC key in PKCS#12', () => p12('ec-p256'), ['--seal-passphrase-file', path('passphrase')]],
    ['an RSA key in PKCS#12', () => p12('rsa-2048'), ['--seal-passphrase-file', path('passphrase')]],
    [
      'a locked key in PEM',
      () =>
        certify('ec-p256').pem +
        keys('ec-p256', 'seal').privateKey.export({
          ...{ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: PASSPHRASE },
        }),
      ['--seal-passphrase-file', path('passphrase')],
    ],
  ];
  it.each(KINDS)('is made with %s, and covers the whole file', async (_, seal, more) => {
    const { status, out, err } = await report('kind.pdf', '--seal', write('kind.seal', seal()), ...more);
    expect([status, err]).toEqual([0, '']);
    expect(out + err).not.toContain(PASSPHRASE);
    const { seal: made } = read('kind.pdf');
    expect(made?.isWhole).toBe(true);
    const { content = Buffer.alloc(0), signature = Buffer.alloc(0) } = made ?? {};
    expect(await checkSeal(content, signature, [])).toMatchObject({
      ...{ wrong: null, subject: 'Example Payments BV, eSeal', stamp: null },
    });
    expect(
      readPages(readFileSync(path('kind.pdf')))
        .map(textOf)
        .join('\n'),
    ).toMatch(
      /It is sealed by Example Payments BV, eSeal[\s\S]*Example Payments BV, eSeal, on 2026-06-15 [\d:]{8} UTC by the clock of who sealed it/,
    );
  });

  it('with a key of its own is checked with that key, and with no other', async () => {
    await report('sealed.pdf', '--seal', path('seal.pem'));
    const own = await verify('sealed.pdf', '--key', path('seal-cert.pem'));
    expect(own).toMatchObject({ status: 0, out: expect.stringMatching(/^seal +sound /m) });
    const other = await verify('sealed.pdf', '--key', path('pub.pem'));
    expect(other).toMatchObject({ status: 1, out: expect.stringMatching(/^seal +FAILED .*another key/m) });
    const nobody = await verify('sealed.pdf');
    expect(nobody).toMatchObject({ status: 0, out: expect.stringMatching(/^seal +not checked /m) });
  });

  it('is stamped by the authority of the settings, which the reader checks', async () => {
    await reportStamped('stamped.pdf', write('far.pem', pemSeal('ec-p256', { notAfter: FAR })));
    const checked = await verify(
      'stamped.pdf',
      '--key',
      path('seal-cert.pem'),
      '--timestamp-ca',
      write('tsa.pem', CA),
    );
    expect(checked.out).toMatch(/^seal +sound .* and a time stamp of .* shows/m);
    expect(checked.out).not.toContain('FAILED');
    const { ca } = await mintAuthority({ from: NOW, to: NOW + DAY });
    const strange = await verify(
      'stamped.pdf',
      '--key',
      path('seal-cert.pem'),
      '--timestamp-ca',
      write('other.pem', ca),
    );
    expect(strange).toMatchObject({ status: 1, out: expect.stringMatching(/^seal +FAILED .*time stamp/m) });
  });

  it('of a certificate that has expired proves nothing, but for a time stamp from before', async () => {
    const sealAt = async (name: string, now: number, anchors: readonly StampAnchor[] = []) => {
      const key = { name: 'seal', pem: keys('ec-p256', 'seal').publicKey.export(PUBLIC).toString() };
      const { checks } = await checkDossier(readFileSync(path(name)), { name, key, anchors, now });
      const [{ sound, text }] = checks.filter(({ what }) => what === 'seal') as [Check];
      return [sound, text];
    };
    const unproven = [null, expect.stringContaining('nothing proves that it was sealed before')];
    expect(await sealAt('sealed.pdf', NOW)).toEqual([true, expect.any(String)]);
    expect(await sealAt('sealed.pdf', NOW + 101 * DAY)).toEqual(unproven);
    expect(await sealAt('stamped.pdf', FAR + DAY)).toEqual(unproven);
    expect(await sealAt('stamped.pdf', FAR + DAY, ANCHORS)).toEqual([true, expect.any(String)]);
  });

  it('that was stamped after the end of its certificate is not sound, whatever day it says', async () => {
    await reportStamped('late.pdf', write('late.pem', pemSeal('ec-p256', { notAfter: NOW + 1 })));
    const { status, out } = await verify(
      ...['late.pdf', '--key', path('seal-cert.pem')],
      ...['--timestamp-ca', write('tsa.pem', CA)],
    );
    expect([status, out]).toEqual([
      1,
      expect.stringMatching(
        /^seal +FAILED +The time stamp of the record .* when the certificate of .* was not valid/m,
      ),
    ]);
  });

  const REFUSED: readonly (readonly [string, () => string[], string])[] = [
    [
      'a wrong passphrase',
      () => ['--seal', write('a.p12', p12('ec-p256')), '--seal-passphrase-file', write('wrong', 'x')],
      'the passphrase is wrong',
    ],
    [
      'no passphrase',
      () => ['--seal', write('a.p12', p12('ec-p256'))],
      'cannot be opened without a passphrase',
    ],
    [
      'the certificate of another key',
      () => ['--seal', write('b.pem', certify('ec-p256').pem + keyPem(keys('ec-p256', 'other').privateKey))],
      'belongs to none of its certificates',
    ],
    [
      'an expired certificate',
      () => ['--seal', write('c.pem', pemSeal('ec-p256', { notAfter: NOW - 1 }))],
      'expired on 2026-06-15',
    ],
    [
      'a certificate that is not valid yet',
      () => ['--seal', write('d.pem', pemSeal('ec-p256', { notBefore: NOW + DAY }))],
      'not valid before 2026-06-16',
    ],
    [
      'a certificate that is not for signatures',
      () => ['--seal', write('e.pem', pemSeal('ec-p256', { keyUsage: ['keyEncipherment'] }))],
      'not for signatures',
    ],
    [
      'no certificate',
      () => ['--seal', write('f.pem', keyPem(keys('ec-p256', 'seal').privateKey))],
      'holds no certificate',
    ],
    ['no key', () => ['--seal', write('g.pem', certify('ec-p256').pem)], 'holds no private key'],
    [
      'a key of a kind that PDF does not know',
      () => ['--seal', write('h.pem', pemSeal('ed25519'))],
      'is not a key that can sign',
    ],
    [
      'a file that others may read',
      () => ['--seal', write('i.pem', pemSeal('ec-p256'), 0o644)],
      'can be read by others',
    ],
    ['no seal for the passphrase', () => ['--seal-passphrase-file', path('passphrase')], 'is for the seal'],
    [
      'an authority that nobody runs',
      () => ['--seal', path('seal.pem'), '--timestamp-url', 'http://127.0.0.1:9/'],
      'got no time stamp',
    ],
  ];
  it.each(REFUSED)('with %s is refused, and nothing is written', async (_, args, said) => {
    const { status, err } = await report('refused.pdf', ...args());
    expect(err).toContain(said);
    expect([status > 0, existsSync(path('refused.pdf'))]).toEqual([true, false]);
  });

  it('is for dossiers alone', async () => {
    const { status, err } = await sandgate([
      'report',
      'june',
      ...store,
      '--json',
      '--seal',
      path('seal.pem'),
    ]);
    expect([status, err]).toEqual([2, expect.stringContaining('--seal seals the dossier')]);
  });
});

describe('what verify finds in a dossier', () => {
  const signed = ['--seal', path('seal.pem'), '--sign', path('key.pem')];
  beforeAll(async () => {
    await report('whole.pdf', ...signed);
  });
  const whole = () => readFileSync(path('whole.pdf'));
  const checkOf = async (bytes: Uint8Array) => {
    write('changed.pdf', bytes);
    return verify('changed.pdf', '--key', path('pub.pem'));
  };

  it('is all sound where nothing was changed, with the key of the statement, too', async () => {
    const { status, out } = await checkOf(whole());
    expect(status).toBe(0);
    for (const what of ['signature', 'html', 'csv', 'pdf', 'chain', 'contents'])
      expect(out).toMatch(new RegExp(`^${what} +sound `, 'm'));
  });

  it('is, without the store, that the bundle is what to ask for, as the third page says', async () => {
    const { status, err } = await sandgate(['verify', path('whole.pdf'), '--store', path('nosuch.db')]);
    expect([status, err]).toEqual([2, expect.stringMatching(/ask its owner for the bundle of the session/)]);
    expect(textOf(readPages(whole())[2] ?? [])).toContain('ask for its bundle (sandgate bundle)');
  });

  it.each([
    ['--recording', 'final.zip', /--recording is for a report on a file/],
    ['--signature', 'statement.jws', /--signature is for reports in JSON/],
    ['--file', 'report.html', /--file is for reports in JSON/],
  ])('is nothing with %s, which is refused', async (flag, file, said) => {
    const { status, err } = await sandgate(['verify', path('whole.pdf'), ...store, flag, path(file)]);
    expect([status, err]).toEqual([2, expect.stringMatching(said)]);
  });

  it('is one changed byte, wherever it is', async () => {
    const bytes = whole();
    const at = (text: string) => bytes.indexOf(text);
    const { seal } = read('whole.pdf');
    const behind = bytes.indexOf(seal?.signature.toString('hex') ?? '?') + 2 * (seal?.signature.length ?? 0);
    const places = [
      at('TJ') - 8,
      at('/Type /Page\n') + 30,
      at('/FontFile2') + 4,
      at('xref') + 40,
      at('/ByteRange') + 3,
      behind + 20,
      12,
    ];
    for (const place of [
      ...places,
      ...Array.from({ length: 15 }, (_, i) => Math.floor((bytes.length / 15) * i) + 3),
    ]) {
      const changed = Buffer.from(bytes);
      changed[place] = (changed[place] ?? 0) ^ 1;
      const found = await checkDossier(changed, {
        name: 'changed.pdf',
        key: null,
        anchors: [],
        now: NOW,
      }).then(
        ({ checks }) => checks.filter(({ sound }) => sound === false).map(({ text }) => text),
        (error: Error) => [error.message],
      );
      expect(found, `${place}`).not.toEqual([]);
    }
  });

  it('is the page in which a byte was changed', async () => {
    for (const [i, text] of ['2 of 3', '3 of 3'].entries()) {
      const pages = [...read('whole.pdf').objects.values()].filter(({ stream }) => stream?.includes(' TJ'));
      const stream = pages[i + 1]?.stream ?? Buffer.alloc(0);
      const bytes = whole();
      const place = bytes.indexOf(stream) + stream.indexOf(' TJ') - 6;
      bytes[place] = bytes[place] === 0x31 ? 0x32 : 0x31;
      expect((await checkOf(bytes)).out).toContain(`It differs in page ${text[0]}.`);
    }
  });

  /** As somebody makes it who has the program, and no key. */
  async function forged(change: (report: Report) => void): Promise<Buffer> {
    const made: Report = JSON.parse(`${read('whole.pdf').attachments.get('report.json')}`);
    change(made);
    return makeDossier(made, { sign: null, seal: null });
  }

  it('is an exchange or a waiver that does not follow from the store', async () => {
    const exchange = await checkOf(
      await forged(({ appendix }) => {
        const [row] = appendix.exchanges;
        if (row !== undefined) row.status = 418;
      }),
    );
    expect(exchange).toMatchObject({ status: 1, out: expect.stringContaining('status 418 in the report') });
    const waiver = await checkOf(
      await forged(({ head }) => {
        const [one] = head.waivers;
        if (one !== undefined) one.reason = 'Agreed with the authority';
      }),
    );
    expect(waiver).toMatchObject({ status: 1, out: expect.stringContaining('head.waivers[0].reason') });
  });

  it('is an attachment that is not of the report', async () => {
    const { attach, attachedFiles, renderDossier } = await import('../../src/report/dossier/index.js');
    const json = read('whole.pdf').attachments.get('report.json') ?? Buffer.alloc(0);
    const made: Report = JSON.parse(`${json}`);
    const files = await attachedFiles(made, json);
    const changed = files.map((one) =>
      one.name === 'report.html' ? attach(one, `${read('whole.pdf').attachments.get(one.name)} `) : one,
    );
    const { status, out } = await checkOf(await renderDossier(made, changed));
    expect([status, out]).toEqual([
      1,
      expect.stringMatching(/^html +FAILED .*report\.html is not this report/m),
    ]);
  });

  it('is a byte behind the end of an attachment, which no reader shows', async () => {
    const { attachedFiles, renderDossier } = await import('../../src/report/dossier/index.js');
    const json = read('whole.pdf').attachments.get('report.json') ?? Buffer.alloc(0);
    const made: Report = JSON.parse(`${json}`);
    for (const name of ['report.json', 'report.html', 'availability.csv']) {
      const files = (await attachedFiles(made, json)).map((one) =>
        one.name === name ? { ...one, packed: Buffer.concat([one.packed, Buffer.from('x')]) } : one,
      );
      const { status, err } = await checkOf(await renderDossier(made, files));
      expect([status, err]).toEqual([1, expect.stringContaining(`the attachment ${name} was changed`)]);
    }
  });

  it('is a certificate of the statement that was not valid on the day of the report, or is so no more', async () => {
    const statementOf = async (notAfter: number, now: number) => {
      const key = { name: 'signer', pem: certify('ec-p256', { notAfter }).pem };
      const { checks } = await checkDossier(readFileSync(path('dated.pdf')), {
        name: 'x',
        key,
        anchors: [],
        now,
      });
      return checks.filter(({ what }) => what === 'signature').map(({ sound, text }) => [sound, text]);
    };
    const sign = ['--sign', write('signer.pem', keyPem(keys('ec-p256', 'seal').privateKey))];
    await report('dated.pdf', ...sign, '--made-at', new Date(NOW).toISOString());
    expect(await statementOf(NOW + DAY, NOW)).toEqual([[true, expect.stringContaining('is valid to')]]);
    expect(await statementOf(NOW - 1, NOW)).toEqual([[false, expect.stringContaining('but it is dated')]]);
    expect(await statementOf(NOW + DAY, NOW + 2 * DAY)).toEqual([
      [null, expect.stringContaining('has expired')],
    ]);
  });

  it('is that it holds more attachments than a dossier, each of which unpacks to more than was read', async () => {
    const { attach, attachedFiles, renderDossier } = await import('../../src/report/dossier/index.js');
    const json = read('whole.pdf').attachments.get('report.json') ?? Buffer.alloc(0);
    const made: Report = JSON.parse(`${json}`);
    const [first, ...more] = await attachedFiles(made, json);
    if (first === undefined) throw new Error('nothing is attached');
    const bomb = attach(first, Buffer.alloc(8 * 1_048_576));
    const bombs = Array.from({ length: 100 }, (_, i) => ({ ...bomb, name: `bomb-${i}.json` }));
    const { status, err } = await checkOf(await renderDossier(made, [first, ...more, ...bombs]));
    expect([status, err]).toEqual([1, expect.stringContaining('it has more attachments than a dossier')]);
  });

  it('is that another program has saved it anew', async () => {
    const { status, err } = await checkOf(Buffer.concat([whole(), Buffer.from('\n1 0 obj\nnull\nendobj\n')]));
    expect([status, err]).toEqual([1, expect.stringContaining('is not as Sandgate writes a dossier')]);
  });
});

describe('a broken chain', () => {
  it('is said on the first page, and nothing is signed or sealed', async () => {
    const opened = createSqliteStore({ path: path('broken.db') });
    record(opened, VALID);
    opened.close();
    const database = new Sqlite(path('broken.db'));
    database.exec('DELETE FROM exchanges WHERE seq = 6');
    database.close();
    const { status, err } = await sandgate([
      ...['report', 'june', '--store', path('broken.db'), '--out', path('broken.pdf')],
      ...['--seal', path('seal.pem'), '--sign', path('key.pem')],
    ]);
    expect([status, err]).toEqual([1, expect.stringContaining('Nothing was signed.')]);
    const { seal, attachments } = read('broken.pdf');
    expect([seal, attachments.has('statement.jws')]).toEqual([null, false]);
    const [first = []] = readPages(readFileSync(path('broken.pdf')));
    expect(textOf(first)).toMatch(/BROKEN\. The chain is broken: .* This record is not sealed\./);
  });
});
