/** Shows an inspected certificate: as a card for people, as a record for scripts. */

import type { CertificateFacts } from '../certificate/index.js';
import { counted, DAY_MS } from '../spec/index.js';
import { findingsOf, type Inspected } from './inspect-certificates.js';
import type { RuleVerdict } from './judge-certificate.js';
import { renderTable } from './table.js';

/** Whole days from now to the end; negative once it is over. */
export const daysLeft = ({ notAfter }: CertificateFacts, now: number): number =>
  Math.floor((Date.parse(notAfter) - now) / DAY_MS);

export const rolesOf = ({ roles }: CertificateFacts): string[] => roles.map(({ oid, role }) => role ?? oid);

const listed = (items: readonly string[] | null, none: string): string =>
  items === null || items.length === 0 ? none : items.join(', ');

function validity(facts: CertificateFacts, now: number): string {
  const span = `${facts.notBefore.slice(0, 10)} to ${facts.notAfter.slice(0, 10)}`;
  const left = daysLeft(facts, now);
  if (Date.parse(facts.notAfter) < now)
    return `${span}, expired ${counted(Math.max(-left - 1, 0), 'day')} ago`;
  const from = Date.parse(facts.notBefore) - now;
  if (from > 0) return `${span}, begins in ${counted(Math.ceil(from / DAY_MS), 'day')}`;
  return `${span}, ${counted(left, 'day')} left`;
}

function authority({ ncaName, ncaId }: CertificateFacts): string {
  return ncaName === null && ncaId === null ? 'none' : `${ncaName ?? '?'} (${ncaId ?? '?'})`;
}

function revocation({ revocation: { status, since } }: CertificateFacts): string {
  if (status === 'revoked') return `revoked since ${since?.slice(0, 10) ?? '?'}`;
  return status === 'good' ? 'not revoked' : 'not checked: no revocation list of its issuer';
}

function rowsOf(facts: CertificateFacts, now: number): [string, string][] {
  const key = [facts.keyType.toUpperCase(), facts.curve ?? String(facts.keySize)].join(' ');
  const usage = listed(facts.keyUsage, 'not restricted');
  return [
    ['subject', facts.subject],
    ['issuer', facts.issuer],
    ['number', facts.serialNumber],
    ['organisation', facts.organizationIdentifier?.text ?? 'no organizationIdentifier'],
    ['valid', validity(facts, now)],
    ['roles', listed(rolesOf(facts), 'none')],
    ['authority', authority(facts)],
    ['qualified', `${facts.qcCompliance ? 'yes' : 'no'}, type ${listed(facts.qcType, 'none')}`],
    ['statement', facts.encoding],
    ['key', `${key}, signed with ${facts.signatureAlgorithm}`],
    ['usage', `${usage}; extended: ${listed(facts.extendedKeyUsage, 'not restricted')}`],
    ['fingerprint', facts.fingerprint256],
    ['chain', facts.chain.reason],
    ['revocation', revocation(facts)],
    ...facts.problems.map((problem): [string, string] => ['problem', problem]),
  ];
}

function ruleRow({ rule, severity, verdict, violations }: RuleVerdict): string[] {
  const told = violations.map(({ expected, actual }) =>
    actual === undefined ? `expected ${expected}` : `expected ${expected}, found ${actual}`,
  );
  return [rule.id, severity, verdict, told.join(' | ')];
}

const COLUMNS = ['rule', 'severity', 'verdict', ''];

/** `width`: of the screen, in characters; undefined in a pipe. `now` in epoch ms. */
export function renderCard({ file, facts, verdicts }: Inspected, now: number, width?: number): string {
  const rows = rowsOf(facts, now).map(([name, text]) => `  ${name.padEnd(13)} ${text}\n`);
  const rules =
    verdicts === null
      ? '  A CA in the chain of the certificate above: not judged.\n'
      : renderTable(COLUMNS, verdicts.map(ruleRow), width === undefined ? undefined : width - 2).replace(
          /^(?=.)/gm,
          '  ',
        );
  return `${file}\n${rows.join('')}\n${rules}`;
}

/** The first members, to `findings`, are fixed; scripts rely on them. */
export function toRecord(inspected: Inspected, now: number): Record<string, unknown> {
  const { file, facts, verdicts } = inspected;
  return {
    file,
    subject: facts.subject,
    organizationIdentifier: facts.organizationIdentifier?.text ?? null,
    roles: rolesOf(facts),
    ncaName: facts.ncaName,
    ncaId: facts.ncaId,
    qcType: facts.qcType,
    qcCompliance: facts.qcCompliance,
    keyType: facts.keyType,
    keySize: facts.keySize,
    notBefore: facts.notBefore,
    notAfter: facts.notAfter,
    fingerprint256: facts.fingerprint256,
    encoding: facts.encoding,
    findings: findingsOf(inspected),
    verdicts:
      verdicts === null ? null : Object.fromEntries(verdicts.map((one) => [one.rule.id, one.verdict])),
    daysLeft: daysLeft(facts, now),
    issuer: facts.issuer,
    serialNumber: facts.serialNumber,
    organization: facts.organization,
    dnsNames: facts.dnsNames,
    policies: facts.policies,
    curve: facts.curve,
    signatureAlgorithm: facts.signatureAlgorithm,
    keyUsage: facts.keyUsage,
    extendedKeyUsage: facts.extendedKeyUsage,
    chain: facts.chain,
    revocation: facts.revocation,
    problems: facts.problems,
  };
}
