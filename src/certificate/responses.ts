/** Revocation by lists of the issuer and by what OCSP responders (RFC 6960) say. */
import type { Authority } from './authority.js';
import { type Crl, revocationOf } from './crl.js';
import type { CertificateFacts } from './facts.js';
import type { OcspNote, OcspVerdict } from './ocsp-verdicts.js';

export interface AskedCertificate {
  readonly fingerprint256: string;
  readonly serialNumber: string;
  readonly issuer: Authority;
  /** Addresses of responders that the certificate names. */
  readonly responders: readonly string[];
  /** Whether the issuer's own lists hold this serial number: that of a responder, for one. */
  readonly isListed: (serialNumber: string) => boolean;
}

export interface OcspFacts {
  readonly ocsp: OcspVerdict;
  readonly since?: string;
  readonly ocspNotes?: readonly OcspNote[];
}

/** Responders' answers as far as they are known; `now` in epoch ms. */
export interface Responses {
  /** Never waits; may have a responder asked, whose answer is known later. */
  readonly look: (certificate: AskedCertificate, now: number) => OcspFacts;
  /** Whether `look` has nothing else to say, or to do, by now. */
  readonly isCurrent: (
    facts: Pick<CertificateFacts, 'fingerprint256' | 'revocation'>,
    now: number,
  ) => boolean;
}

/** By the lists of the issuer and by its responder: a revocation counts wherever it stands. */
export function revocationIn(
  { crls, responses }: { readonly crls: readonly Crl[]; readonly responses?: Responses | undefined },
  certificate: Omit<AskedCertificate, 'isListed'>,
  now: number,
): CertificateFacts['revocation'] {
  const { serialNumber, issuer } = certificate;
  const listed = revocationOf(serialNumber, issuer, crls, now);
  if (responses === undefined || listed.status === 'revoked') return listed;
  const isListed = (serial: string) => revocationOf(serial, issuer, crls, now).status === 'revoked';
  const said = responses.look({ ...certificate, isListed }, now);
  const { ocsp } = said;
  return { status: ocsp === 'good' || ocsp === 'revoked' ? ocsp : listed.status, ...said };
}
