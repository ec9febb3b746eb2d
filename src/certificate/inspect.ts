/** Reads a certificate into facts. Whatever the bytes are, the outcome is facts: what cannot be read is a problem in them. */
import { type KeyObject, X509Certificate } from 'node:crypto';
import { fingerprintOf } from './authority.js';
import { buildChain, type Chain } from './chain.js';
import { readSignatureAlgorithm, revocationOf } from './crl.js';
import { printable, serialOf, timeOf } from './der.js';
import type { CertificateFacts } from './facts.js';
import { attributeOf, nameLine, organizationIdentifierOf, readName } from './name.js';
import { OID } from './oids.js';
import {
  type CertificateParts,
  readDnsNames,
  readExtendedKeyUsage,
  readKeyUsage,
  readPolicies,
  readResponders,
  sentence,
  takeApart,
} from './parts.js';
import { NO_STATEMENTS, readQcStatements, UNREADABLE } from './qc-statements.js';
import { registerWords } from './register.js';
import { revocationIn } from './responses.js';
import type { Trust } from './trust.js';

type KeyFacts = Pick<CertificateFacts, 'keyType' | 'keySize' | 'curve'>;
type PartFacts = Omit<
  CertificateFacts,
  keyof KeyFacts | 'fingerprint256' | 'chain' | 'revocation' | 'problems'
>;

/** Replaces dates that cannot be read: such a certificate is never within its validity. */
const NO_DATE = new Date(0).toISOString();
const NO_KEY: KeyFacts = { keyType: 'other', keySize: 0, curve: null };
const NOTHING: PartFacts = {
  serialNumber: '',
  subject: '',
  issuer: '',
  organizationIdentifier: null,
  organization: null,
  commonName: null,
  dnsNames: [],
  ...NO_STATEMENTS,
  ...UNREADABLE,
  policies: [],
  signatureAlgorithm: '',
  keyUsage: null,
  extendedKeyUsage: null,
  notBefore: NO_DATE,
  notAfter: NO_DATE,
};

/**
 * Facts of a certificate in DER. Never throws and takes a bounded time, whatever `der` and `chain` hold.
 * @param chain what the client sent above it, in DER, in any order; may hold the leaf too
 * @param now epoch ms, for the dates of the CAs and CRLs; those of the leaf are for the rules to judge
 */
export function inspectCertificate(
  der: Uint8Array,
  chain: readonly Uint8Array[],
  trust: Trust,
  now: number,
): CertificateFacts {
  const problems: string[] = [];
  const parts = takeApart(der, problems);
  const facts = parts === null ? NOTHING : readParts(parts, problems);
  const fingerprint256 = fingerprintOf(der);
  const certificate = parts === null ? null : openCertificate(der, problems);
  const found: Chain =
    certificate === null
      ? { facts: { trusted: false, reason: 'It cannot be read.', path: [] }, issuer: null }
      : buildChain(
          { certificate, fingerprint: fingerprint256, issuer: facts.issuer, purpose: purposeOf(facts) },
          chain,
          trust,
          now,
        );
  return {
    fingerprint256,
    ...facts,
    ...(certificate === null
      ? NO_KEY
      : attempt(problems, 'The key', NO_KEY, () => readKey(certificate.publicKey))),
    chain: found.facts,
    revocation:
      found.issuer === null || parts === null
        ? { status: 'not-checked' }
        : revocationIn(
            trust,
            {
              fingerprint256,
              serialNumber: facts.serialNumber,
              issuer: found.issuer,
              responders: respondersOf(parts),
            },
            now,
          ),
    ...(trust.register === undefined ? {} : { register: registerWords(facts, trust.register, now) }),
    problems,
  };
}

const CLIENT_USAGES: ReadonlySet<string> = new Set([
  'clientAuth',
  '1.3.6.1.5.5.7.3.2',
  'anyExtendedKeyUsage',
  '2.5.29.37.0',
]);

/** Whether its extended key usage, if it has one, lets it be shown by a TLS client. */
export const isForClients = ({ extendedKeyUsage }: Pick<CertificateFacts, 'extendedKeyUsage'>): boolean =>
  extendedKeyUsage === null || extendedKeyUsage.some((usage) => CLIENT_USAGES.has(usage));

/** Whether a seal may prove a connection, or a web site sign, is for the rules to say. */
const purposeOf = ({ qcType }: Pick<PartFacts, 'qcType'>) =>
  qcType.includes('eseal') && !qcType.includes('web') ? 'eseal' : 'web';

