/** Makes the test certificates in memory. */
import { randomBytes, X509Certificate } from 'node:crypto';
import {
  createAuthority,
  type IssuingAuthority,
  issueCertificate,
  issueCrl,
  NCA_NAMES,
  OID,
  type RoleName,
} from '../../certificate/index.js';
import { DAY_MS } from '../../spec/index.js';
import type { PemPair } from './files.js';
import { type KeyType, type MakeKeys, renderKey } from './key-pairs.js';
import {
  type Organisation,
  organizationIdentifier,
  TEST_CERTIFICATES,
  type TestCertificate,
  type TestCertificateName,
} from './test-certificates.js';

/** The times at which certificates must be what their names say, epoch ms: one, or from the earlier to the later. */
export interface Term {
  readonly from: number;
  readonly to: number;
}

const daysFrom = ({ from, to }: Term, days: number): number => (days < 0 ? from : to) + days * DAY_MS;

/** Organisation in the names of the CAs made here; by it the gateway knows its own from others'. */
export const OWN_ORGANISATION = 'Sandgate';
const YEARS_OF_A_CA = 10;
const LIFE_OF_A_CA = YEARS_OF_A_CA * 365 * DAY_MS;

/** 16 bytes, positive and never short. */
export function serialNumber(): Uint8Array {
  const bytes = Uint8Array.from(randomBytes(16));
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes;
}

export async function mintAuthority(
  term: Term,
  makeKeys: MakeKeys,
  commonName = 'Sandgate Test CA',
  keyType: KeyType = 'rsa-2048',
): Promise<IssuingAuthority> {
  return createAuthority({
    subject: { commonName, organization: OWN_ORGANISATION },
    keys: await makeKeys(keyType),
    serialNumber: serialNumber(),
    // Before all that it may have signed, the expired one too.
    notBefore: term.from - 500 * DAY_MS,
    notAfter: term.to + LIFE_OF_A_CA,
  });
}

export const namesOf = (name: string, organisation: Organisation, hasIdentifier = true) => ({
  subject: {
    country: organisation.country,
    organization: organisation.name,
    commonName: `${name}.example`,
    ...(hasIdentifier ? { organizationIdentifier: organizationIdentifier(organisation) } : {}),
  },
  dnsNames: [`${name}.example`],
});

export function psd2Of({ country, nca }: Organisation, roles: readonly RoleName[]) {
  const ncaId = `${country}-${nca}`;
  return { roles, ncaName: NCA_NAMES[ncaId] ?? ncaId, ncaId };
}

/** Makes one test certificate. Its key is in the making while the CA still is. */
export async function mintCertificate(
  name: TestCertificateName,
  ca: IssuingAuthority | Promise<IssuingAuthority>,
  term: Term,
  makeKeys: MakeKeys,
): Promise<PemPair> {
  const test: TestCertificate = TEST_CERTIFICATES[name];
  const { organisation, roles, qcType, days } = test;
  const [keys, authority] = await Promise.all([
    makeKeys(test.keyType),
    test.issuer === 'ca' ? ca : mintAuthority(term, makeKeys, 'Sandgate Untrusted CA', 'ec-p256'),
  ]);
  const issued = issueCertificate({
    authority,
    publicKey: keys.publicKey,
    serialNumber: serialNumber(),
    notBefore: daysFrom(term, days[0]),
    notAfter: daysFrom(term, days[1]),
    ...(qcType === null
      ? { ...namesOf(name, organisation, false), extendedKeyUsage: ['clientAuth'] as const }
      : {
          ...namesOf(name, organisation),
          qualified: { compliance: true, types: [qcType], pds: [PDS] },
          psd2: psd2Of(organisation, roles),
          policies: [OID.policyWebPsd2],
        }),
  });
  return { pem: issued.chainPem, keyPem: renderKey(keys.privateKey) };
}

const PDS = { url: 'https://localhost/pds/en', language: 'en' };

interface ServerOrder {
  /** Days from now to its beginning and its end. */
  readonly days: readonly [from: number, to: number];
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
}

const OWN_SERVER: ServerOrder = {
  days: [-1, 365],
  dnsNames: ['localhost'],
  ipAddresses: ['127.0.0.1', '::1'],
};

/** Makes the gateway's own certificate, which clients check by the time of their machine: `now`. */
export async function mintServer(
  ca: IssuingAuthority | Promise<IssuingAuthority>,
  now: number,
  makeKeys: MakeKeys,
  { days, dnsNames, ipAddresses }: ServerOrder = OWN_SERVER,
): Promise<PemPair> {
  // An elliptic key makes handshakes cheap for the server.
  const [keys, authority] = await Promise.all([makeKeys('ec-p256'), ca]);
  const issued = issueCertificate({
    authority,
    publicKey: keys.publicKey,
    serialNumber: serialNumber(),
    notBefore: now + days[0] * DAY_MS,
    notAfter: now + days[1] * DAY_MS,
    subject: { commonName: dnsNames[0] ?? 'localhost', organization: OWN_ORGANISATION },
    dnsNames,
    ipAddresses,
    extendedKeyUsage: ['serverAuth'],
  });
  return { pem: issued.chainPem, keyPem: renderKey(keys.privateKey) };
}

/** Makes the revocation list. `revoked`: times (epoch ms) by serial number in hex. */
export function mintCrl(
  ca: IssuingAuthority,
  revoked: ReadonlyMap<string, number>,
  now: number,
  term: Term,
): string {
  return issueCrl({
    authority: ca,
    revoked: [...revoked].map(([serial, at]) => ({ serialNumber: Buffer.from(serial, 'hex'), at })),
    // Minutes: grows with every list, and fits.
    number: Math.floor(now / 60_000),
    thisUpdate: daysFrom(term, -1),
    nextUpdate: term.to + LIFE_OF_A_CA,
  }).pem;
}

export const serialOf = (pem: string): string => new X509Certificate(pem).serialNumber;
