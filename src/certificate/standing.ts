/** What trust says of a certificate, without its other facts, which take longer to read. */
import type { X509Certificate } from 'node:crypto';
import { fingerprintOf } from './authority.js';
import { buildChain } from './chain.js';
import { revocationOf } from './crl.js';
import type { Trust } from './trust.js';

export interface Standing {
  /** Its issuer, or it itself, is a trust anchor or leads to one by what trust knows. */
  readonly isTrusted: boolean;
  readonly isRevoked: boolean;
}

/** @param now epoch ms, for the dates of CAs and CRLs; its own are not looked at */
export function standingOf(certificate: X509Certificate, trust: Trust, now: number): Standing {
  const { raw, issuer, serialNumber } = certificate;
  const chain = buildChain({ certificate, fingerprint: fingerprintOf(raw), issuer }, [], trust, now);
  const isRevoked =
    chain.issuer !== null && revocationOf(serialNumber, chain.issuer, trust.crls, now).status === 'revoked';
  return { isTrusted: chain.facts.trusted, isRevoked };
}
