/** Lists what lies in the folder of certificates. */
import { readdir } from 'node:fs/promises';
import {
  type CertificateFacts,
  inspectCertificate,
  parsePemFile,
  TRUSTS_NOBODY,
} from '../../certificate/index.js';
import { SandgateError } from '../../spec/index.js';
import { readPair } from './files.js';
import { TEST_CERTIFICATE_NAMES, TEST_CERTIFICATES, type TestCertificate } from './test-certificates.js';

export interface ListedCertificate {
  readonly name: string;
  readonly facts: CertificateFacts;
  readonly hasKey: boolean;
  /** What is wrong with it on purpose; null for a good one, and for one that is not of the set. */
  readonly flaw: string | null;
}

const FIRST: readonly string[] = ['ca', 'server', ...TEST_CERTIFICATE_NAMES];

/** The set in its order, then all others by name. @throws SandgateError where there is no such folder. */
export async function listCertificates(dir: string, now: number): Promise<ListedCertificate[]> {
  const names = (await filesOf(dir))
    .filter((file) => file.endsWith('.pem'))
    .map((file) => file.slice(0, -'.pem'.length))
    .sort((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1));
  const listed = await Promise.all(
    names.map(async (name): Promise<ListedCertificate[]> => {
      const pair = await readPair(dir, name);
      const [der] = pair === null ? [] : parsePemFile(Buffer.from(pair.pem));
      if (pair === null || der === undefined) return [];
      const facts = inspectCertificate(der, [], TRUSTS_NOBODY, now);
      return [{ name, facts, hasKey: pair.keyPem !== '', flaw: flawOf(name) }];
    }),
  );
  return listed.flat();
}

function rankOf(name: string): number {
  const rank = FIRST.indexOf(name);
  return rank < 0 ? FIRST.length : rank;
}

const flawOf = (name: string): string | null =>
  (TEST_CERTIFICATES as Readonly<Record<string, TestCertificate | undefined>>)[name]?.flaw ?? null;

async function filesOf(dir: string): Promise<string[]> {
  try {
    return await readdir(dir);
  } catch (cause) {
    throw new SandgateError('certs.no-folder', { dir }, { cause });
  }
}
