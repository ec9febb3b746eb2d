import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { createSecureContext } from 'node:tls';
import { beforeAll, describe, expect, it } from 'vitest';
import { ensureCertificates } from '../../src/app/index.js';
import { parsePemFile } from '../../src/certificate/index.js';
import { run } from '../../src/cli/run.js';
import { NOW } from '../builders.js';
import { aQwac, dealKeys, ROOT } from '../certificate/made.js';
import { folderOfFile } from '../folder.js';

const root = folderOfFile();
const dir = join(root, 'certs');
const at = (name: string) => join(dir, name);
beforeAll(() => ensureCertificates(dir, NOW, undefined, undefined, dealKeys));

interface Outcome {
  status: number;
  out: string;
  err: string;
}

/** `sandgate certs …` at a fixed time, with the folder made above; `input` is piped in. */
async function certs(args: readonly string[], input: Uint8Array | null = null): Promise<Outcome> {
  const texts = { out: '', err: '' };
  const stream = (name: 'out' | 'err') =>
    new PassThrough().on('data', (chunk) => {
      texts[name] += String(chunk);
    });
  const stdin =
    input === null ? Object.assign(new PassThrough(), { isTTY: true }) : Readable.from([Buffer.from(input)]);
  const status = await run(['certs', ...args, ...(args.includes('--certs') ? [] : ['--certs', dir])], {
    stdin,
    stdout: stream('out'),
    stderr: stream('err'),
    env: {},
    clock: () => NOW,
    signal: new AbortController().signal,
  });
  return { status, ...texts };
}

