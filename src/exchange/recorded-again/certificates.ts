/** Recognises certificates that were reissued with the same content. */
import type { CertificateFacts } from '../../certificate/index.js';
import type { Starts } from './dates.js';

type Certificates = Readonly<Record<string, CertificateFacts>>;

/** Another number and another life: what every renewal changes. */
const RENEWED = ['fingerprint256', 'serialNumber', 'notBefore', 'notAfter'] as const;

/** `mayMove`: whether each is valid, or not, at the older time as it was at the new one. */
export function steadyCertificates(
  is: Certificates,
  was: Certificates,
  starts: Starts,
): { readonly certificates: Certificates; readonly mayMove: boolean } {
  const certificates = Object.fromEntries(
    Object.entries(is).map(([name, facts]) => {
      const older = Object.hasOwn(was, name) ? was[name] : undefined;
      return [name, older !== undefined && isRenewal(facts, older) ? older : facts];
    }),
  );
  const mayMove = Object.entries(is).every(
    ([name, facts]) => lifeAt(facts, starts.is) === lifeAt(certificates[name] ?? facts, starts.was),
  );
  return mayMove ? { certificates, mayMove } : { certificates: is, mayMove };
}

function isRenewal(is: CertificateFacts, was: CertificateFacts): boolean {
  const bare = (facts: CertificateFacts) =>
    JSON.stringify(
      Object.entries(facts)
        .filter(([name]) => !RENEWED.some((one) => one === name))
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    );
  return bare(is) === bare(was);
}

export function lifeAt({ notBefore, notAfter }: CertificateFacts, at: number): 'early' | 'valid' | 'expired' {
  if (at < Date.parse(notBefore)) return 'early';
  return at > Date.parse(notAfter) ? 'expired' : 'valid';
}
