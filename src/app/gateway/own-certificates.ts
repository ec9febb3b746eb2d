/** The gateway's own certificates, which whoever renews them puts into their folder. */
import { X509Certificate } from 'node:crypto';
import type { Certificates } from '../certificates/ensure.js';
import { rereadCertificates } from '../certificates/server-certificate.js';
import type { Prepare } from './reload.js';

export function createOwnCertificates(first: Certificates, clock: () => number) {
  let inForce = first;
  return {
    now: (): Certificates => inForce,
    /** `renew` has the listeners show another one. */
    prepare:
      (renew: (renewed: Certificates) => void): Prepare =>
      async () => {
        const renewed = await rereadCertificates(inForce, clock());
        const isOther =
          renewed.serverPem !== inForce.serverPem || renewed.serverKeyPem !== inForce.serverKeyPem;
        const says = `${endOf(renewed)} in place of ${endOf(inForce)}`;
        return {
          changes: isOther ? [{ part: 'server certificate', says }] : [],
          commit: () => {
            inForce = renewed;
            if (isOther) renew(renewed);
          },
        };
      },
  };
}

const endOf = ({ serverPem }: Certificates): string => `one until ${new X509Certificate(serverPem).validTo}`;
