/** The files that `verify` reads beside the report: its statement, the reader's key, its HTML form. */
import { basename, dirname, join } from 'node:path';
import { isFile, readText } from '../app/config/index.js';
import { type CheckedSignature, checkSignature, statementNamedIn } from '../app/verify/index.js';
import type { Report, Statement } from '../report/index.js';

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

/** The page of a report: that which the user names, else that of the statement, where it lies beside the report. */
export function htmlOf(file: string, statement: Statement | null, named: string | undefined): string | null {
  if (named !== undefined) return named;
  const stated = statement?.files.map(({ name }) => basename(name)).find((name) => /\.html?$/i.test(name));
  return stated === undefined ? null : join(dirname(file), stated);
}
