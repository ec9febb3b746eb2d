/** CAs that sign test certificates: made new, or opened from the files of one that exists. */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { SandgateError } from '../spec/index.js';
import { contentOf, parseDer } from './der.js';
import { render } from './der-write.js';
import { authorityKey, basicConstraints, keyIdOf, keyUsage, subjectKey } from './issue-extensions.js';
import { OID } from './oids.js';
import { takeApart } from './parts.js';
import { parsePemFile, renderPem } from './pem.js';
import { nameNode, type SubjectOrder, signCertificate, type ValidityOrder } from './tbs.js';

export interface IssuingAuthority {
  readonly der: Uint8Array;
  readonly pem: string;
  readonly privateKey: KeyObject;
  readonly keyId: Uint8Array;
  /** DER of its subject: the issuer of what it signs. */
  readonly name: Uint8Array;
  /** The certificates above it, as one PEM text; empty for a root. */
  readonly above: string;
}

export interface AuthorityOrder extends ValidityOrder {
  readonly subject: SubjectOrder;
  readonly keys: { readonly publicKey: KeyObject; readonly privateKey: KeyObject };
  /** Who signs it; a root where absent. */
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
