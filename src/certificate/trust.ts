/** Whom the gateway believes: trust anchors, CAs in between, and what they revoked. */
import { SandgateError } from '../spec/index.js';
import { type Authority, openAuthority } from './authority.js';
import { type Crl, openCrlFile } from './crl.js';
import { parsePemFile } from './pem.js';

export interface Trust {
  readonly anchors: readonly Authority[];
  readonly intermediates: readonly Authority[];
  readonly crls: readonly Crl[];
}

export interface TrustParts {
  /** PEM texts, each of one or several certificates. */
  readonly anchors: readonly string[];
  readonly intermediates?: readonly string[];
  /** PEM or DER. */
  readonly crls?: readonly (string | Uint8Array)[];
}

/** @throws SandgateError (input) where an anchor, intermediate or CRL cannot be read: trust is never narrowed in silence. */
export function createTrust(parts: TrustParts): Trust {
  return {
    anchors: parts.anchors.flatMap((pem) => openAll(pem, 'trust anchor')),
    intermediates: (parts.intermediates ?? []).flatMap((pem) => openAll(pem, 'intermediate CA')),
    crls: (parts.crls ?? []).flatMap(openList),
  };
}

function openAll(pem: string, what: string): Authority[] {
  const certificates = parsePemFile(Buffer.from(pem));
  if (certificates.length === 0)
    throw new SandgateError(
      'input',
      `A ${what} holds no certificate: give PEM with a BEGIN CERTIFICATE line.`,
    );
  return certificates.map((der) => {
    const authority = openAuthority(der);
    if (authority === null)
      throw new SandgateError(
        'input',
        `A ${what} is no readable certificate: give an X.509 certificate in PEM.`,
      );
    return authority;
  });
}

function openList(file: string | Uint8Array): Crl[] {
  try {
    return openCrlFile(file);
  } catch (cause) {
    throw new SandgateError('input', 'A revocation list cannot be read: give an X.509 CRL in PEM or DER.', {
      cause,
    });
  }
}
