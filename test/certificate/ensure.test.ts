import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { ensureCertificates } from '../../src/app/certificates/ensure.js';
import {
  createTrust,
  inspectCertificate,
  openIssuingAuthority,
  parsePemFile,
} from '../../src/certificate/index.js';
import { NOW } from '../builders.js';
import { startProgram } from '../e2e/child.js';
import { folderOfFile } from '../folder.js';
import { anAuthority, aQwac, DAY, dealKeys, keys } from './made.js';

const GOOD = ['tpp', 'tpp-ai', 'tpp-pi', 'tpp-ic', 'tpp-other', 'tpp-ec'];
const BAD = [
  'bad-expired',
  'bad-not-yet-valid',
  'bad-untrusted',
  'bad-no-psd2',
  'bad-no-role',
  'bad-eseal',
  'bad-revoked',
];
const ALL = ['server', ...GOOD, ...BAD];

const root = folderOfFile();
let folders = 0;
const aFolder = () => join(root, String(folders++));

const asMade = aFolder();
beforeAll(() => ensured(asMade));
function aSet(): string {
  const dir = aFolder();
  cpSync(asMade, dir, { recursive: true });
  return dir;
}

/** As the gateway does it, with keys made before. */
const ensured = (dir: string, now = NOW, tell?: (text: string) => void, judgedAt?: number) =>
  ensureCertificates(dir, now, tell, judgedAt, dealKeys);

const read = (dir: string, file: string) => readFileSync(join(dir, file), 'utf8');
function facts(dir: string, name: string, now = NOW) {
  const trust = createTrust({ anchors: [read(dir, 'ca.pem')], crls: [read(dir, 'ca.crl')] });
  const [der = new Uint8Array(), ...sent] = parsePemFile(readFileSync(join(dir, `${name}.pem`)));
  return inspectCertificate(der, sent, trust, now);
}

describe('the set of test certificates', () => {
  const dir = aFolder();
  const told: string[] = [];
  let made: readonly string[] = [];
  beforeAll(async () => {
    made = (await ensured(dir, NOW, (text) => told.push(text))).made;
  });

  it('is made whole at first start, and told of', () => {
    expect([...made].sort()).toEqual(['ca', 'crl', ...ALL].sort());
    expect(readdirSync(dir).sort()).toEqual(
      ['ca.crl', ...['ca', ...ALL].flatMap((name) => [`${name}.pem`, `${name}.key`])].sort(),
    );
    expect(told).toEqual([`Creating test certificates in ${dir}.`]);
  });

  it('has keys that only their owner can read', () => {
    expect(statSync(dir).mode & 0o777).toBe(0o700);
    for (const file of readdirSync(dir).filter((name) => name.endsWith('.key')))
      expect(statSync(join(dir, file)).mode & 0o777, file).toBe(0o600);
  });

  it('has one of the gateway that a client takes whose clock is up to a day behind', () => {
    const { validFrom } = new X509Certificate(read(dir, 'server.pem'));
    expect(Date.parse(validFrom)).toBe(NOW - DAY);
  });

  it('is left as it is at the next start', async () => {
    const before = read(dir, 'tpp.pem');
    expect(await ensured(dir, NOW + DAY)).toMatchObject({
      dir,
      made: [],
      caPem: read(dir, 'ca.pem'),
      serverPem: read(dir, 'server.pem'),
      serverKeyPem: read(dir, 'server.key'),
      crl: read(dir, 'ca.crl'),
    });
    expect(read(dir, 'tpp.pem')).toBe(before);
  });

  it.each(GOOD)('%s has nothing wrong', (name) => {
    expect(facts(dir, name)).toMatchObject({
      chain: { trusted: true },
      revocation: { status: 'good' },
      encoding: 'standard',
      qcCompliance: true,
      qcType: ['web'],
      policies: ['0.4.0.19495.3.1'],
      problems: [],
      keyType: name === 'tpp-ec' ? 'ec' : 'rsa',
      notBefore: new Date(NOW - DAY).toISOString(),
      notAfter: new Date(NOW + 365 * DAY).toISOString(),
    });
  });

  it.each([
    ['tpp', 'PSDBE-NBB-0123456789', ['PSP_PI', 'PSP_AI', 'PSP_IC']],
    ['tpp-ai', 'PSDBE-NBB-0123456789', ['PSP_AI']],
    ['tpp-pi', 'PSDBE-NBB-0123456789', ['PSP_PI']],
    ['tpp-ic', 'PSDBE-NBB-0123456789', ['PSP_IC']],
    ['tpp-other', 'PSDDE-BAFIN-987654', ['PSP_PI', 'PSP_AI', 'PSP_IC']],
  ])('%s is of %s with %j', (name, organisation, roles) => {
    const { organizationIdentifier, roles: found } = facts(dir, name);
    expect(organizationIdentifier?.text).toBe(organisation);
    expect(found.map(({ role }) => role)).toEqual(roles);
  });

  it.each([
    ['bad-expired', { notAfter: new Date(NOW - 35 * DAY).toISOString(), chain: { trusted: true } }],
    ['bad-not-yet-valid', { notBefore: new Date(NOW + 365 * DAY).toISOString(), chain: { trusted: true } }],
    ['bad-untrusted', { chain: { trusted: false }, qcType: ['web'] }],
    ['bad-no-psd2', { encoding: 'absent', qcCompliance: false, organizationIdentifier: null }],
    ['bad-no-role', { roles: [{ role: 'PSP_AS' }], encoding: 'standard' }],
    ['bad-eseal', { qcType: ['eseal'], chain: { trusted: true } }],
    ['bad-revoked', { revocation: { status: 'revoked' }, chain: { trusted: true } }],
  ])('%s is wrong as it should be', (name, expected) => {
    expect(facts(dir, name)).toMatchObject(expected);
  });

  it('lets the gateway serve localhost', () => {
    expect(facts(dir, 'server')).toMatchObject({
      dnsNames: ['localhost'],
      extendedKeyUsage: ['serverAuth'],
      chain: { trusted: true },
    });
  });
});

