/** The files that `verify` reads beside the report: its statement, the reader's key, its other files. */
import { basename, dirname, join } from 'node:path';
import { isFile } from '../app/config/index.js';
import {
  type Check,
  checkFile,
  checkSignature,
  fieldText,
  missingFile,
  statementNamedIn,
  statusOf,
} from '../app/verify/index.js';
import { readBytes, readText } from '../files/index.js';
import { digestOf, type Report, type Statement } from '../report/index.js';
import type { CliContext } from './context.js';
import { printJson, printLine } from './output.js';

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
): ReturnType<typeof checkSignature> {
  const name = signature ?? statementBeside(file, report === null ? statementNamedIn(bytes) : null);
  return checkSignature({
    bytes,
    madeAt: report?.head.madeAt ?? null,
    statement: { name, text: isFile(name) ? readText(name) : null, isNamed: signature !== undefined },
    key: key === undefined ? null : { name: key, pem: readText(key) },
    now,
  });
}

/** A file named by a page is looked for in the page's own folder only: anybody may have written it. */
function statementBeside(file: string, named: string | null): string {
  const own = `${file}.jws`;
  return named === null || isFile(own) ? own : join(dirname(file), basename(named));
}

/** The files that the user names, and all others of the statement, which lie beside the report. */
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

const MARKS = { true: 'sound', false: 'FAILED', null: 'not checked' } as const;
const MOST_SHOWN = 20;

export function printChecks(
  report: string,
  checks: readonly Check[],
  asJson: boolean,
  { stdout }: CliContext,
): void {
  if (asJson) {
    printJson(stdout, { report, sound: statusOf(checks) === 0, checks });
    return;
  }
  const width = Math.max(...checks.map(({ what }) => what.length));
  for (const { what, sound, text, details } of checks) {
    printLine(stdout, `${what.padEnd(width)}  ${MARKS[`${sound}`].padEnd(11)}  ${text}`);
    for (const detail of details.slice(0, MOST_SHOWN)) printLine(stdout, `  - ${detail.text}`);
    const more = details.length - MOST_SHOWN;
    if (more > 0) printLine(stdout, `  - and ${more} more`);
  }
  printLine(stdout, lastLine(checks));
}

function lastLine(checks: readonly Check[]): string {
  const left = checks.flatMap(({ what, sound, open = [] }) => [
    ...(sound === null ? [what] : []),
    ...open.map(fieldText),
  ]);
  const unchecked = left.length === 0 ? '' : ` Not checked: ${left.join(', ')}.`;
  const status = statusOf(checks);
  if (status === 1) return `Verification failed.${unchecked}`;
  if (status === 2) return 'Nothing was checked: give the recording, or --key with a key that you trust.';
  return left.length === 0 ? 'All checks passed.' : `What was checked is sound.${unchecked}`;
}
