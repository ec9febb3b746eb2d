import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type CertificateFacts,
  inspectCertificate,
  parsePemFile,
  type StatementEncoding,
} from '../../src/certificate/index.js';
import { NOW } from '../builders.js';
import { anAuthority, aQwac, factsOf, keys, type MadeKeyType, NO_TRUST } from './made.js';

const ENCODINGS = ['standard', 'flat-roles', 'bare-statement', 'no-roles-wrapper', 'other-strings'] as const;
const AUTHORITY = { ncaName: 'Bank of Greece', ncaId: 'GR-BOG' } as const;
const rolesOf = (facts: CertificateFacts) => facts.roles.map(({ role }) => role);

describe('the PSD2 statement', () => {
  for (const encoding of ENCODINGS)
    for (const roles of [['PSP_AI'], ['PSP_AS', 'PSP_PI', 'PSP_AI', 'PSP_IC']] as const)
      it(`is read with ${roles.length} roles in the encoding ${encoding}`, () => {
        // One role flat in its SEQUENCE is what the standard says.
        const found = encoding === 'flat-roles' && roles.length === 1 ? 'standard' : encoding;
        const facts = factsOf(aQwac({ psd2: { roles, ...AUTHORITY, encoding } }));
        expect(facts).toMatchObject({ encoding: found, ...AUTHORITY, problems: [] });
        expect(rolesOf(facts)).toEqual(roles);
        expect(facts.qcType).toEqual(encoding.startsWith('bare') || encoding.startsWith('no') ? [] : ['web']);
      });

  it('may have no roles at all', () => {
    const facts = factsOf(aQwac({ psd2: { roles: [], ...AUTHORITY } }));
    expect(facts).toMatchObject({ encoding: 'standard', roles: [], ...AUTHORITY, problems: [] });
  });

  it('is absent where there is none', () => {
    const facts = factsOf(aQwac({ psd2: null }));
    expect(facts).toMatchObject({
      encoding: 'absent',
      roles: [],
      ncaId: null,
      qcType: ['web'],
      problems: [],
    });
    expect(factsOf(aQwac({ psd2: null, qualified: null }))).toMatchObject({
      encoding: 'absent',
      qcCompliance: false,
      qcType: [],
    });
  });

  it('is unreadable where it has no known layout, and says so', () => {
    const facts = factsOf(aQwac({ psd2: { roles: [], ...AUTHORITY, encoding: 'unreadable' } }));
    expect(facts).toMatchObject({ encoding: 'unreadable', roles: [], qcCompliance: true });
    expect(facts.problems).toEqual([
      'The PSD2 statement is not laid out as roles, name and id of the authority.',
    ]);
  });

  it('keeps names as written beside the role that the OID means, and unknown OIDs', () => {
    const roles = [
      { oid: '0.4.0.19495.1.1', name: 'PSP_PI' },
      { oid: '0.4.0.19495.1.51', name: 'VOP_RS' },
      { oid: '1.2.3.4', name: 'Account Information' },
    ];
    expect(factsOf(aQwac({ psd2: { roles, ...AUTHORITY } })).roles).toEqual([
      { ...roles[0], role: 'PSP_AS' },
      { ...roles[1], role: 'VOP_RS' },
      { ...roles[2], role: null },
    ]);
  });
});

describe('the subject', () => {
  const subjectOf = (organizationIdentifier: string) =>
    factsOf(aQwac({ subject: { organizationIdentifier, commonName: 'x' } })).organizationIdentifier;

  it.each([
    ['PSDBE-NBB-0123456789', 'PSD', 'BE', 'NBB', '0123456789'],
    ['PSDFI-FINFSA-2858394-9', 'PSD', 'FI', 'FINFSA', '2858394-9'],
    ['VATDE-123456789', 'VAT', 'DE', null, '123456789'],
    ['NTRCZ-26439395', 'NTR', 'CZ', null, '26439395'],
    ['GR-BOG-800000005', null, null, null, null],
    ['PSDbe-NBB-1', null, null, null, null],
    ['PSDBE-N-1', null, null, null, null],
  ])('%s is taken apart', (text, scheme, country, authority, number) => {
    expect(subjectOf(text)).toEqual({ text, scheme, country, authority, number });
  });

  it('alone has an organizationIdentifier: that of the issuer does not count', () => {
    const authority = anAuthority('QTSP', {
      subject: { commonName: 'QTSP', organizationIdentifier: 'PSDDE-BAFIN-1' },
    });
    const facts = factsOf(aQwac({ authority, subject: { commonName: 'tpp.example' } }));
    expect(facts.organizationIdentifier).toBeNull();
    expect(facts.issuer).toContain('PSDDE-BAFIN-1');
  });

  it('is one line in which no value passes for another, and no character plays tricks', () => {
    const commonName = 'a, O=Other\u001b[2J\u202e';
    const issued = aQwac({ subject: { country: 'BE', organization: 'Tést', commonName } });
    expect(factsOf(issued)).toMatchObject({
      subject: 'CN=a\\, O\\=Other\ufffd[2J\ufffd, O=Tést, C=BE',
      organization: 'Tést',
    });
  });
});

