/** Shows an inspected certificate: as a card for people, as a record for scripts. */

import { type CertificateFacts, certificateCard, daysLeft } from '../certificate/index.js';
import { findingsOf, type Inspected, type RuleVerdict } from './inspect-certificates.js';
import { renderTable } from './table.js';

export const rolesOf = ({ roles }: CertificateFacts): string[] => roles.map(({ oid, role }) => role ?? oid);

function ruleRow({ rule, severity, verdict, violations }: RuleVerdict): string[] {
  const told = violations.map(({ expected, actual }) =>
    actual === undefined ? `expected ${expected}` : `expected ${expected}, found ${actual}`,
  );
  return [rule.id, severity, verdict, told.join(' | ')];
}

const COLUMNS = ['rule', 'severity', 'verdict', ''];

/** `width`: of the screen, in characters; undefined in a pipe. `now` in epoch ms. */
export function renderCard({ file, facts, verdicts }: Inspected, now: number, width?: number): string {
  const rows = certificateCard(facts, now).map(
    ([name, text]) => `  ${name.toLowerCase().padEnd(13)} ${text}\n`,
  );
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
    daysLeft: daysLeft(facts.notAfter, now),
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
