/** Makes sure that the folder of certificates holds the whole set, none of it about to expire. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import {
  createTrust,
  type IssuingAuthority,
  openCrlFile,
  openIssuingAuthority,
  type Trust,
  trustOf,
} from '../../certificate/index.js';
import { DAY_MS, SandgateError } from '../../spec/index.js';
import { alone, makeFolder, type PemPair, readIfThere, readPair, writePair, writeWhole } from './files.js';
import { type MakeKeys, makeKeyPair, renderKey } from './key-pairs.js';
import {
  mintAuthority,
  mintCertificate,
  mintCrl,
  mintServer,
  OWN_ORGANISATION,
  serialOf,
  type Term,
} from './mint.js';
import { TEST_CERTIFICATE_NAMES, TEST_CERTIFICATES, type TestCertificate } from './test-certificates.js';

export interface Certificates {
  readonly dir: string;
  readonly caPem: string;
  /** The gateway's own, with the CA above it. */
  readonly serverPem: string;
  readonly serverKeyPem: string;
  readonly crl: string;
  readonly made: readonly string[];
}

/**
 * Makes what is missing or about to end, and leaves alone what is not the gateway's own: a CA that the user put there
 * stays and signs the rest, a certificate of another CA under one of the names stays as it is. Safe while other
 * processes do the same.
 * @param now epoch ms by the machine's clock
 * @param onProgress told before something is made
 * @param judgedAt epoch ms by the clock that certificates are judged by: test certificates are good at both times
 * @throws SandgateError where the folder cannot be read or written, or its CA lacks the key to sign with
 */
export async function ensureCertificates(
  dir: string,
  now: number,
  onProgress: (text: string) => void = () => undefined,
  judgedAt = now,
  makeKeys: MakeKeys = makeKeyPair,
): Promise<Certificates> {
  const term: Term = { from: Math.min(now, judgedAt), to: Math.max(now, judgedAt) };
  const look = () => survey(dir, now, term);
  const found = await look();
  if (found.wanting.size === 0) return toCertificates(dir, found, []);
  makeFolder(dir);
  return alone(dir, async () => {
    // Another process may have been faster.
    const { wanting, ...rest } = await look();
    if (wanting.size > 0) onProgress(`Creating test certificates in ${dir}.`);
    if (wanting.size > 0) await make(dir, { wanting, ...rest }, now, term, makeKeys);
    return toCertificates(dir, await look(), [...wanting]);
  });
}

function toCertificates(dir: string, { ca, crl, pairs }: Survey, made: readonly string[]): Certificates {
  const server = pairs.get('server');
  if (ca === null || crl === null || server === undefined)
    throw new SandgateError('certs.went-away', { dir });
  if (server.keyPem === '') throw new SandgateError('certs.no-server-key', { file: join(dir, 'server.pem') });
  return { dir, caPem: ca.pem, serverPem: server.pem, serverKeyPem: server.keyPem, crl, made };
}

async function make(dir: string, found: Survey, now: number, term: Term, makeKeys: MakeKeys): Promise<void> {
  const { wanting } = found;
  const ca = wanting.has('ca') ? mintAuthority(term, makeKeys) : openCa(dir, found);
  const pairs = await eachNamed(
    NAMES.filter((name) => wanting.has(name)),
    (name) => (name === 'server' ? mintServer(ca, now, makeKeys) : mintCertificate(name, ca, term, makeKeys)),
  );
  const authority = await ca;
  if (wanting.has('ca'))
    await writePair(dir, 'ca', { pem: authority.pem, keyPem: renderKey(authority.privateKey) });
  await Promise.all([...pairs].map(([name, pair]) => writePair(dir, name, pair)));
  if (!wanting.has('crl')) return;
  const revoked = pairs.get('bad-revoked') ?? found.pairs.get('bad-revoked');
  const before = wanting.has('ca') ? [] : revokedBefore(found.crl);
  const list = new Map(before);
  if (revoked !== undefined) list.set(serialOf(revoked.pem), term.from - DAY_MS);
  await writeWhole(join(dir, 'ca.crl'), mintCrl(authority, list, now, term), 'public');
}

async function eachNamed(
  names: readonly Name[],
  make: (name: Name) => Promise<PemPair | null>,
): Promise<Map<Name, PemPair>> {
  const all = await Promise.all(names.map(async (name) => [name, await make(name)] as const));
  return new Map(all.flatMap(([name, pair]) => (pair === null ? [] : [[name, pair] as const])));
}

function openCa(dir: string, { ca }: Survey): IssuingAuthority {
  if (ca === null || ca.keyPem === '')
    throw new SandgateError('certs.no-ca-key', { file: join(dir, 'ca.pem') });
  return openIssuingAuthority(ca.pem, ca.keyPem);
}

/** A revocation list never forgets. */
function revokedBefore(crl: string | null): [string, number][] {
  if (crl === null) return [];
  const lists = readable(() => openCrlFile(crl)) ?? [];
  return lists.flatMap((list) =>
    [...list.revoked].map(([serial, since]): [string, number] => [serial, Date.parse(since)]),
  );
}

/** A certificate that ends within this time, in ms, is made again. */
const MARGIN = 7 * DAY_MS;
export const NAMES = ['server', ...TEST_CERTIFICATE_NAMES] as const;
export type Name = (typeof NAMES)[number];

interface Survey {
  readonly ca: PemPair | null;
  readonly crl: string | null;
  readonly pairs: ReadonlyMap<Name, PemPair>;
  /** What is missing or must be made again; `ca` only where nothing of what there is can stay. */
  readonly wanting: ReadonlySet<Name | 'ca' | 'crl'>;
}

/** `now`: of the machine, by which clients check the gateway's own. */
export async function survey(dir: string, now: number, term: Term): Promise<Survey> {
  const [ca, crl, pairs] = await Promise.all([
    readPair(dir, 'ca'),
    readIfThere(join(dir, 'ca.crl')),
    eachNamed(NAMES, (name) => readPair(dir, name)),
  ]);
  const authority = ca === null ? null : open(ca.pem);
  if (ca === null || (isOwn(authority) && (ca.keyPem === '' || !lasts(authority, term))))
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

export function readable<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

const open = (pem: string): X509Certificate | null => readable(() => new X509Certificate(pem));

export const isOwnAuthority = (pem = ''): boolean => isOwn(open(pem));

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
  const { isTrusted } = trustOf(certificate, trust, term.to);
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
  return certificate === null || !isOwn(certificate) || trustOf(certificate, trust, now).isRevoked;
}
