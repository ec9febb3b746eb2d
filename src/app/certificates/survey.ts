/** Looks through the folder of certificates: what is there, what is missing, and what must be made again. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { createTrust, openCrlFile, standingOf, type Trust } from '../../certificate/index.js';
import { DAY_MS, SandgateError } from '../../spec/index.js';
import { type PemPair, readIfThere, readPair } from './files.js';
import { OWN_ORGANISATION, type Term } from './mint.js';
import { TEST_CERTIFICATE_NAMES, TEST_CERTIFICATES, type TestCertificate } from './test-certificates.js';

/** What ends within this time, in ms, is made again. */
const MARGIN = 7 * DAY_MS;
export const NAMES = ['server', ...TEST_CERTIFICATE_NAMES] as const;
export type Name = (typeof NAMES)[number];

export interface Survey {
  readonly ca: { readonly pem: string; readonly keyPem: string | null } | null;
  readonly crl: string | null;
  readonly pairs: ReadonlyMap<Name, PemPair>;
  /** What is missing or must be made again; `ca` only where nothing of what there is can stay. */
  readonly wanting: ReadonlySet<Name | 'ca' | 'crl'>;
}

/** `now`: of the machine, by which clients check the gateway's own. */
export async function survey(dir: string, now: number, term: Term): Promise<Survey> {
  const [caPem, caKey, crl, ...read] = await Promise.all([
    readIfThere(join(dir, 'ca.pem')),
    readIfThere(join(dir, 'ca.key')),
    readIfThere(join(dir, 'ca.crl')),
    ...NAMES.map((name) => readPair(dir, name)),
  ]);
  const pairs = new Map<Name, PemPair>();
  for (const [i, name] of NAMES.entries()) {
    const pair = read[i];
    if (pair != null) pairs.set(name, pair);
  }
  const ca = caPem === null ? null : { pem: caPem, keyPem: caKey };
  const authority = ca === null ? null : open(ca.pem);
  if (ca === null || (isOwn(authority) && (caKey === null || !lasts(authority, term))))
    return { ca, crl, pairs, wanting: new Set(['ca', 'crl', ...NAMES]) };
  const trust = openTrust(dir, ca.pem, crl);
  const isWanting = (name: Name) =>
    !isGood(name, pairs.get(name), trust, name === 'server' ? { from: now, to: now } : term);
  const wanting = new Set<Name | 'crl'>(NAMES.filter(isWanting));
  if (wanting.has('bad-revoked') || !revokes(pairs.get('bad-revoked'), trust, term.to)) wanting.add('crl');
  return { ca, crl, pairs, wanting };
}

/** A list that cannot be read counts as none: it is made again. */
function openTrust(dir: string, caPem: string, crl: string | null): Trust {
  const crls = readable(() => (crl === null ? [] : openCrlFile(crl))) === null || crl === null ? [] : [crl];
  const trust = readable(() => createTrust({ anchors: [caPem], crls }));
  if (trust !== null) return trust;
  throw new SandgateError('certs.ca-damaged', { file: join(dir, 'ca.pem') });
}

/** What `read` gives, null where it throws. */
export function readable<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/** null where it cannot be read. */
const open = (pem: string): X509Certificate | null => readable(() => new X509Certificate(pem));

/** Whether a CA, or the CA above a certificate, is one that was made here. */
const isOwn = (certificate: X509Certificate | null): boolean =>
  certificate?.issuer?.split('\n').includes(`O=${OWN_ORGANISATION}`) ?? false;

const datesOf = ({ validFrom, validTo }: X509Certificate) =>
  [Date.parse(validFrom), Date.parse(validTo)] as const;

function lasts(certificate: X509Certificate | null, { from, to }: Term): boolean {
  if (certificate === null) return false;
  const [first, last] = datesOf(certificate);
  return first <= from && last > to + MARGIN;
}

function isGood(name: Name, pair: PemPair | undefined, trust: Trust, term: Term): boolean {
  const certificate = pair === undefined ? null : open(pair.pem);
  if (pair === undefined || !certificate?.subject) return false;
  const { isTrusted } = standingOf(certificate, trust, term.to);
  // Somebody put a certificate of another CA there.
  if (!isTrusted && !isOwn(certificate)) return true;
  const test: TestCertificate | null = name === 'server' ? null : TEST_CERTIFICATES[name];
  if (isTrusted !== (test?.issuer !== 'other-ca') || !fits(certificate, pair)) return false;
  const [first, last] = test?.days ?? [-1, 1];
  const [notBefore, notAfter] = datesOf(certificate);
  if (first > 0) return notBefore > term.to + MARGIN;
  if (last < 0) return notAfter < term.from;
  return lasts(certificate, term);
}

const fits = (certificate: X509Certificate, { keyPem }: PemPair): boolean =>
  readable(() => certificate.checkPrivateKey(createPrivateKey(keyPem))) ?? false;

function revokes(pair: PemPair | undefined, trust: Trust, now: number): boolean {
  if (pair === undefined) return false;
  const certificate = open(pair.pem);
  return certificate === null || !isOwn(certificate) || standingOf(certificate, trust, now).isRevoked;
}