describe('other facts', () => {
  it.each<[MadeKeyType, object]>([
    ['rsa-2048', { keyType: 'rsa', keySize: 2048, curve: null }],
    ['rsa-3072', { keyType: 'rsa', keySize: 3072, curve: null }],
    ['ec-p256', { keyType: 'ec', keySize: 256, curve: 'P-256' }],
    ['ec-p384', { keyType: 'ec', keySize: 384, curve: 'P-384' }],
    ['ed25519', { keyType: 'ed25519', keySize: 256, curve: null }],
  ])('say what key it is: %s', (type, facts) => {
    expect(factsOf(aQwac({ publicKey: keys(type).publicKey }))).toMatchObject({ ...facts, problems: [] });
  });

  it('hold what the certificate was made with', () => {
    const pds = [
      { url: 'https://tsp.example/pds', language: 'en' },
      { url: 'https://tsp.example/pds-fr', language: 'fr' },
    ];
    const facts = factsOf(
      aQwac({
        dnsNames: ['TPP.example', 'www.tpp.example'],
        ipAddresses: ['127.0.0.1', '::1'],
        qualified: { compliance: true, types: ['web', 'eseal'], pds },
        policies: ['0.4.0.19495.3.1', '0.4.0.194112.1.4'],
        keyUsage: ['digitalSignature', 'keyEncipherment', 'decipherOnly'],
        extendedKeyUsage: ['clientAuth'],
      }),
    );
    expect(facts).toMatchObject({
      serialNumber: expect.stringMatching(/^42[0-9A-F]{30}$/),
      commonName: 'tpp.example',
      dnsNames: ['tpp.example', 'www.tpp.example'],
      qcCompliance: true,
      qcType: ['web', 'eseal'],
      qcSscd: false,
      qcPds: pds,
      qcStatements: ['0.4.0.1862.1.1', '0.4.0.1862.1.6', '0.4.0.1862.1.5', '0.4.0.19495.2'],
      policies: ['0.4.0.19495.3.1', '0.4.0.194112.1.4'],
      keyUsage: ['digitalSignature', 'keyEncipherment', 'decipherOnly'],
      extendedKeyUsage: ['clientAuth'],
      signatureAlgorithm: 'ecdsa-with-SHA256',
      notBefore: '2026-05-16T10:00:00.000Z',
      notAfter: '2027-05-16T10:00:00.000Z',
    });
  });

  it('know dates on both sides of 2050', () => {
    const notAfter = Date.UTC(2061, 1, 28, 23, 59, 59);
    expect(factsOf(aQwac({ notBefore: Date.UTC(1999, 11, 31), notAfter }))).toMatchObject({
      notBefore: '1999-12-31T00:00:00.000Z',
      notAfter: '2061-02-28T23:59:59.000Z',
    });
  });
});

const SAMPLES = '/work/shared/samples/certificates';
const ROLES = ['PSP_AS', 'PSP_PI', 'PSP_AI', 'PSP_IC'];

/** Public certificates as they are found in the world; read where the folder of samples is, which is no part of the project. */
describe.runIf(existsSync(SAMPLES))('a public certificate', () => {
  it.each<[string, StatementEncoding, string | null, string[], string | null]>([
    ['standard-cz', 'standard', 'PSDCZ-CNB-63492555', ROLES, 'CZ-CNB'],
    ['standard-ec-p256', 'standard', 'PSDDE-BAFIN-EC0001', ['PSP_AI', 'PSP_PI'], 'DE-BAFIN'],
    ['flat-roles-gb', 'flat-roles', 'PSDGB-FCA-503963', ROLES.slice(1), 'GB-FCA'],
    ['bare-statement-gr', 'bare-statement', 'GR-BOG-800000005', ROLES, 'GR-BOG-800000005'],
    ['no-roles-wrapper-es', 'no-roles-wrapper', 'PSDES-RDS-8000', ROLES, 'ES-BDE'],
    ['empty-roles-de', 'standard', 'PSDDE-BAFIN-106653', [], 'DE-BAFIN'],
    ['absent', 'absent', null, [], null],
  ])('is read: %s', (name, encoding, organisation, roles, ncaId) => {
    const [der = new Uint8Array()] = parsePemFile(readFileSync(join(SAMPLES, `${name}.pem`)));
    const facts = inspectCertificate(der, [], NO_TRUST, NOW);
    expect(facts).toMatchObject({ encoding, ncaId, problems: [] });
    expect(facts.organizationIdentifier?.text ?? null).toBe(organisation);
    expect(rolesOf(facts)).toEqual(roles);
  });
});
