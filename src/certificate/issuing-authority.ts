/** Assembles and signs certificates (RFC 5280 4.1), and makes or opens the CAs that sign test certificates. */
import { createPrivateKey, type KeyObject, sign, X509Certificate } from 'node:crypto';
import { SandgateError } from '../spec/index.js';
import { contentOf, type DerNode, parseDer } from './der.js';
import {
  bits,
  explicit,
  integer,
  nothing,
  oid,
  printableString,
  publicKeyInfo,
  render,
  sequence,
  set,
  time,
  unsigned,
  utf8,
} from './der-write.js';
import { authorityKey, basicConstraints, keyIdOf, keyUsage, subjectKey } from './issue-extensions.js';
import { OID } from './oids.js';
import { takeApart } from './parts.js';
import { parsePemFile, renderPem } from './pem.js';

export interface SubjectOrder {
  readonly country?: string;
  readonly organization?: string;
  readonly organizationIdentifier?: string;
  readonly commonName: string;
}

export interface ValidityOrder {
  /** Random bytes, most significant first; at most 20. */
  readonly serialNumber: Uint8Array;
  /** Epoch ms; whole seconds are kept. */
  readonly notBefore: number;
  readonly notAfter: number;
}

interface CertificateContent extends ValidityOrder {
  readonly subject: DerNode;
  readonly issuer: DerNode;
  readonly publicKey: KeyObject;
  readonly signingKey: KeyObject;
  readonly extensions: readonly DerNode[];
}

export function nameNode(subject: SubjectOrder): DerNode {
  const { country, organization, organizationIdentifier, commonName } = subject;
  const attributes: readonly (readonly [string, DerNode | null])[] = [
    [OID.country, country === undefined ? null : printableString(country)],
    [OID.organization, organization === undefined ? null : utf8(organization)],
    [OID.organizationIdentifier, organizationIdentifier === undefined ? null : utf8(organizationIdentifier)],
    [OID.commonName, utf8(commonName)],
  ];
  return sequence(
    ...attributes.flatMap(([type, value]) => (value === null ? [] : [set(sequence(oid(type), value))])),
  );
}

export const signCertificate = (content: CertificateContent): Buffer =>
  signed(
    (algorithm) =>
      sequence(
        explicit(0, integer(2)),
        unsigned(content.serialNumber),
        algorithm,
        content.issuer,
        sequence(time(content.notBefore), time(content.notAfter)),
        content.subject,
        publicKeyInfo(content.publicKey),
        explicit(3, sequence(...content.extensions)),
      ),
    content.signingKey,
  );

interface Signing {
  readonly hash: string | null;
  /** A new node each time: nodes are not shared between trees. */
  readonly algorithm: () => DerNode;
}

const RSA: Signing = { hash: 'sha256', algorithm: () => sequence(oid('1.2.840.113549.1.1.11'), nothing()) };
const ECDSA_256: Signing = { hash: 'sha256', algorithm: () => sequence(oid('1.2.840.10045.4.3.2')) };
const ECDSA_384: Signing = { hash: 'sha384', algorithm: () => sequence(oid('1.2.840.10045.4.3.3')) };
const EDWARDS: Signing = { hash: null, algorithm: () => sequence(oid('1.3.101.112')) };

function signingOf(key: KeyObject): Signing {
  if (key.asymmetricKeyType === 'ed25519') return EDWARDS;
  if (key.asymmetricKeyType !== 'ec') return RSA;
  return key.asymmetricKeyDetails?.namedCurve === 'secp384r1' ? ECDSA_384 : ECDSA_256;
}

/**
 * DER of SEQUENCE { tbs, algorithm, signature }; `build` is given the algorithm, which stands within the signed part
 * too.
 */
export function signed(build: (algorithm: DerNode) => DerNode, key: KeyObject): Buffer {
  const { hash, algorithm } = signingOf(key);
  const tbs = build(algorithm());
  return render(sequence(tbs, algorithm(), bits(sign(hash, render(tbs), key))));
}

export interface IssuingAuthority {
  readonly der: Uint8Array;
  readonly pem: string;
  readonly privateKey: KeyObject;
  readonly keyId: Uint8Array;
  readonly name: Uint8Array;
  /** The certificates above it, as one PEM text; empty for a root. */
  readonly above: string;
}

export interface AuthorityOrder extends ValidityOrder {
  readonly subject: SubjectOrder;
  readonly keys: { readonly publicKey: KeyObject; readonly privateKey: KeyObject };
  readonly issuer?: IssuingAuthority;
  readonly pathLength?: number;
}

/** Makes a CA. Keys, number and times are parameters: nothing is left to chance. */
export function createAuthority(order: AuthorityOrder): IssuingAuthority {
  const { keys, issuer, subject, serialNumber, notBefore, notAfter } = order;
  const keyId = keyIdOf(keys.publicKey);
  const der = signCertificate({
    serialNumber,
    notBefore,
    notAfter,
    subject: nameNode(subject),
    issuer: issuer === undefined ? nameNode(subject) : parseDer(issuer.name),
    publicKey: keys.publicKey,
    signingKey: issuer?.privateKey ?? keys.privateKey,
    extensions: [
      basicConstraints(true, order.pathLength ?? null),
      keyUsage(['keyCertSign', 'cRLSign']),
      subjectKey(keyId),
      authorityKey(issuer?.keyId ?? keyId),
    ],
  });
  return openIssuing(der, keys.privateKey, keyId, issuer === undefined ? '' : issuer.pem + issuer.above);
}

function openIssuing(
  der: Uint8Array,
  privateKey: KeyObject,
  otherKeyId: Uint8Array,
  above: string,
): IssuingAuthority {
  const parts = takeApart(der, []);
  if (parts?.subject === undefined) throw new SandgateError('certificate.unreadable', { file: 'The CA' });
  const own = parts.extensions.find(({ oid }) => oid === OID.subjectKeyIdentifier);
  const keyId = own === undefined ? otherKeyId : Buffer.from(contentOf(parseDer(own.value)), 'latin1');
  return { der, pem: renderPem('CERTIFICATE', der), privateKey, keyId, name: render(parts.subject), above };
}

/**
 * Opens a CA from PEM texts; `pem` may hold the CAs above it behind it.
 * @throws SandgateError (input) where they cannot be read, do not belong together, or are not those of a CA.
 */
export function openIssuingAuthority(pem: string, keyPem: string): IssuingAuthority {
  const [der, ...above] = parsePemFile(Buffer.from(pem));
  const certificate = readOrNull(() => (der === undefined ? null : new X509Certificate(der)));
  const privateKey = readOrNull(() => createPrivateKey(keyPem));
  if (der === undefined || certificate === null || privateKey === null)
    throw new SandgateError('certificate.ca-unreadable', {});
  if (!certificate.checkPrivateKey(privateKey)) throw new SandgateError('certificate.ca-mismatch', {});
  if (!certificate.ca) throw new SandgateError('certificate.no-ca', {});
  return openIssuing(
    der,
    privateKey,
    keyIdOf(certificate.publicKey),
    above.map((one) => renderPem('CERTIFICATE', one)).join(''),
  );
}

function readOrNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
