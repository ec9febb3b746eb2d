/** The list of test certificates, what each is for, and what lies in their folder. */

import { readdir } from 'node:fs/promises';
import {
  type CertificateFacts,
  inspectCertificate,
  parsePemFile,
  type QcTypeName,
  type RoleName,
  TRUSTS_NOBODY,
} from '../../certificate/index.js';
import { SandgateError } from '../../spec/index.js';
import { readPair } from './files.js';
import type { KeyType } from './key-pairs.js';

export interface Organisation {
  readonly name: string;
  readonly country: string;
  /** Code of its authority, without the country. */
  readonly nca: string;
  readonly number: string;
}

/** `PSDcc-NCA-number` (ETSI TS 119 495 5.2.1). */
export const organizationIdentifier = ({ country, nca, number }: Organisation): string =>
  `PSD${country}-${nca}-${number}`;

export interface TestCertificate {
  readonly organisation: Organisation;
  readonly roles: readonly RoleName[];
  readonly keyType: KeyType;
  /** Days from its making to its beginning and its end. */
  readonly days: readonly [from: number, to: number];
  /** null: a plain client certificate without QCStatements. */
  readonly qcType: QcTypeName | null;
  readonly issuer: 'ca' | 'other-ca';
  readonly revoked: boolean;
  readonly flaw: string | null;
}

const TEST_TPP: Organisation = { name: 'Test TPP', country: 'BE', nca: 'NBB', number: '0123456789' };
const OTHER_TPP: Organisation = { name: 'Other TPP', country: 'DE', nca: 'BAFIN', number: '987654' };

const GOOD: TestCertificate = {
  organisation: TEST_TPP,
  roles: ['PSP_PI', 'PSP_AI', 'PSP_IC'],
  keyType: 'rsa-2048',
  days: [-1, 365],
  qcType: 'web',
  issuer: 'ca',
  revoked: false,
  flaw: null,
};
// Elliptic keys are made in no time; for what is refused the kind of key does not matter.
const BAD: TestCertificate = { ...GOOD, keyType: 'ec-p256' };

export const TEST_CERTIFICATES = {
  tpp: GOOD,
  'tpp-ai': { ...GOOD, roles: ['PSP_AI'] },
  'tpp-pi': { ...GOOD, roles: ['PSP_PI'] },
  'tpp-ic': { ...GOOD, roles: ['PSP_IC'] },
  'tpp-other': { ...GOOD, organisation: OTHER_TPP },
  'tpp-ec': { ...GOOD, keyType: 'ec-p256' },
  'bad-expired': { ...BAD, days: [-400, -35], flaw: 'It has expired.' },
  'bad-not-yet-valid': { ...BAD, days: [365, 730], flaw: 'It is not valid yet.' },
  'bad-untrusted': { ...BAD, issuer: 'other-ca', flaw: 'It is signed by a CA that is not trusted.' },
  'bad-no-psd2': {
    ...BAD,
    roles: [],
    qcType: null,
    flaw: 'It has no QCStatements, and so no PSD2 statement.',
  },
  'bad-no-role': { ...BAD, roles: ['PSP_AS'], flaw: 'Its only role, PSP_AS, is that of a bank.' },
  'bad-eseal': {
    ...BAD,
    qcType: 'eseal',
    flaw: 'It is a certificate for seals (QSealC), not for websites (QWAC).',
  },
  'bad-revoked': { ...BAD, revoked: true, flaw: 'It was revoked (ca.crl).' },
} as const satisfies Record<string, TestCertificate>;

export type TestCertificateName = keyof typeof TEST_CERTIFICATES;
export const TEST_CERTIFICATE_NAMES = Object.keys(TEST_CERTIFICATES) as readonly TestCertificateName[];

export interface ListedCertificate {
  readonly name: string;
  readonly facts: CertificateFacts;
  readonly hasKey: boolean;
  /** What is wrong with it on purpose; null for a good one, and for one that is not of the set. */
  readonly flaw: string | null;
}

const FIRST: readonly string[] = ['ca', 'server', ...TEST_CERTIFICATE_NAMES];

/** The set in its order, then all others by name. @throws SandgateError where there is no such folder. */
export async function listCertificates(
  dir: string,
  now: number,
  trust = TRUSTS_NOBODY,
): Promise<ListedCertificate[]> {
  const names = (await filesOf(dir))
    .filter((file) => file.endsWith('.pem'))
    .map((file) => file.slice(0, -'.pem'.length))
    .sort((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1));
  const listed = await Promise.all(
    names.map(async (name): Promise<ListedCertificate[]> => {
      const pair = await readPair(dir, name);
      const ders = pair === null ? [] : parsePemFile(Buffer.from(pair.pem));
      const [der] = ders;
      if (pair === null || der === undefined) return [];
      const facts = inspectCertificate(der, ders, trust, now);
      return [{ name, facts, hasKey: pair.keyPem !== '', flaw: flawOf(name) }];
    }),
  );
  return listed.flat();
}

function rankOf(name: string): number {
  const rank = FIRST.indexOf(name);
  return rank < 0 ? FIRST.length : rank;
}

const flawOf = (name: string): string | null =>
  (TEST_CERTIFICATES as Readonly<Record<string, TestCertificate | undefined>>)[name]?.flaw ?? null;

async function filesOf(dir: string): Promise<string[]> {
  try {
    return await readdir(dir);
  } catch (cause) {
    throw new SandgateError('certs.no-folder', { dir }, { cause });
  }
}
