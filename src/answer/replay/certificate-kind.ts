/** The part of a certificate that matching compares: present or not, its purpose, refused or not. */
import type { CertificateFacts, CertificateObservation } from '../../certificate/index.js';
import type { Answer, Call } from '../../exchange/index.js';
import { operationRow, type Role } from '../../spec/index.js';

export type CertificateKind = 'absent' | 'refused' | 'accepted' | 'for seals or signatures';

/** What is recorded of certificates in calls of one kind. */
export interface RecordedKinds {
  readonly kinds: ReadonlySet<CertificateKind>;
  /** Of some calls nobody knows what they came with. */
  readonly hasUnknown: boolean;
}

const ANY: readonly Role[] = ['PSP_PI', 'PSP_AI', 'PSP_IC'];

/** Of a recorded call: the bank's answer tells, because a recording may not know the certificate. */
export function recordedCertificate(call: Call, answer: Answer): CertificateKind {
  if (call.certificate === 'absent') return 'absent';
  if (isForOther(call.certificate)) return 'for seals or signatures';
  if (answer.status !== 401 || answer.content.kind !== 'json') return 'accepted';
  const { tppMessages } = (answer.content.value ?? {}) as { readonly tppMessages?: unknown };
  const codes = Array.isArray(tppMessages) ? tppMessages.map((message) => message?.code) : [];
  return codes.some((code) => /^(?:CERTIFICATE_|ROLE_INVALID$)/.test(String(code))) ? 'refused' : 'accepted';
}

/** Of a call of this run: `refused` where any bank would refuse it. */
export function presentedCertificate({ certificate, operation, at }: Call): CertificateKind {
  if (certificate === 'absent') return 'absent';
  if (certificate === 'not-observed') return 'accepted';
  if (isForOther(certificate)) return 'for seals or signatures';
  const { chain, revocation, roles } = certificate;
  const role = operation === null ? 'none' : operationRow(operation).role;
  const needed = role === 'any' ? ANY : role === 'none' ? null : [role];
  const covers =
    needed === null ||
    roles.some((held) => held.role !== null && (needed as readonly string[]).includes(held.role));
  const { from, to } = validityOf(certificate);
  const valid = at >= from && at <= to;
  return chain.trusted && revocation.status !== 'revoked' && valid && covers ? 'accepted' : 'refused';
}

/** What a certificate of this run is taken for: of a kind that was never recorded, for what the recording cannot know. */
export function seenAs(presented: CertificateKind, { kinds, hasUnknown }: RecordedKinds): CertificateKind {
  if (kinds.has(presented)) return presented;
  if (presented === 'refused') return 'accepted';
  if (presented === 'absent' || !hasUnknown) return presented;
  return kinds.has('refused') ? 'refused' : 'accepted';
}

/** For electronic seals or signatures alone (ETSI EN 319 412-5), and not for websites as a QWAC is. */
function isForOther(certificate: CertificateObservation): boolean {
  if (typeof certificate === 'string') return false;
  const { qcType } = certificate;
  return !qcType.includes('web') && (qcType.includes('eseal') || qcType.includes('esign'));
}

/** Reading a date costs more than all the rest, and a connection shows the same certificate with every call. */
const validities = new WeakMap<CertificateFacts, { readonly from: number; readonly to: number }>();

function validityOf(certificate: CertificateFacts): { readonly from: number; readonly to: number } {
  const known = validities.get(certificate);
  if (known !== undefined) return known;
  const { notBefore, notAfter } = certificate;
  const read = { from: Date.parse(notBefore), to: Date.parse(notAfter) };
  validities.set(certificate, read);
  return read;
}
