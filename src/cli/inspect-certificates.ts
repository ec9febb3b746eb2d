/** Reads certificates from files and standard input, judges and shows them. */
import { X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { readTrustList } from '../app/trust-list/index.js';
import {
  type CertificateFacts,
  certificateCard,
  createTrust,
  daysLeft,
  inspectCertificate,
  openRegister,
  parsePemFile,
  type Trust,
} from '../certificate/index.js';
import { readBytes, readUpTo } from '../files/index.js';
import { judgeCertificate, type Profile, type RuleVerdict } from '../rules/index.js';
import { SandgateError } from '../spec/index.js';
import { readStandardInput, STANDARD_INPUT } from './input-file.js';
import { renderTable } from './table.js';

interface Inspected {
  /** The name as typed; `-` for standard input. */
  readonly file: string;
  readonly facts: CertificateFacts;
  /** null for a CA that stands in the file to complete the chain of a certificate before it. */
  readonly verdicts: readonly RuleVerdict[] | null;
}

const MAX_FILE_BYTES = 1_048_576;
const STDIN = '-';

/** Bytes of a file, or of `stdin` where the file is `-`. @throws SandgateError where it cannot be read, or has too many */
export async function readInput(file: string, stdin: Readable): Promise<Buffer> {
  const bytes =
    file === STDIN ? await readStandardInput(stdin, MAX_FILE_BYTES) : readUpTo(file, MAX_FILE_BYTES);
  if (bytes === null) throw new SandgateError('certificate.too-large', { file: nameOf(file) });
  return bytes;
}

const nameOf = (file: string): string => (file === STDIN ? STANDARD_INPUT : file);

/** Trust anchors and revocation lists of the files given; where none are, those of the folder, as far as it has them. */
export async function readTrust(
  {
    ca,
    crl,
    trustList,
    register,
    ...keys
  }: {
    readonly ca?: readonly string[];
    readonly crl?: readonly string[];
    readonly trustList?: string;
    readonly register?: string;
    readonly trustListKey?: string;
  },
  dir: string,
  stdin: Readable,
): Promise<Trust> {
  const read = (given: readonly string[] | undefined, own: string) => {
    const files = given ?? [join(dir, own)].filter((file) => existsSync(file));
    return Promise.all(
      files.map(async (file) => ({ name: nameOf(file), bytes: await readInput(file, stdin) })),
    );
  };
  const [anchors, crls] = await Promise.all([read(ca, 'ca.pem'), read(crl, 'ca.crl')]);
  const list = trustList === undefined ? undefined : readTrustList({ trustList, ...keys, certs: dir });
  const entries = register === undefined ? undefined : openRegister(readBytes(register), register);
  return createTrust({ anchors, crls, list, register: entries });
}

export function inspectFile(
  file: string,
  bytes: Uint8Array,
  trust: Trust,
  profile: Profile,
  now: number,
): Inspected[] {
  const ders = parsePemFile(bytes);
  const inspected = ders.map((der, i): Inspected => {
    const facts = inspectCertificate(der, ders, trust, now);
    const issuedOne = ders.slice(0, i).some((earlier) => isIssuerOf(der, earlier));
    return { file, facts, verdicts: issuedOne ? null : judgeCertificate(facts, profile, now) };
  });
  if (!inspected.some(({ facts }) => isReadable(facts)))
    throw new SandgateError('certificate.unreadable', { file: nameOf(file) });
  return inspected;
}

/** Every certificate has a serial number and an issuer. */
const isReadable = ({ serialNumber, issuer }: CertificateFacts): boolean =>
  serialNumber !== '' || issuer !== '';

function isIssuerOf(issuer: Uint8Array, der: Uint8Array): boolean {
  try {
    const above = new X509Certificate(issuer);
    const certificate = new X509Certificate(der);
    return above.ca && certificate.checkIssued(above) && certificate.verify(above.publicKey);
  } catch {
    return false;
  }
}

const findingsOf = ({ verdicts }: Inspected): string[] =>
  (verdicts ?? []).filter(({ verdict }) => verdict === 'violated').map(({ rule }) => rule.id);

export const violatesAMust = ({ verdicts }: Inspected): boolean =>
  (verdicts ?? []).some(({ verdict, severity }) => verdict === 'violated' && severity === 'must');

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
    ...(facts.register === undefined ? {} : { register: facts.register }),
    problems: facts.problems,
  };
}
