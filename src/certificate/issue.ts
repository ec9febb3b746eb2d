/** Makes certificates for tests, right ones and wrong ones. Keys, numbers and times are parameters. */
import type { KeyObject } from 'node:crypto';
import { parseDer } from './der.js';
import {
  alternativeNames,
  authorityKey,
  basicConstraints,
  crlDistributionPoint,
  extendedKeyUsage,
  extension,
  keyIdOf,
  keyUsage,
  policies,
  subjectKey,
} from './issue-extensions.js';
import { type Psd2Order, type QualifiedOrder, qcStatements } from './issue-statements.js';
import type { IssuingAuthority } from './issuing-authority.js';
import { type ExtendedKeyUsageName, type KeyUsageName, OID } from './oids.js';
import { renderPem } from './pem.js';
import { nameNode, type SubjectOrder, signCertificate, type ValidityOrder } from './tbs.js';

export interface CertificateOrder extends ValidityOrder {
  readonly authority: IssuingAuthority;
  readonly publicKey: KeyObject;
  readonly subject: SubjectOrder;
  readonly dnsNames?: readonly string[];
  readonly ipAddresses?: readonly string[];
  readonly qualified?: QualifiedOrder;
  readonly psd2?: Psd2Order;
  /** OIDs. */
  readonly policies?: readonly string[];
  /** `digitalSignature` where absent. */
  readonly keyUsage?: readonly KeyUsageName[];
  /** `serverAuth` and `clientAuth` where absent. */
  readonly extendedKeyUsage?: readonly ExtendedKeyUsageName[];
  readonly crlUrl?: string;
}

export interface IssuedCertificate {
  readonly der: Uint8Array;
  readonly pem: string;
  /** The certificate, and the CAs above it. */
  readonly chainPem: string;
}

export function issueCertificate(order: CertificateOrder): IssuedCertificate {
  const { authority, publicKey, serialNumber, notBefore, notAfter } = order;
  const { dnsNames = [], ipAddresses = [] } = order;
  const statements = qcStatements(order.qualified ?? null, order.psd2 ?? null);
  const named = dnsNames.length + ipAddresses.length > 0;
  const der = signCertificate({
    serialNumber,
    notBefore,
    notAfter,
    subject: nameNode(order.subject),
    issuer: parseDer(authority.name),
    publicKey,
    signingKey: authority.privateKey,
    extensions: [
      basicConstraints(false),
      keyUsage(order.keyUsage ?? ['digitalSignature']),
      extendedKeyUsage(order.extendedKeyUsage ?? ['serverAuth', 'clientAuth']),
      subjectKey(keyIdOf(publicKey)),
      authorityKey(authority.keyId),
      ...(named ? [alternativeNames(dnsNames, ipAddresses)] : []),
      ...(order.policies === undefined ? [] : [policies(order.policies)]),
      ...(order.crlUrl === undefined ? [] : [crlDistributionPoint(order.crlUrl)]),
      ...(statements === null ? [] : [extension(OID.qcStatements, statements)]),
    ],
  });
  const pem = renderPem('CERTIFICATE', der);
  return { der, pem, chainPem: pem + authority.pem + authority.above };
}
