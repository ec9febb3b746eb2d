/** The files that `verify` reads beside the report: its statement, the reader's key, its other files. */
import { basename, dirname, join } from 'node:path';
import { isFile, readBytes, readText } from '../app/config/index.js';
import {
  type Check,
  type CheckedSignature,
  checkFile,
  checkSignature,
  missingFile,
  statementNamedIn,
} from '../app/verify/index.js';
import { digestOf, type Report, type Statement } from '../report/index.js';

export interface SignatureFlags {
  readonly key?: string;
  readonly signature?: string;
}

/** `report` is null for a page. */
export function signatureOf(
  file: string,
  bytes: Uint8Array,
  report: Report | null,
  { key, signature }: SignatureFlags,
  now: number,
): Promise<CheckedSignature> {
  const name = signature ?? statementBeside(file, report === null ? statementNamedIn(bytes) : null);
  return checkSignature({
    bytes,
    madeAt: report?.head.madeAt ?? null,
    statement: { name, text: isFile(name) ? readText(name) : null, isNamed: signature !== undefined },
    key: key === undefined ? null : { name: key, pem: readText(key) },
    now,
  });
}

/** What a page names is looked for in its own folder only: anybody may have written it. */
function statementBeside(file: string, named: string | null): string {
  const own = `${file}.jws`;
  return named === null || isFile(own) ? own : join(dirname(file), basename(named));
}

/**
 * The other files of the report: those that the user names, and all others of the statement, which lie beside the
 * report. `report` is null for a page.
 */
export async function checkOthers(
  file: string,
  bytes: Uint8Array,
  report: Report | null,
  statement: Statement | null,
  named: readonly string[],
): Promise<Check[]> {
  const given = named.map((name) => ({ name, bytes: readBytes(name) }));
  const signed = statement?.files.map(({ sha256 }) => sha256) ?? null;
  const known = new Set([bytes, ...given.map((one) => one.bytes)].map(digestOf));
  const besides = statement?.files.filter(({ sha256 }) => !known.has(sha256)) ?? [];
  return Promise.all([
    ...given.map((one) => checkFile(report, { ...one, signed })),
    ...besides.map(async ({ name, sha256 }) => {
      const path = join(dirname(file), basename(name));
      if (!isFile(path)) return missingFile(basename(name));
      return checkFile(report, { name: path, bytes: readBytes(path), signed: [sha256] });
    }),
  ]);
}
