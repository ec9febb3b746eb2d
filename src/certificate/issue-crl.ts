/** Makes certificate revocation lists (RFC 5280 5). */
import { parseDer } from './der.js';
import { enumerated, explicit, integer, sequence, time, unsigned } from './der-write.js';
import { authorityKey, extension } from './issue-extensions.js';
import type { IssuingAuthority } from './issuing-authority.js';
import { OID } from './oids.js';
import { renderPem } from './pem.js';
import { signed } from './tbs.js';

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
