/** Certificates with one fault each, of a CA of their own: the built-in bad ones have several at once. */
import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import {
  type CertificateOrder,
  createAuthority,
  issueCertificate,
  type Psd2Order,
} from '../../src/certificate/index.js';

export interface TestPair {
  readonly cert: string;
  readonly key: string;
}

const DAY = 86_400_000;
const ROLES = ['PSP_PI', 'PSP_AI', 'PSP_IC'] as const;
export const BLOCKED_TPP = 'PSDBE-NBB-0999999999';

const ec = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const serialNumber = () => Uint8Array.from([0x41, ...randomBytes(15)]);
const pemOf = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString();

const psd2 = { roles: ROLES, ncaName: 'National Bank of Belgium', ncaId: 'BE-NBB' };
const qualified = { compliance: true, types: ['web'] } as const;
const disclosing = (url: string, language: string) => ({ ...qualified, pds: [{ url, language }] });
const subject = {
  country: 'BE',
  organization: 'Test TPP',
  commonName: 'tpp.example',
  organizationIdentifier: 'PSDBE-NBB-0123456789',
};

type Faulty = Omit<Partial<CertificateOrder>, 'psd2'> & {
  readonly psd2?: Psd2Order | null;
  readonly weakKey?: true;
  /** In days, the validity that is still to come. */
  readonly days?: number;
};

/** By name: what differs from a good certificate of the same TPP. */
const FAULTS = {
  'good too': {},
  'no qualified statement': { qualified: { compliance: false, types: ['web'] } },
  'no PSD2 statement': { psd2: null },
  'flat roles': { psd2: { ...psd2, encoding: 'flat-roles' } },
  'no UTF8String': { psd2: { ...psd2, encoding: 'other-strings' } },
  'web and eSeal': { qualified: { compliance: true, types: ['eseal', 'web'] } },
  'another role name': {
    psd2: { ...psd2, roles: ['PSP_AI', 'PSP_IC', { oid: '0.4.0.19495.1.2', name: 'PSP_PAYMENTS' }] },
  },
  'another authority': { psd2: { ...psd2, ncaName: 'BaFin', ncaId: 'DE-BAFIN' } },
  'unknown authority': {
    subject: { ...subject, organizationIdentifier: 'PSDBE-XYZ-0123456789' },
    psd2: { ...psd2, ncaId: 'BE-XYZ' },
  },
  'no PSD organisation': { subject: { ...subject, organizationIdentifier: 'VATBE-0123456789' } },
  'server only': { extendedKeyUsage: ['serverAuth'] },
  'no digital signature': { keyUsage: ['keyEncipherment'] },
  'weak key': { weakKey: true },
  'a name in Greek': { psd2: { ...psd2, ncaName: 'Τράπεζα της Ελλάδος' } },
  'a name with accents': { psd2: { ...psd2, ncaName: 'Česká národní banka' } },
  'disclosure over http': { qualified: disclosing('http://tsp.example/pds', 'en') },
  'disclosure in no language': { qualified: disclosing('https://tsp.example/pds', 'xx') },
  'disclosure in French': { qualified: disclosing('https://tsp.example/pds', 'fr') },
  'an obsolete statement': { qualified: { ...qualified, others: ['1.3.6.1.5.5.7.11.1'] } },
  'a newer statement': { qualified: { ...qualified, others: ['1.3.6.1.5.5.7.11.2'] } },
  'two years': { days: 730 },
  'two years by policy': { days: 730, policies: ['0.4.0.19495.3.1'] },
  blocked: { subject: { ...subject, organizationIdentifier: BLOCKED_TPP } },
} as const satisfies Record<string, Faulty>;

export interface FaultyCertificates {
  /** PEM of the CA, to be trusted. */
  readonly ca: string;
  readonly pairs: Readonly<Record<string, TestPair>>;
}

export function mintFaultyCertificates(now: number): FaultyCertificates {
  const validity = { notBefore: now - 2 * DAY, notAfter: now + 300 * DAY };
  const authority = createAuthority({
    subject: { commonName: 'CA of the mutations', organization: 'Tests' },
    keys: ec(),
    serialNumber: serialNumber(),
    ...validity,
  });
  const pairs = Object.entries(FAULTS as Record<string, Faulty>).map(([name, fault]) => {
    const { weakKey, days = 300, psd2: statement = psd2, ...rest } = fault;
    const keys = weakKey === true ? generateKeyPairSync('rsa', { modulusLength: 1024 }) : ec();
    const { chainPem } = issueCertificate({
      authority,
      publicKey: keys.publicKey,
      serialNumber: serialNumber(),
      ...validity,
      notAfter: now + days * DAY,
      subject,
      dnsNames: ['tpp.example'],
      qualified,
      ...(statement === null ? {} : { psd2: statement }),
      ...rest,
    });
    return [name, { cert: chainPem, key: pemOf(keys.privateKey) }] as const;
  });
  return { ca: authority.pem, pairs: Object.fromEntries(pairs) };
}
