import { sign } from 'node:crypto';
import forge from 'node-forge';
import { describe, expect, it } from 'vitest';
import {
  createTrust,
  type IssuingAuthority,
  inspectCertificate,
  issueCrl,
  type Trust,
} from '../../src/certificate/index.js';
import { SandgateError } from '../../src/spec/index.js';
import { NOW } from '../builders.js';
import { processorTime } from '../processor-time.js';
import { anAuthority, aQwac, DAY, factsOf, keys, NO_TRUST, ROOT, serial, TRUST } from './made.js';

const ISSUING = anAuthority('Test Issuing CA', { issuer: ROOT });

/** Chain of a leaf of this authority, with these CAs sent. */
function chainOf(authority: IssuingAuthority, sent: readonly Uint8Array[], trust: Trust = TRUST) {
  const { der } = aQwac({ authority });
  return inspectCertificate(der, sent, trust, NOW).chain;
}

/** The issuing CA with an extension 1.2.3.4, signed again by the root. */
function withExtension(critical: boolean): Uint8Array {
  const { asn1 } = forge;
  const { Class, Type } = asn1;
  const node = (type: forge.asn1.Type, value: string) => asn1.create(Class.UNIVERSAL, type, false, value);
  const parts = [
    node(Type.OID, asn1.oidToDer('1.2.3.4').getBytes()),
    ...(critical ? [node(Type.BOOLEAN, '\xff')] : []),
    node(Type.OCTETSTRING, '\x05\x00'),
  ];
  const der = forge.util.createBuffer(Buffer.from(ISSUING.der).toString('binary'));
  const found = asn1.fromDer(der, { strict: true, decodeBitStrings: false } as never);
  const inside = ({ value }: forge.asn1.Asn1) => value as [forge.asn1.Asn1, ...forge.asn1.Asn1[]];
  const [tbs, , signature] = inside(found);
  const extensions = inside(inside(tbs).at(-1) ?? tbs)[0];
  inside(extensions).push(asn1.create(Class.UNIVERSAL, Type.SEQUENCE, true, parts));
  const signed = Buffer.from(asn1.toDer(tbs).getBytes(), 'binary');
  const bytes = sign('sha256', signed, keys('ec-p256', 'Test Root').privateKey);
  if (signature !== undefined) signature.value = `\0${bytes.toString('binary')}`;
  return Buffer.from(asn1.toDer(found).getBytes(), 'binary');
}

describe('a chain with a CA that has an unknown extension', () => {
  it('is trusted where the extension is not critical', () => {
    expect(chainOf(ISSUING, [withExtension(false)])).toMatchObject({ trusted: true });
  });

  it('is not where it is critical, and names the extension', () => {
    expect(chainOf(ISSUING, [withExtension(true)])).toMatchObject({
      trusted: false,
      reason: expect.stringContaining('has a critical extension 1.2.3.4 that is not known.'),
    });
  });
});

describe('a chain is trusted', () => {
  it('where an anchor signed the leaf', () => {
    expect(chainOf(ROOT, [])).toEqual({
      trusted: true,
      reason: 'A chain leads to the trust anchor CN=Test Root, O=Test Trust Services, C=BE.',
      path: ['CN=Test Root, O=Test Trust Services, C=BE'],
    });
  });

  it('where the client sent the CA in between, in any order and with others', () => {
    const other = anAuthority('Unrelated');
    const chain = chainOf(ISSUING, [other.der, Buffer.from('no certificate'), ROOT.der, ISSUING.der]);
    expect(chain.path).toEqual([
      'CN=Test Issuing CA, O=Test Trust Services, C=BE',
      'CN=Test Root, O=Test Trust Services, C=BE',
    ]);
  });

  it('where the CA in between is configured, and where it is the anchor itself', () => {
    expect(
      chainOf(ISSUING, [], createTrust({ anchors: [ROOT.pem], intermediates: [ISSUING.pem] })).trusted,
    ).toBe(true);
    expect(chainOf(ISSUING, [], createTrust({ anchors: [ISSUING.pem] })).path).toHaveLength(1);
  });

  it('where another CA of the same name and a cross-signed one stand in the way', () => {
    const twin = anAuthority('Test Root', { keys: keys('ec-p256', 'twin'), serialNumber: serial('twin') });
    const crossed = anAuthority('Test Issuing CA', {
      issuer: anAuthority('Unknown'),
      serialNumber: serial('crossed'),
    });
    const trust = createTrust({ anchors: [twin.pem, ROOT.pem] });
    expect(chainOf(ISSUING, [crossed.der, ISSUING.der], trust).trusted).toBe(true);
  });

  it('where the leaf itself is an anchor', () => {
    const leaf = aQwac({ authority: anAuthority('Unknown') });
    expect(factsOf(leaf, createTrust({ anchors: [leaf.pem] })).chain).toEqual({
      trusted: true,
      reason: 'It is itself a trust anchor.',
      path: [],
    });
  });

  it.each(['rsa-2048', 'rsa-3072', 'ec-p384', 'ed25519'] as const)('by a CA with a key of %s', (type) => {
    const authority = anAuthority(`CA ${type}`, { keys: keys(type) });
    expect(chainOf(authority, [], createTrust({ anchors: [authority.pem] })).trusted).toBe(true);
  });
});

