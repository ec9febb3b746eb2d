/** Reads certificates from files and standard input, inspects and judges them. */
import { X509Certificate } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import {
  type CertificateFacts,
  createTrust,
  inspectCertificate,
  parsePemFile,
  type Trust,
} from '../certificate/index.js';
import type { Profile } from '../rules/index.js';
import { SandgateError, unreadable } from '../spec/index.js';
import { judgeCertificate, type RuleVerdict } from './judge-certificate.js';

export interface Inspected {
  /** As it was typed; `-` for standard input. */
  readonly file: string;
  readonly facts: CertificateFacts;
  /** null for a CA that stands in the file to complete the chain of a certificate before it. */
  readonly verdicts: readonly RuleVerdict[] | null;
}

const MAX_FILE_BYTES = 1_048_576;
const STDIN = '-';

/** Bytes of a file, or of `stdin` where the file is `-`. @throws SandgateError where there are none, or too many. */
export async function readInput(file: string, stdin: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of file === STDIN ? stdin : createReadStream(file)) {
      const bytes = Buffer.from(chunk as Uint8Array);
      size += bytes.length;
      if (size > MAX_FILE_BYTES) break;
      chunks.push(bytes);
    }
  } catch (cause) {
    throw unreadable(nameOf(file), cause);
  }
  if (size > MAX_FILE_BYTES) throw new SandgateError('certificate.too-large', { file: nameOf(file) });
  return Buffer.concat(chunks);
}

export const nameOf = (file: string): string => (file === STDIN ? 'Standard input' : file);

/** Trust anchors and revocation lists of the files given; where none are, those of the folder, as far as it has them. */
export async function readTrust(
  { ca, crl }: { readonly ca?: readonly string[]; readonly crl?: readonly string[] },
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
  return createTrust({ anchors, crls });
}

/** One for each certificate of a file. @throws SandgateError where no certificate in it can be read. */
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

export const findingsOf = ({ verdicts }: Inspected): string[] =>
  (verdicts ?? []).filter(({ verdict }) => verdict === 'violated').map(({ rule }) => rule.id);

export const violatesAMust = ({ verdicts }: Inspected): boolean =>
  (verdicts ?? []).some(({ verdict, severity }) => verdict === 'violated' && severity === 'must');
