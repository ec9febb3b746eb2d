/** Builds the chain from a leaf to a trust anchor, verifying each step with the keys of the trust store. */
import type { X509Certificate } from 'node:crypto';
import { dateAt } from '../spec/index.js';
import { type Authority, fingerprintOf, openAuthority } from './authority.js';
import { revocationOf } from './crl.js';
import type { CertificateFacts } from './facts.js';
import type { Trust } from './trust.js';
import { type ListPurpose, standingOf } from './trust-list.js';

/** CAs above a leaf; more in real chains there are never. */
const MAX_DEPTH = 6;
/** A client may send any chain; this bounds the signatures that it makes the gateway verify. */
const MAX_VERIFICATIONS = 16;
const MAX_SENT = 8;

export interface Chain {
  readonly facts: CertificateFacts['chain'];
  readonly issuer: Authority | null;
}

interface Leaf {
  readonly certificate: X509Certificate;
  readonly fingerprint: string;
  readonly issuer: string;
  /** For which a trusted list must name the CA above it. */
  readonly purpose: ListPurpose;
}

interface Climb {
  readonly trust: Trust;
  readonly candidates: readonly Authority[];
  readonly anchors: ReadonlySet<string>;
  readonly purpose: ListPurpose;
  readonly now: number;
  verifications: number;
  /** The first thing that stood in the way of a candidate. */
  obstacle: string | null;
}

interface Step {
  readonly certificate: X509Certificate;
  readonly issuer: string;
  readonly serialNumber: string | null;
}

const untrusted = (reason: string, path: readonly string[] = []): Chain => ({
  facts: { trusted: false, reason, path },
  issuer: null,
});

/** @param sent what the client sent above its leaf, in DER; unreadable ones count as not sent. */
export function buildChain(leaf: Leaf, sent: readonly Uint8Array[], trust: Trust, now: number): Chain {
  if (trust.anchors.length === 0 && trust.list === undefined)
    return untrusted('No trust anchor is configured.');
  const anchors = new Set(trust.anchors.map((anchor) => anchor.fingerprint));
  if (anchors.has(leaf.fingerprint))
    return { facts: { trusted: true, reason: 'It is itself a trust anchor.', path: [] }, issuer: null };
  const known = [...trust.anchors, ...trust.intermediates, ...(trust.list?.authorities ?? [])];
  // What is known need not be opened again, and a client's own certificate is no CA.
  const closed = new Set([leaf.fingerprint, ...known.map((one) => one.fingerprint)]);
  const opened = sent
    .slice(0, MAX_SENT)
    .flatMap((der) => (closed.has(fingerprintOf(der)) ? [] : (openAuthority(der) ?? [])));
  const climb: Climb = {
    trust,
    candidates: [...known, ...opened],
    anchors,
    purpose: leaf.purpose,
    now,
    verifications: 0,
    obstacle: null,
  };
  const path = ascend(climb, { ...leaf, serialNumber: null }, []);
  const top = path?.at(-1);
  if (path === null || top === undefined)
    return untrusted(climb.obstacle ?? `Its issuer ${leaf.issuer} is not among the trusted CAs.`);
  const listed = anchors.has(top.fingerprint) ? null : standing(climb, top);
  const reason = `A chain leads to the trust anchor ${top.subject}${listed === null ? '' : `, ${listed.words}`}.`;
  return {
    facts: { trusted: true, reason, path: path.map((one) => one.subject) },
    issuer: path[0] ?? null,
  };
}

/** Authorities from the issuer of `step` up to an anchor; null where none is reached. */
function ascend(climb: Climb, step: Step, below: readonly Authority[]): readonly Authority[] | null {
  if (below.length >= MAX_DEPTH) return obstruct(climb, `The chain is longer than ${MAX_DEPTH} CAs.`);
  let found = false;
  for (const candidate of climb.candidates) {
    if (below.some((one) => one.fingerprint === candidate.fingerprint)) continue;
    if (!isIssuedBy(step.certificate, candidate)) continue;
    found = true;
    const path = stepUp(climb, step, candidate, below);
    if (path !== null) return path;
  }
  return found ? null : obstruct(climb, missing(step, below));
}

