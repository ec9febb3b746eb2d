/** The list of test certificates, and what each is for. */
import type { QcTypeName, RoleName } from '../../certificate/index.js';
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
