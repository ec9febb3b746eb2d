/** Lines on a certificate for people: the command line and the live page show the same ones. */
import { counted, DAY_MS } from '../spec/index.js';
import type { CertificateFacts } from './facts.js';
import { ocspText } from './ocsp-verdicts.js';

/** Whole days from `now` (epoch ms) to an ISO 8601 time; negative once that is over. */
export const daysLeft = (notAfter: string, now: number): number =>
  Math.floor((Date.parse(notAfter) - now) / DAY_MS);

export const keyText = ({ keyType, curve, keySize }: CertificateFacts): string =>
  `${keyType.toUpperCase()} ${curve ?? keySize}`;

export function revocationText({ revocation }: CertificateFacts): string {
  const { status, since, ocsp, ocspNotes } = revocation;
  const said = ocsp === undefined ? '' : `: ${ocspText(ocsp, ocspNotes)}`;
  if (status === 'revoked') return `revoked since ${since?.slice(0, 10) ?? '?'}${said}`;
  if (status === 'good') return `not revoked${said}`;
  return said === '' ? 'not checked: no revocation list of its issuer' : `not known${said}`;
}

/** Terms and what stands there, in order. `now` in epoch ms: how much of its validity is left then. */
export function certificateCard(facts: CertificateFacts, now: number): (readonly [string, string])[] {
  const { ncaName, ncaId } = facts;
  return [
    ['Subject', facts.subject],
    ['Issuer', facts.issuer],
    ['Number', facts.serialNumber],
    ['Organisation', facts.organizationIdentifier?.text ?? 'no organizationIdentifier'],
    ['Valid', validityText(facts, now)],
    [
      'Roles',
      listed(
        facts.roles.map(({ oid, role }) => role ?? oid),
        'none',
      ),
    ],
    ['Authority', ncaName === null && ncaId === null ? 'none' : `${ncaName ?? '?'} (${ncaId ?? '?'})`],
    ['Qualified', `${facts.qcCompliance ? 'yes' : 'no'}, type ${listed(facts.qcType, 'none')}`],
    ['Statement', facts.encoding],
    ['Key', `${keyText(facts)}, signed with ${facts.signatureAlgorithm}`],
    ['Usage', `${listed(facts.keyUsage, ANY)}; extended: ${listed(facts.extendedKeyUsage, ANY)}`],
    ['Fingerprint', facts.fingerprint256],
    ['Chain', facts.chain.reason],
    ['Revocation', revocationText(facts)],
    ...(facts.register === undefined ? [] : [['Register', facts.register] as const]),
    ...facts.problems.map((problem) => ['Problem', problem] as const),
  ];
}

const ANY = 'not restricted';
const listed = (items: readonly string[] | null, none: string): string => items?.join(', ') || none;

export function validityText({ notBefore, notAfter }: CertificateFacts, now: number): string {
  const span = `${notBefore.slice(0, 10)} to ${notAfter.slice(0, 10)}`;
  const left = daysLeft(notAfter, now);
  if (Date.parse(notAfter) < now) return `${span}, expired ${counted(Math.max(-left - 1, 0), 'day')} ago`;
  const from = Date.parse(notBefore) - now;
  if (from > 0) return `${span}, begins in ${counted(Math.ceil(from / DAY_MS), 'day')}`;
  return `${span}, ${counted(left, 'day')} left`;
}