const standing = ({ trust: { list }, purpose, now }: Climb, authority: Authority) =>
  list === undefined ? null : standingOf(authority, purpose, list, now);

function missing(step: Step, below: readonly Authority[]): string {
  const child = below.at(-1);
  if (child === undefined) return `Its issuer ${step.issuer} is not among the trusted CAs.`;
  return child.subject === step.issuer
    ? `The chain ends at ${child.subject}, which is not a trust anchor.`
    : `The issuer ${step.issuer} of ${child.subject} is not among the trusted CAs.`;
}

function stepUp(
  climb: Climb,
  step: Step,
  candidate: Authority,
  below: readonly Authority[],
): readonly Authority[] | null {
  climb.verifications++;
  if (climb.verifications > MAX_VERIFICATIONS)
    return obstruct(climb, 'The chain has too many possible paths.');
  if (!isSignedBy(step.certificate, candidate))
    return obstruct(climb, `The signature is not that of the CA ${candidate.subject}.`);
  const fault = faultOf(candidate, below.length, climb.now) ?? revocation(climb, step, candidate);
  if (fault !== null) return obstruct(climb, fault);
  const path = [...below, candidate];
  if (climb.anchors.has(candidate.fingerprint)) return path;
  const listed = standing(climb, candidate);
  if (listed?.isGranted) return path;
  // There may be an anchor above it all the same.
  if (listed !== null) obstruct(climb, `Its CA ${candidate.subject} is ${listed.words}.`);
  const issuer = issuerLine(candidate, climb.candidates);
  return ascend(
    climb,
    { certificate: candidate.certificate, issuer, serialNumber: candidate.serialNumber },
    path,
  );
}

/** A CA of the chain that its own issuer took back; the leaf's revocation is a fact of its own. */
function revocation(climb: Climb, step: Step, issuer: Authority): string | null {
  if (step.serialNumber === null) return null;
  const facts = revocationOf(step.serialNumber, issuer, climb.trust.crls, climb.now);
  return facts.status === 'revoked'
    ? `The CA certificate with number ${step.serialNumber} was revoked.`
    : null;
}

function faultOf(authority: Authority, casBelow: number, now: number): string | null {
  const { subject, pathLength, unprocessed } = authority;
  if (!authority.certificate.ca) return `${subject} is not the certificate of a CA.`;
  if (pathLength !== null && casBelow > pathLength)
    return `The CA ${subject} allows only ${pathLength} CAs below it.`;
  if (unprocessed !== null)
    return `The CA ${subject} has a critical extension ${unprocessed} that is not known.`;
  if (now < authority.notBefore)
    return `The CA ${subject} is not valid before ${dateAt(authority.notBefore)}.`;
  if (now > authority.notAfter) return `The CA ${subject} expired on ${dateAt(authority.notAfter)}.`;
  return null;
}

function issuerLine(authority: Authority, candidates: readonly Authority[]): string {
  if (authority.issuerDer === authority.subjectDer) return authority.subject;
  const known = candidates.find((candidate) => candidate.subjectDer === authority.issuerDer);
  return known?.subject ?? authority.certificate.issuer.replaceAll('\n', ', ');
}

function obstruct(climb: Climb, obstacle: string): null {
  climb.obstacle ??= obstacle;
  return null;
}

function isIssuedBy(certificate: X509Certificate, candidate: Authority): boolean {
  try {
    return certificate.checkIssued(candidate.certificate);
  } catch {
    return false;
  }
}

function isSignedBy(certificate: X509Certificate, candidate: Authority): boolean {
  try {
    return certificate.verify(candidate.key);
  } catch {
    return false;
  }
}