/** An address that cannot be read leaves the certificate without a responder, and is no fault of its facts. */
function respondersOf({ extensions }: CertificateParts): readonly string[] {
  const access = extensions.find(({ oid }) => oid === OID.authorityInfoAccess);
  return access === undefined ? [] : attempt([], '', [], () => readResponders(access.value));
}

function attempt<T>(problems: string[], what: string, otherwise: T, read: () => T): T {
  try {
    return read();
  } catch (error) {
    problems.push(`${what} cannot be read: ${printable(sentence(error))}`);
    return otherwise;
  }
}

function openCertificate(der: Uint8Array, problems: string[]): X509Certificate | null {
  return attempt(problems, 'The certificate', null, () => new X509Certificate(der));
}

function readParts(parts: CertificateParts, problems: string[]): PartFacts {
  const subject = readName(parts.subject);
  if (subject.filter(({ oid }) => oid === OID.organizationIdentifier).length > 1)
    problems.push('The subject has more than one organizationIdentifier; the first one counts.');
  const contentsOf = (oid: string) =>
    parts.extensions.find((extension) => extension.oid === oid)?.value ?? null;
  const extension = <T>(oid: string, what: string, otherwise: T, read: (value: string) => T): T => {
    const value = contentsOf(oid);
    return value === null ? otherwise : attempt(problems, what, otherwise, () => read(value));
  };
  const date = (what: string, node: CertificateParts['notBefore']) =>
    attempt(problems, what, NO_DATE, () => new Date(timeOf(node)).toISOString());
  return {
    serialNumber: serialOf(parts.serial),
    subject: nameLine(subject),
    issuer: nameLine(readName(parts.issuer)),
    organizationIdentifier: organizationIdentifierOf(subject),
    organization: attributeOf(subject, OID.organization),
    commonName: attributeOf(subject, OID.commonName),
    dnsNames: extension(OID.subjectAltName, 'The alternative names', [], readDnsNames),
    ...readQcStatements(contentsOf(OID.qcStatements), problems),
    policies: extension(OID.certificatePolicies, 'The policies', [], readPolicies),
    signatureAlgorithm: attempt(
      problems,
      'The signature algorithm',
      '',
      () => readSignatureAlgorithm(parts.signatureAlgorithm).name,
    ),
    keyUsage: extension<string[] | null>(OID.keyUsage, 'The key usage', null, readKeyUsage),
    extendedKeyUsage: extension<string[] | null>(
      OID.extendedKeyUsage,
      'The extended key usage',
      null,
      readExtendedKeyUsage,
    ),
    notBefore: date('The beginning of its validity', parts.notBefore),
    notAfter: date('The end of its validity', parts.notAfter),
  };
}

const CURVES: Readonly<Record<string, string>> = {
  prime256v1: 'P-256',
  secp384r1: 'P-384',
  secp521r1: 'P-521',
};

const EDWARDS: Readonly<Record<string, KeyFacts>> = {
  ed25519: { keyType: 'ed25519', keySize: 256, curve: null },
  ed448: { keyType: 'ed448', keySize: 456, curve: null },
};

function readKey(key: KeyObject): KeyFacts {
  const type = key.asymmetricKeyType ?? '';
  const { modulusLength = 0, namedCurve } = key.asymmetricKeyDetails ?? {};
  if (type === 'rsa' || type === 'rsa-pss') return { keyType: 'rsa', keySize: modulusLength, curve: null };
  if (type !== 'ec') return EDWARDS[type] ?? { ...NO_KEY, keySize: modulusLength };
  const curve = namedCurve ?? null;
  const size = Number(/\d{3}/.exec(curve ?? '')?.[0] ?? 0);
  return { keyType: 'ec', keySize: size, curve: curve === null ? null : (CURVES[curve] ?? curve) };
}

interface TrustState {
  /** Its issuer, or it itself, is a trust anchor or leads to one by what trust knows. */
  readonly isTrusted: boolean;
  readonly isRevoked: boolean;
}

/** @param now epoch ms, for the dates of CAs and CRLs; its own are not looked at */
export function trustOf(certificate: X509Certificate, trust: Trust, now: number): TrustState {
  const { raw, issuer, serialNumber } = certificate;
  const leaf = { certificate, fingerprint: fingerprintOf(raw), issuer, purpose: 'web' } as const;
  const chain = buildChain(leaf, [], trust, now);
  const isRevoked =
    chain.issuer !== null && revocationOf(serialNumber, chain.issuer, trust.crls, now).status === 'revoked';
  return { isTrusted: chain.facts.trusted, isRevoked };
}