describe('certs inspect', () => {
  it('prints a card with every rule of certificate/', async () => {
    const { status, out } = await certs(['inspect', at('tpp.pem')]);
    expect(status).toBe(0);
    for (const text of [
      'CN=tpp.example, organizationIdentifier=PSDBE-NBB-0123456789, O=Test TPP, C=BE',
      '2026-06-14 to 2027-06-15, 365 days left',
      'PSP_PI, PSP_AI, PSP_IC',
      'National Bank of Belgium (BE-NBB)',
      'A chain leads to the trust anchor CN=Sandgate Test CA, O=Sandgate.',
      'not revoked',
      'RSA 2048, signed with sha256WithRSAEncryption',
      'A CA in the chain of the certificate above: not judged.',
    ])
      expect(out).toContain(text);
    expect(out).toMatch(/certificate\/within-validity +must +complied/);
    expect(out).toMatch(/certificate\/tls-version +should +not-observed/);
  });

  it('gives JSON in a fixed shape, one entry a certificate', async () => {
    const { out } = await certs(['inspect', '--json', at('tpp-ai.pem')]);
    const [leaf, ca, ...more] = JSON.parse(out);
    expect(more).toEqual([]);
    expect(Object.keys(leaf).slice(0, 15)).toEqual([
      'file',
      'subject',
      'organizationIdentifier',
      'roles',
      'ncaName',
      'ncaId',
      'qcType',
      'qcCompliance',
      'keyType',
      'keySize',
      'notBefore',
      'notAfter',
      'fingerprint256',
      'encoding',
      'findings',
    ]);
    expect(leaf).toMatchObject({
      file: at('tpp-ai.pem'),
      organizationIdentifier: 'PSDBE-NBB-0123456789',
      roles: ['PSP_AI'],
      ncaId: 'BE-NBB',
      qcType: ['web'],
      qcCompliance: true,
      keyType: 'rsa',
      keySize: 2048,
      fingerprint256: expect.stringMatching(/^[0-9a-f]{64}$/),
      encoding: 'standard',
      findings: [],
    });
    expect(ca).toMatchObject({ subject: 'CN=Sandgate Test CA, O=Sandgate', findings: [], verdicts: null });
  });

  it.each([
    ['bad-expired', 'certificate/within-validity'],
    ['bad-not-yet-valid', 'certificate/within-validity'],
    ['bad-untrusted', 'certificate/issued-by-trusted-ca'],
    ['bad-no-psd2', 'certificate/has-psd2-statement'],
    ['bad-no-role', 'certificate/role-covers-operation'],
    ['bad-eseal', 'certificate/is-qwac'],
    ['bad-revoked', 'certificate/not-revoked'],
  ])('finds what is wrong with %s, and fails', async (name, rule) => {
    const { status, out } = await certs(['inspect', '--json', at(`${name}.pem`)]);
    expect(status).toBe(1);
    expect(JSON.parse(out)[0].findings).toContain(rule);
  });

  it.each([
    ['flat-roles', 'flat-roles'],
    ['bare-statement', 'bare-statement'],
    ['no-roles-wrapper', 'no-roles-wrapper'],
  ] as const)('reads the encoding %s', async (encoding, found) => {
    const psd2 = { roles: ['PSP_AI', 'PSP_PI'] as const, ncaName: 'NBB', ncaId: 'BE-NBB', encoding };
    const { out } = await certs(['inspect', '--json'], Buffer.from(aQwac({ psd2 }).pem));
    expect(JSON.parse(out)[0]).toMatchObject({
      file: '-',
      encoding: found,
      roles: ['PSP_AI', 'PSP_PI'],
      findings: expect.arrayContaining(['certificate/psd2-statement-encoding']),
    });
  });

  it('takes DER, several files and standard input between them', async () => {
    const [der = new Uint8Array()] = parsePemFile(readFileSync(at('tpp-ec.pem')));
    writeFileSync(join(root, 'tpp.der'), der);
    const both = Buffer.concat([readFileSync(at('tpp-pi.pem')), readFileSync(at('tpp-ic.pem'))]);
    const { out } = await certs(['inspect', '--json', join(root, 'tpp.der'), '-'], both);
    const entries = JSON.parse(out) as { file: string; roles: string[]; keyType: string }[];
    expect(entries.map(({ file }) => file)).toEqual([join(root, 'tpp.der'), '-', '-', '-', '-']);
    expect(entries[0]?.keyType).toBe('ec');
    expect(entries.map(({ roles }) => roles.length)).toEqual([3, 1, 0, 1, 0]);
  });

  it('takes other trust anchors', async () => {
    writeFileSync(join(root, 'root.pem'), ROOT.pem);
    writeFileSync(join(root, 'other.pem'), aQwac().pem);
    const file = join(root, 'other.pem');
    expect((await certs(['inspect', file])).status).toBe(1);
    expect((await certs(['inspect', file, '--ca', join(root, 'root.pem')])).status).toBe(0);
  });

  it.each([
    ['a file of garbage', ['inspect', '-'], Buffer.from([0x30, 0x82, 1, 1, 0xff, 0, 7])],
    ['a file of text', ['inspect'], Buffer.from('hello')],
    [
      'a PEM block of nothing',
      ['inspect'],
      Buffer.from('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'),
    ],
    ['an empty file', ['inspect'], Buffer.alloc(0)],
    ['a very large file', ['inspect'], Buffer.alloc(1_100_000, 'x')],
    ['a file that is not there', ['inspect', '/no/such/file.pem'], null],
    ['an anchor that is not there', ['inspect', '-', '--ca', '/no/such/ca.pem'], Buffer.from(ROOT.pem)],
    ['nothing at a terminal', ['inspect'], null],
  ])('refuses %s with one sentence', async (_, args, input) => {
    const { status, out, err } = await certs(args, input);
    expect(status).toBe(2);
    expect(out).toBe('');
    expect(err.trim()).toMatch(/^[A-Z/].*\.$/);
    expect(err.trim().split('\n')).toHaveLength(1);
  });

  it('judges by the profile that is asked for', async () => {
    const pem = Buffer.from(aQwac({ subject: { commonName: 'no organisation' } }).pem);
    writeFileSync(join(root, 'root.pem'), ROOT.pem);
    const args = ['inspect', '--ca', join(root, 'root.pem')];
    expect((await certs(args, pem)).status).toBe(0);
    expect((await certs([...args, '--profile', 'production'], pem)).status).toBe(1);
  });
});

