/** Makes certificates and revocation lists for tests, right ones and wrong ones. Keys, numbers and times are parameters. */
import type { KeyObject } from 'node:crypto';
import { type DerNode, parseDer } from './der.js';
import {
  enumerated,
  explicit,
  ia5,
  integer,
  oid,
  printableString,
  sequence,
  time,
  unsigned,
  utf8,
} from './der-write.js';
import type { StatementEncoding } from './facts.js';
import {
  alternativeNames,
  authorityKey,
  basicConstraints,
  crlDistributionPoint,
  extendedKeyUsage,
  extension,
  keyIdOf,
  keyUsage,
  ocspResponder,
  policies,
  subjectKey,
} from './issue-extensions.js';
import type { IssuingAuthority } from './issuing-authority.js';
import {
  nameNode,
  type SubjectOrder,
  signCertificate,
  signed,
  type ValidityOrder,
} from './issuing-authority.js';
import {
  type ExtendedKeyUsageName,
  type KeyUsageName,
  OID,
  QC_TYPE_OIDS,
  type QcTypeName,
  ROLE_OIDS,
  type RoleName,
} from './oids.js';
import { renderPem } from './pem.js';

export interface CertificateOrder extends ValidityOrder {
  readonly authority: IssuingAuthority;
  readonly publicKey: KeyObject;
  readonly subject: SubjectOrder;
  readonly dnsNames?: readonly string[];
  readonly ipAddresses?: readonly string[];
  readonly qualified?: QualifiedOrder;
  readonly psd2?: Psd2Order;
  readonly policies?: readonly string[];
  /** `digitalSignature` where absent. */
  readonly keyUsage?: readonly KeyUsageName[];
  /** `serverAuth` and `clientAuth` where absent. */
  readonly extendedKeyUsage?: readonly ExtendedKeyUsageName[];
  readonly crlUrl?: string;
  readonly ocspUrl?: string;
}

export interface IssuedCertificate {
  readonly der: Uint8Array;
  readonly pem: string;
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
      ...(order.ocspUrl === undefined ? [] : [ocspResponder(order.ocspUrl)]),
      ...(statements === null ? [] : [extension(OID.qcStatements, statements)]),
    ],
  });
  const pem = renderPem('CERTIFICATE', der);
  return { der, pem, chainPem: pem + authority.pem + authority.above };
}

export interface Psd2Order {
  readonly roles: readonly (RoleName | { readonly oid: string; readonly name: string })[];
  readonly ncaName: string;
  readonly ncaId: string;
  /** `standard` where absent. `bare-statement` and `no-roles-wrapper` leave no room for other statements. */
  readonly encoding?: Exclude<StatementEncoding, 'absent'>;
}

export interface QualifiedOrder {
  readonly compliance: boolean;
  readonly types: readonly QcTypeName[];
  readonly pds?: readonly { readonly url: string; readonly language: string }[];
  readonly others?: readonly string[];
}

function rolePairs(roles: Psd2Order['roles']): DerNode[][] {
  return roles
    .map((role) => (typeof role === 'string' ? { oid: ROLE_OIDS[role], name: role } : role))
    .map((role) => [oid(role.oid), utf8(role.name)]);
}

function psd2Statement({ roles, ncaName, ncaId, encoding = 'standard' }: Psd2Order): DerNode {
  const pairs = rolePairs(roles);
  const nodes = pairs.map((pair) => sequence(...pair));
  const authority = [utf8(ncaName), utf8(ncaId)];
  const otherwise = [printableString(ncaName), printableString(ncaId)];
  const values: Record<Exclude<StatementEncoding, 'absent'>, () => DerNode> = {
    standard: () => sequence(sequence(...nodes), ...authority),
    'bare-statement': () => sequence(sequence(...nodes), ...authority),
    'flat-roles': () => sequence(sequence(sequence(...pairs.flat())), ...authority),
    'no-roles-wrapper': () => sequence(...nodes, ...authority),
    'other-strings': () => sequence(sequence(...nodes), ...otherwise),
    unreadable: () => utf8(ncaName),
  };
  return sequence(oid(OID.psd2), values[encoding]());
}

function qualifiedStatements({ compliance, types, pds = [], others = [] }: QualifiedOrder): DerNode[] {
  const statements = compliance ? [sequence(oid(OID.qcCompliance))] : [];
  if (types.length > 0)
    statements.push(sequence(oid(OID.qcType), sequence(...types.map((type) => oid(QC_TYPE_OIDS[type])))));
  if (pds.length > 0) {
    const places = pds.map(({ url, language }) => sequence(ia5(url), printableString(language)));
    statements.push(sequence(oid(OID.qcPds), sequence(...places)));
  }
  statements.push(...others.map((id) => sequence(oid(id))));
  return statements;
}

function qcStatements(qualified: QualifiedOrder | null, psd2: Psd2Order | null): DerNode | null {
  if (psd2?.encoding === 'bare-statement' || psd2?.encoding === 'no-roles-wrapper')
    return psd2Statement(psd2);
  const statements = [
    ...(qualified === null ? [] : qualifiedStatements(qualified)),
    ...(psd2 === null ? [] : [psd2Statement(psd2)]),
  ];
  return statements.length === 0 ? null : sequence(...statements);
}

interface CrlOrder {
  readonly authority: IssuingAuthority;
  readonly revoked: readonly {
    readonly serialNumber: Uint8Array;
    /** Epoch ms. */
    readonly at: number;
    /** CRLReason; none where absent. */
    readonly reason?: number;
  }[];
  /** Grows with every list of an authority. */
  readonly number: number;
  /** Epoch ms. */
  readonly thisUpdate: number;
  readonly nextUpdate: number;
}

export function issueCrl(order: CrlOrder): { readonly der: Uint8Array; readonly pem: string } {
  const { authority, revoked, thisUpdate, nextUpdate } = order;
  const entries = revoked.map(({ serialNumber, at, reason }) =>
    sequence(
      unsigned(serialNumber),
      time(at),
      ...(reason === undefined ? [] : [sequence(extension(OID.reasonCode, enumerated(reason)))]),
    ),
  );
  const der = signed(
    (algorithm) =>
      sequence(
        integer(1),
        algorithm,
        parseDer(authority.name),
        time(thisUpdate),
        time(nextUpdate),
        // RFC 5280 5.1.2.6: absent rather than empty.
        ...(entries.length === 0 ? [] : [sequence(...entries)]),
        explicit(0, sequence(authorityKey(authority.keyId), extension(OID.crlNumber, integer(order.number)))),
      ),
    authority.privateKey,
  );
  return { der, pem: renderPem('X509 CRL', der) };
}
