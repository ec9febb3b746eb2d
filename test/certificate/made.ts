/** Certificates made for tests, with keys made once per run and fixed times. */
import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { MakeKeys } from '../../src/app/certificates/key-pairs.js';
import {
  type AuthorityOrder,
  type CertificateOrder,
  createAuthority,
  createTrust,
  type IssuedCertificate,
  type IssuingAuthority,
  inspectCertificate,
  issueCertificate,
  type Psd2Order,
  parsePemFile,
  type QualifiedOrder,
} from '../../src/certificate/index.js';
import { NOW } from '../builders.js';

export const DAY = 86_400_000;

interface KeyPair {
  publicKey: KeyObject;
  privateKey: KeyObject;
}

const MAKERS = {
  'rsa-2048': () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  'rsa-3072': () => generateKeyPairSync('rsa', { modulusLength: 3072 }),
  'ec-p256': () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  'ec-p384': () => generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  ed25519: () => generateKeyPairSync('ed25519'),
} as const;
export type MadeKeyType = keyof typeof MAKERS;
export const KEY_TYPES = Object.keys(MAKERS) as MadeKeyType[];

const made = new Map<string, KeyPair>();

/** The same pair for the same type and name. */
export function keys(type: MadeKeyType = 'ec-p256', name = ''): KeyPair {
  const known = made.get(`${type} ${name}`) ?? MAKERS[type]();
  made.set(`${type} ${name}`, known);
  return known;
}

/** As many RSA keys as a set of test certificates has. */
const KEYS_OF_A_SET = 6;
let dealt = 0;

/** For sets of test certificates, whose RSA keys take longer than all that is tried with them: no two of a set are alike. */
export const dealKeys: MakeKeys = async (type) =>
  type === 'rsa-2048' ? keys(type, `dealt ${dealt++ % KEYS_OF_A_SET}`) : MAKERS[type]();

/** A number that follows from a name. */
export function serial(name: string): Uint8Array {
  const bytes = createHash('sha256').update(name).digest().subarray(0, 16);
  bytes[0] = 0x42;
  return bytes;
}

export function anAuthority(name: string, parts: Partial<AuthorityOrder> = {}): IssuingAuthority {
  return createAuthority({
    subject: { country: 'BE', organization: 'Test Trust Services', commonName: name },
    keys: keys('ec-p256', name),
    serialNumber: serial(name),
    notBefore: NOW - 400 * DAY,
    notAfter: NOW + 3_000 * DAY,
    ...parts,
  });
}

export const ROOT = anAuthority('Test Root');
export const TRUST = createTrust({ anchors: [ROOT.pem] });
export const NO_TRUST = createTrust({ anchors: [] });

interface QwacParts extends Partial<Omit<CertificateOrder, 'psd2' | 'qualified'>> {
  psd2?: Psd2Order | null;
  qualified?: QualifiedOrder | null;
}

/** null leaves a statement out. */
export function aQwac({ psd2 = PSD2, qualified = WEB, ...parts }: QwacParts = {}): IssuedCertificate {
  return issueCertificate({
    authority: ROOT,
    publicKey: keys('ec-p256', 'leaf').publicKey,
    serialNumber: serial('leaf'),
    notBefore: NOW - 30 * DAY,
    notAfter: NOW + 335 * DAY,
    subject: {
      country: 'BE',
      organization: 'Test TPP',
      organizationIdentifier: 'PSDBE-NBB-0123456789',
      commonName: 'tpp.example',
    },
    ...(qualified === null ? {} : { qualified }),
    ...(psd2 === null ? {} : { psd2 }),
    ...parts,
  });
}

const WEB: QualifiedOrder = { compliance: true, types: ['web'] };
const PSD2: Psd2Order = {
  roles: ['PSP_PI', 'PSP_AI'],
  ncaName: 'National Bank of Belgium',
  ncaId: 'BE-NBB',
};

/** Facts of a made certificate; the CAs above it count as sent. */
export function factsOf(issued: IssuedCertificate, trust = TRUST, now = NOW) {
  const [, ...sent] = parsePemFile(Buffer.from(issued.chainPem));
  return inspectCertificate(issued.der, sent, trust, now);
}