describe('certs issue', () => {
  it('makes what is ordered', async () => {
    const { status, out } = await certs([
      ...['issue', '--name', 'mine', '--roles', 'ai,PSP_PI', '--organisation', 'Mine GmbH', '--json'],
      ...['--number', '12-34', '--country', 'de', '--nca', 'bafin', '--key-type', 'ec-p384'],
      ...['--not-before', '2026-01-01', '--not-after', '2026-12-31T23:00:00Z'],
    ]);
    expect(status).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      files: [at('mine.pem'), at('mine.key')],
      subject: 'CN=mine.example, organizationIdentifier=PSDDE-BAFIN-12-34, O=Mine GmbH, C=DE',
      roles: ['PSP_AI', 'PSP_PI'],
      ncaName: 'Federal Financial Supervisory Authority',
      keyType: 'ec',
      keySize: 384,
      notBefore: '2026-01-01T00:00:00.000Z',
      notAfter: '2026-12-31T23:00:00.000Z',
      findings: [],
    });
    expect(statSync(at('mine.key')).mode & 0o777).toBe(0o600);
  });

  it.each<[string[], object]>([
    [['--qc-type', 'eseal'], { qcType: ['eseal'], findings: ['certificate/is-qwac'] }],
    [['--qc-type', 'none'], { qcType: [], qcCompliance: false, encoding: 'standard' }],
    [['--encoding', 'flat-roles'], { encoding: 'flat-roles', roles: ['PSP_PI', 'PSP_AI', 'PSP_IC'] }],
    [['--encoding', 'absent'], { encoding: 'absent', roles: [] }],
    [['--roles', ''], { encoding: 'standard', roles: [], findings: ['certificate/role-covers-operation'] }],
    [['--days', '10'], { notAfter: new Date(NOW + 10 * 86_400_000).toISOString() }],
    [
      ['--not-after', '2020-01-31'],
      { notBefore: '2019-01-31T00:00:00.000Z', notAfter: '2020-01-31T00:00:00.000Z' },
    ],
    [['--not-before', '2030-01-01', '--days', '1'], { notAfter: '2030-01-02T00:00:00.000Z' }],
  ])('takes %j', async (args, expected) => {
    const { out } = await certs([
      'issue',
      '--name',
      'some',
      '--key-type',
      'ec-p256',
      '--force',
      '--json',
      ...args,
    ]);
    expect(JSON.parse(out)).toMatchObject(expected);
  });

  it('writes PKCS#12 with a passphrase of a file, or none', async () => {
    writeFileSync(join(root, 'passphrase'), 'very secret\n');
    const file = join(root, 'out.p12');
    const issue = ['issue', '--name', 'packed', '--key-type', 'ec-p256', '--force', '--p12'];
    const { out } = await certs([...issue, file, '--passphrase-file', join(root, 'passphrase')]);
    expect(out).toContain(file);
    expect(out).not.toContain('very secret');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(() => createSecureContext({ pfx: readFileSync(file), passphrase: 'very secret' })).not.toThrow();
    await certs(issue);
    expect(() => createSecureContext({ pfx: readFileSync(at('packed.p12')), passphrase: '' })).not.toThrow();
  });

  it.each([
    ['without a name', ['issue']],
    ['under a name that leaves the folder', ['issue', '--name', '../evil']],
    ['under the name of the CA', ['issue', '--name', 'ca']],
    ['under a name that is taken', ['issue', '--name', 'tpp']],
    ['with an unknown role', ['issue', '--name', 'x', '--roles', 'XX']],
    ['with an unknown key type', ['issue', '--name', 'x', '--key-type', 'rsa-512']],
    ['with a date that is none', ['issue', '--name', 'x', '--not-after', '2026-02-31']],
    [
      'with dates the wrong way round',
      ['issue', '--name', 'x', '--not-before', '2027-01-01', '--not-after', '2026-01-01'],
    ],
    ['with two ends', ['issue', '--name', 'x', '--days', '3', '--not-after', '2027-01-01']],
    ['with no number of days', ['issue', '--name', 'x', '--days', '0']],
    ['with a country that is none', ['issue', '--name', 'x', '--country', 'Belgium']],
    ['with a passphrase for nothing', ['issue', '--name', 'x', '--passphrase-file', '/dev/null']],
  ])('is refused %s', async (_, args) => {
    const { status, err } = await certs(args);
    expect(status).toBe(2);
    expect(err).not.toBe('');
  });
});

describe('certs init and ls', () => {
  it('make the set once, and list it', async () => {
    const other = join(root, 'other');
    const first = JSON.parse((await certs(['init', '--json', '--certs', other])).out);
    expect(first.made).toContain('bad-revoked');
    expect((await certs(['init', '--certs', other])).out).toBe(`All certificates are already in ${other}.\n`);
    const { out, status } = await certs(['ls', '--certs', other]);
    expect((await certs(['list', '--certs', other])).out).toBe(out);
    expect(status).toBe(0);
    expect(out).toMatch(/^NAME +ORGANISATION +ROLES +DAYS LEFT +WRONG ON PURPOSE\n/);
    expect(out).toMatch(/\ntpp-ai +PSDBE-NBB-0123456789 +PSP_AI +365\n/);
    expect(out).toMatch(/\nbad-expired .* -35 +It has expired\.\n/);
  });

  it('give JSON too', async () => {
    const listed = JSON.parse((await certs(['ls', '--json'])).out) as { name: string }[];
    expect(listed.map(({ name }) => name).slice(0, 3)).toEqual(['ca', 'server', 'tpp']);
    expect(listed.find(({ name }) => name === 'bad-eseal')).toMatchObject({
      organizationIdentifier: 'PSDBE-NBB-0123456789',
      daysLeft: 365,
      hasKey: true,
      flaw: 'It is a certificate for seals (QSealC), not for websites (QWAC).',
    });
  });

  it('say what to do where there is no folder', async () => {
    const { status, err } = await certs(['ls', '--certs', join(root, 'nowhere')]);
    expect(status).toBe(2);
    expect(err).toContain('sandgate certs init');
  });
});