describe('certificates are made again', () => {
  let dir: string;
  const remade = async (now: number) => (await ensured(dir, now)).made;
  beforeAll(() => {
    dir = aSet();
  });

  it('within seven days of the end, those that should be good', async () => {
    expect(await remade(NOW + 357 * DAY)).toEqual([]);
    const later = NOW + 358 * DAY;
    const made = await remade(later);
    expect([...made].sort()).toEqual(['crl', ...ALL.filter((name) => name !== 'bad-expired')].sort());
    for (const name of GOOD)
      expect(facts(dir, name, later)).toMatchObject({
        chain: { trusted: true },
        revocation: { status: 'good' },
      });
    expect(facts(dir, 'bad-revoked', later).revocation.status).toBe('revoked');
    expect(await remade(later)).toEqual([]);
  });

  it('with the CA, when that ends', async () => {
    const ca = read(dir, 'ca.pem');
    const late = NOW + (3_650 - 3) * DAY;
    expect(await remade(late)).toContain('ca');
    expect(read(dir, 'ca.pem')).not.toBe(ca);
    expect(facts(dir, 'tpp', late).chain.trusted).toBe(true);
  });

  it.each([-300, 1_000])(
    'where the clock of the gateway is %d days off, good at both times',
    async (days) => {
      const own = aFolder();
      const judgedAt = NOW + days * DAY;
      await ensured(own, NOW, undefined, judgedAt);
      for (const now of [NOW, judgedAt]) {
        const ends = (name: string) => {
          const { notBefore, notAfter } = facts(own, name, now);
          return [Date.parse(notBefore) <= now, now < Date.parse(notAfter)];
        };
        for (const name of GOOD) {
          expect([name, ...ends(name)]).toEqual([name, true, true]);
          expect(facts(own, name, now)).toMatchObject({
            chain: { trusted: true },
            revocation: { status: 'good' },
          });
        }
        expect(ends('bad-expired')).toEqual([true, false]);
        expect(ends('bad-not-yet-valid')).toEqual([false, true]);
        expect(facts(own, 'bad-revoked', now).revocation.status).toBe('revoked');
      }
      expect((await ensured(own)).made).toEqual([]);
    },
  );

  it('where one is missing, cut short, or has another’s key', async () => {
    const now = NOW + 3_650 * DAY;
    await remade(now);
    rmSync(join(dir, 'tpp-ai.key'));
    writeFileSync(join(dir, 'tpp-pi.pem'), read(dir, 'tpp-pi.pem').slice(0, 500));
    writeFileSync(join(dir, 'tpp-ic.key'), read(dir, 'tpp.key'));
    rmSync(join(dir, 'ca.crl'));
    expect([...(await remade(now))].sort()).toEqual(['crl', 'tpp-ai', 'tpp-ic', 'tpp-pi']);
    expect(await remade(now)).toEqual([]);
  });
});

