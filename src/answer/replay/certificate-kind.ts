/** What matters of a certificate to a recording: whether there was one, and whether it was the reason of a refusal. */
import type { CertificateFacts } from '../../certificate/index.js';
import type { Answer, Call } from '../../exchange/index.js';
import { operationRow, type Role } from '../../spec/index.js';

export type CertificateKind = 'absent' | 'refused' | 'accepted';

const ANY: readonly Role[] = ['PSP_PI', 'PSP_AI', 'PSP_IC'];

/** Of a recorded call: the bank's answer tells, because a recording may not know the certificate. */
export function recordedCertificate(call: Call, answer: Answer): CertificateKind {
  if (call.certificate === 'absent') return 'absent';
  if (answer.status !== 401 || answer.content.kind !== 'json') return 'accepted';
  const { tppMessages } = (answer.content.value ?? {}) as { readonly tppMessages?: unknown };
  const codes = Array.isArray(tppMessages) ? tppMessages.map((message) => message?.code) : [];
  return codes.some((code) => /^(?:CERTIFICATE_|ROLE_INVALID$)/.test(String(code))) ? 'refused' : 'accepted';
}

/** Of a call of this run: `refused` where any bank would refuse it. */
export function presentedCertificate({ certificate, operation, at }: Call): CertificateKind {
  if (certificate === 'absent') return 'absent';
  if (certificate === 'not-observed') return 'accepted';
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
