/** The trust store: trust anchors, intermediate CAs, and their revocation lists. */
import { SandgateError } from '../spec/index.js';
import { type Authority, openAuthority } from './authority.js';
import { type Crl, openCrlFile } from './crl.js';
import { parsePemFile } from './pem.js';
import type { Register } from './register.js';
import type { Responses } from './responses.js';
import type { TrustList } from './trust-list.js';

export interface Trust {
  readonly anchors: readonly Authority[];
  readonly intermediates: readonly Authority[];
  readonly crls: readonly Crl[];
  /** CAs that count as anchors while the EU's trusted lists say so. */
  readonly list?: TrustList | undefined;
  /** Says what TPPs are authorised for. */
  readonly register?: Register | undefined;
  /** Absent: no OCSP responder is asked. */
  readonly responses?: Responses | undefined;
}

/** A file as the user named it, so that an error can say which one it is. */
export type NamedFile = { readonly name: string; readonly bytes: Uint8Array };

export const TRUSTS_NOBODY: Trust = { anchors: [], intermediates: [], crls: [] };

interface TrustParts {
  readonly anchors: readonly (string | NamedFile)[];
  readonly intermediates?: readonly string[];
  readonly crls?: readonly (string | Uint8Array | NamedFile)[];
  readonly list?: TrustList | undefined;
  readonly register?: Register | undefined;
  readonly responses?: Responses | undefined;
}

/** @throws SandgateError (input) where an anchor, intermediate or CRL cannot be read: trust is never narrowed in silence. */
export function createTrust(parts: TrustParts): Trust {
  return {
    anchors: parts.anchors.flatMap((pem) => openAll(pem, 'trust anchor')),
    intermediates: (parts.intermediates ?? []).flatMap((pem) => openAll(pem, 'intermediate CA')),
    crls: (parts.crls ?? []).flatMap(openList),
    list: parts.list,
    register: parts.register,
    responses: parts.responses,
  };
}

const isNamed = (file: string | Uint8Array | NamedFile): file is NamedFile =>
  typeof file === 'object' && 'name' in file;

function openAll(file: string | NamedFile, what: string): Authority[] {
  const certificates = parsePemFile(isNamed(file) ? file.bytes : Buffer.from(file));
  const name = isNamed(file) ? `The ${what} ${file.name}` : `A ${what}`;
  if (certificates.length === 0) throw new SandgateError('certificate.none', { file: name });
  return certificates.map((der) => {
    const authority = openAuthority(der);
    if (authority === null) throw new SandgateError('certificate.unreadable', { file: name });
    return authority;
  });
}

function openList(file: string | Uint8Array | NamedFile): Crl[] {
  try {
    return openCrlFile(isNamed(file) ? file.bytes : file);
  } catch (cause) {
    const name = isNamed(file) ? `The revocation list ${file.name}` : 'A revocation list';
    throw new SandgateError('certificate.crl-unreadable', { file: name }, { cause });
  }
}
