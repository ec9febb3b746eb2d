/** The part of a certificate that matching compares: present or not, its purpose, refused or not. */
import type { CertificateObservation } from '../../certificate/index.js';
import type { Answer, Call } from '../../exchange/index.js';
import { operationRow } from '../../spec/index.js';

export type CertificateKind = 'absent' | 'refused' | 'accepted' | 'for seals or signatures';

const ANY: ReadonlySet<string | null> = new Set(['PSP_PI', 'PSP_AI', 'PSP_IC']);

/** Follows from the bank's answer, because a recording may not know the certificate. */
export function recordedCertificate(call: Call, answer: Answer): CertificateKind {
  if (call.certificate === 'absent') return 'absent';
  if (isForOther(call.certificate)) return 'for seals or signatures';
  if (answer.status !== 401 || answer.content.kind !== 'json') return 'accepted';
  const { tppMessages } = (answer.content.value ?? {}) as { readonly tppMessages?: unknown };
  const codes = Array.isArray(tppMessages) ? tppMessages.map((message) => message?.code) : [];
  return codes.some((code) => /^(?:CERTIFICATE_|ROLE_INVALID$)/.test(String(code))) ? 'refused' : 'accepted';
}

/** `hasUnknown`: of some recorded calls nobody knows what they came with. */
export function seenCertificate(
  call: Call,
  { kinds, hasUnknown }: { readonly kinds: ReadonlySet<CertificateKind>; readonly hasUnknown: boolean },
): CertificateKind {
  const presented = presentedCertificate(call);
  if (kinds.has(presented)) return presented;
  if (presented === 'refused') return 'accepted';
  if (presented === 'absent' || !hasUnknown) return presented;
  return kinds.has('refused') ? 'refused' : 'accepted';
}

function presentedCertificate({ certificate, operation, at }: Call): CertificateKind {
  if (certificate === 'absent') return 'absent';
  if (certificate === 'not-observed') return 'accepted';
  if (isForOther(certificate)) return 'for seals or signatures';
  const { chain, revocation, roles, notBefore, notAfter } = certificate;
  const needed = operation === null ? 'none' : operationRow(operation).role;
  const covers = ({ role }: (typeof roles)[number]): boolean =>
    needed === 'any' ? ANY.has(role) : role === needed;
  const isValid = at >= Date.parse(notBefore) && at <= Date.parse(notAfter);
  const isTaken = chain.trusted && revocation.status !== 'revoked' && isValid;
  return isTaken && (needed === 'none' || roles.some(covers)) ? 'accepted' : 'refused';
}

/** For electronic seals or signatures alone (ETSI EN 319 412-5), and not for websites as a QWAC is. */
function isForOther(certificate: CertificateObservation): boolean {
  if (typeof certificate === 'string') return false;
  const { qcType } = certificate;
  return !qcType.includes('web') && (qcType.includes('eseal') || qcType.includes('esign'));
}