describe('a chain is not trusted', () => {
  const twin = anAuthority('Test Root', { keys: keys('ec-p256', 'twin'), serialNumber: serial('twin') });
  const expired = anAuthority('Old CA', { issuer: ROOT, notAfter: NOW - DAY });
  const early = anAuthority('Early CA', { issuer: ROOT, notBefore: NOW + DAY });
  const narrow = anAuthority('Narrow CA', { issuer: ROOT, pathLength: 0 });
  const below = anAuthority('Below', { issuer: narrow });
  const leaf = aQwac({ subject: { commonName: 'no CA' } });
  const leafAsCa: IssuingAuthority = {
    ...anAuthority('no CA', { subject: { commonName: 'no CA' }, keys: keys('ec-p256', 'leaf') }),
    der: leaf.der,
    pem: leaf.pem,
  };
  const unsigned: IssuingAuthority = { ...ROOT, privateKey: keys('ec-p256', 'somebody').privateKey };
  let deep = ROOT;
  const levels: Uint8Array[] = [];
  for (let level = 0; level < 7; level++) {
    deep = anAuthority(`Level ${level}`, { issuer: deep });
    levels.push(deep.der);
  }

  it.each<[string, IssuingAuthority, Uint8Array[], RegExp]>([
    ['no CA of that name is known', anAuthority('Unknown'), [], /^Its issuer CN=Unknown, .* is not among/],
    ['the chain ends at a root that is no anchor', twin, [twin.der], /not that of|not a trust anchor/],
    ['an intermediate is missing', ISSUING, [], /^Its issuer CN=Test Issuing CA.* is not among/],
    ['the signature is somebody else’s', unsigned, [], /^The signature is not that of the CA CN=Test Root/],
    ['a CA has expired', expired, [expired.der], /^The CA CN=Old CA.* expired on 2026-06-14/],
    ['a CA is not valid yet', early, [early.der], /^The CA CN=Early CA.* is not valid before 2026-06-16/],
    ['a CA allows none below it', below, [below.der, narrow.der], /^The CA CN=Narrow CA.* allows only 0 CAs/],
    ['a leaf plays the CA', leafAsCa, [leaf.der], /^CN=no CA is not the certificate of a CA|is not among/],
    ['it is too long', deep, levels, /^The chain is longer than 6 CAs/],
  ])('where %s', (_, authority, sent, reason) => {
    expect(chainOf(authority, sent)).toMatchObject({
      trusted: false,
      reason: expect.stringMatching(reason),
      path: [],
    });
  });

  it('where no anchor is configured', () => {
    expect(chainOf(ROOT, [ROOT.der], NO_TRUST).reason).toBe('No trust anchor is configured.');
  });

  it('where a client sends very many CAs of one name, and the answer is soon there', () => {
    const many = Array.from({ length: 200 }, (_, i) =>
      anAuthority('Test Root', { keys: keys('ec-p256', 'twin'), serialNumber: serial(`many ${i}`) }),
    );
    const before = processorTime();
    expect(
      chainOf(
        { ...many[0], ...unsigned },
        many.map(({ der }) => der),
      ).trusted,
    ).toBe(false);
    expect(processorTime() - before).toBeLessThan(500);
  });
});