describe('what the user put there', () => {
  const own = anAuthority('Bank Test CA', { keys: keys('ec-p384') });
  const ownKey = keys('ec-p384').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

  it('stays where it is a CA, and signs the rest', async () => {
    const dir = aSet();
    writeFileSync(join(dir, 'ca.pem'), own.pem);
    writeFileSync(join(dir, 'ca.key'), ownKey);
    const { made } = await ensured(dir);
    expect(made).not.toContain('ca');
    expect(read(dir, 'ca.pem')).toBe(own.pem);
    expect(facts(dir, 'tpp')).toMatchObject({
      issuer: expect.stringContaining('Bank Test CA'),
      chain: { trusted: true },
      revocation: { status: 'good' },
    });
    expect((await ensured(dir)).made).toEqual([]);
  });

  it('stays where it is a certificate of another CA', async () => {
    const dir = aSet();
    const mine = aQwac({ authority: own });
    writeFileSync(join(dir, 'tpp.pem'), mine.chainPem);
    rmSync(join(dir, 'tpp.key'));
    expect((await ensured(dir)).made).toEqual([]);
    expect(read(dir, 'tpp.pem')).toBe(mine.chainPem);
  });

  it.each([
    ['a CA without its key', own.pem, /ca\.pem has no ca\.key beside it/],
    ['a CA that cannot be read', 'nothing', /ca\.pem is not a readable certificate/],
  ])('is never replaced, but told of, where it is %s', async (_, pem, sentence) => {
    const dir = aSet();
    writeFileSync(join(dir, 'ca.pem'), pem);
    rmSync(join(dir, 'ca.key'));
    await expect(ensured(dir)).rejects.toThrow(sentence);
    expect(read(dir, 'ca.pem')).toBe(pem);
  });

  it('keeps its place on the revocation list', async () => {
    const dir = aSet();
    const before = facts(dir, 'bad-revoked').serialNumber;
    rmSync(join(dir, 'bad-revoked.pem'));
    expect([...(await ensured(dir)).made].sort()).toEqual(['bad-revoked', 'crl']);
    const trust = createTrust({ anchors: [read(dir, 'ca.pem')], crls: [read(dir, 'ca.crl')] });
    expect([...(trust.crls[0]?.revoked.keys() ?? [])]).toContain(before);
  });
});

describe('several processes at once', () => {
  it('make one set, whose keys and certificates fit', async () => {
    const dir = aFolder();
    const makers = Array.from({ length: 4 }, () => startProgram(['certs', 'init', '--certs', dir]));
    const ends = await Promise.all(makers.map(({ ended }) => ended));
    expect(ends.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(
      ends
        .map(({ stdout }) => stdout)
        .sort()
        .slice(0, 3),
    ).toEqual(Array(3).fill(`All certificates are already in ${dir}.\n`));
    expect((await ensured(dir, Date.now())).made).toEqual([]);
    expect(() => openIssuingAuthority(read(dir, 'ca.pem'), read(dir, 'ca.key'))).not.toThrow();
    expect(readdirSync(dir).filter((file) => file.startsWith('.') || file.endsWith('.tmp'))).toEqual([]);
  });

  it('pass over the lock of one that died', async () => {
    const dir = aSet();
    rmSync(join(dir, 'tpp.pem'));
    const gone = spawnSync(process.execPath, ['-e', '']);
    writeFileSync(join(dir, '.making'), JSON.stringify({ pid: gone.pid, host: hostname(), since: '' }));
    expect((await ensured(dir)).made).toEqual(['tpp']);
    expect(existsSync(join(dir, '.making'))).toBe(false);
  });
});
