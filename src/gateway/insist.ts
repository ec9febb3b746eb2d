/** Lets no call pass until it is known whether its certificates are revoked: waits for that, but not for long. */
import { type CertificateFacts, type CertificateObservation, ocspText } from '../certificate/index.js';
import { revocationUnknownFault } from './faults.js';
import type { Claimed } from './forwarded-peers.js';
import type { SealOf } from './seals.js';

export interface InsistParts {
  /** Resolves when the question on a certificate that is under way is answered; undefined: none is. */
  readonly answered: (fingerprint256: string) => Promise<void> | undefined;
  /** Resolves after the longest time that a call waits. */
  readonly patience: () => Promise<void>;
  /** Absent: the bank takes no signed calls. */
  readonly sealOf?: SealOf | undefined;
}

export type Insist = ReturnType<typeof createInsist>;

/** The rules refuse certificates that nobody vouches for. */
function isOpen(certificate: CertificateObservation | undefined): certificate is CertificateFacts {
  if (certificate === undefined || typeof certificate === 'string') return false;
  const { chain, revocation } = certificate;
  return chain.trusted && chain.path.length > 0 && revocation.status === 'not-checked';
}

export function createInsist({ answered, patience, sealOf }: InsistParts) {
  const openOf = ({ peer, headers }: Claimed): CertificateFacts[] =>
    [peer.certificate, sealOf?.(headers)].filter(isOpen);
  return {
    isSettled: (caller: Claimed): boolean => openOf(caller).length === 0,
    /** @param again looks at the caller once more */
    settle: async (first: Claimed, again: () => Claimed): Promise<Claimed> => {
      const asking = openOf(first).flatMap(({ fingerprint256 }) => answered(fingerprint256) ?? []);
      if (asking.length > 0) await Promise.race([Promise.all(asking), patience()]);
      const caller = again();
      const [open] = openOf(caller);
      if (open === undefined || caller.problem !== null) return caller;
      const { ocsp } = open.revocation;
      const why = ocsp === undefined ? 'nobody was asked' : ocspText(ocsp, []);
      return { ...caller, problem: revocationUnknownFault(why) };
    },
  };
}