describe('revocation', () => {
  const list = (parts: Partial<Parameters<typeof issueCrl>[0]> = {}) =>
    issueCrl({
      authority: ROOT,
      revoked: [],
      number: 1,
      thisUpdate: NOW - DAY,
      nextUpdate: NOW + DAY,
      ...parts,
    });
  const statusBy = (...crls: (string | Uint8Array)[]) =>
    factsOf(aQwac(), createTrust({ anchors: [ROOT.pem], crls })).revocation;
  const revoked = [{ serialNumber: serial('leaf'), at: NOW - DAY }];

  it('is not checked without a list of the issuer', () => {
    expect(statusBy()).toEqual({ status: 'not-checked' });
    expect(statusBy(list({ authority: ISSUING }).pem)).toEqual({ status: 'not-checked' });
  });

  it('is read from PEM and DER', () => {
    const since = new Date(NOW - DAY).toISOString();
    expect(statusBy(list({ revoked }).pem)).toEqual({ status: 'revoked', since });
    expect(statusBy(list({ revoked }).der)).toEqual({ status: 'revoked', since });
    expect(statusBy(list().der)).toEqual({ status: 'good' });
    expect(statusBy(list({ revoked: [{ serialNumber: serial('other'), at: NOW }] }).pem)).toEqual({
      status: 'good',
    });
  });

  it('counts any of several lists', () => {
    expect(statusBy(list().pem, list({ revoked, number: 2 }).pem).status).toBe('revoked');
    expect(statusBy(list().pem + list({ revoked, number: 2 }).pem).status).toBe('revoked');
  });

  it('counts no list that the issuer did not sign', () => {
    const forged = list({
      authority: { ...ROOT, privateKey: keys('ec-p256', 'forger').privateKey },
      revoked,
    });
    expect(statusBy(forged.pem)).toEqual({ status: 'not-checked' });
  });

  it('is not proven good by an outdated list, but is proven', () => {
    const nextUpdate = NOW - 1_000;
    expect(statusBy(list({ nextUpdate }).pem)).toEqual({ status: 'not-checked' });
    expect(statusBy(list({ nextUpdate, revoked }).pem).status).toBe('revoked');
  });

  it('is taken back by the reason removeFromCRL', () => {
    expect(
      statusBy(list({ revoked: [{ ...revoked[0], serialNumber: serial('leaf'), at: NOW, reason: 8 }] }).pem),
    ).toEqual({
      status: 'good',
    });
  });

  it('of a CA breaks the chain', () => {
    const crl = list({ revoked: [{ serialNumber: serial('Test Issuing CA'), at: NOW - DAY }] });
    const trust = createTrust({ anchors: [ROOT.pem], crls: [crl.pem] });
    expect(chainOf(ISSUING, [ISSUING.der], trust).reason).toMatch(
      /^The CA certificate with number 42.* was revoked/,
    );
  });

  it.each(['rsa-2048', 'ec-p384', 'ed25519'] as const)('is verified with a key of %s', (type) => {
    const authority = anAuthority(`CA ${type}`, { keys: keys(type) });
    const trust = createTrust({ anchors: [authority.pem], crls: [list({ authority, revoked }).der] });
    expect(factsOf(aQwac({ authority }), trust).revocation.status).toBe('revoked');
  });
});

describe('trust', () => {
  it.each([
    ['an anchor without a certificate', { anchors: ['nothing'] }],
    ['an anchor with garbage', { anchors: ['-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'] }],
    ['a list that is none', { anchors: [], crls: ['nothing'] }],
    ['a list that is a certificate', { anchors: [], crls: [ROOT.der] }],
  ])('is refused with a sentence: %s', (_, parts) => {
    expect(() => createTrust(parts)).toThrow(SandgateError);
  });

  it('takes several anchors from one text', () => {
    const trust = createTrust({ anchors: [`some words\n${ROOT.pem}more\n${ISSUING.pem}`] });
    expect(trust.anchors.map(({ subject }) => subject.split(',')[0])).toEqual([
      'CN=Test Root',
      'CN=Test Issuing CA',
    ]);
  });
});
