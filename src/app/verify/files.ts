/** Checks files of a report: against what was signed and by whom, and by making them again. */

import { openSigned, validityOf } from '../../evidence/index.js';
import { jsonPath, parseJsonText } from '../../exchange/index.js';
import {
  digestOf,
  type Format,
  formatOf,
  type Report,
  readStatement,
  reportBytes,
  reportSchema,
  type Statement,
} from '../../report/index.js';
import { dateAt, inPlainWords, SandgateError } from '../../spec/index.js';
import { type Check, checked } from './check.js';

/**
 * `report` is null where only the signature can tell. `signed`: digests of which the file must have one; null where nothing was
 * signed with the key of the reader.
 */
export async function checkFile(
  report: Report | null,
  {
    name,
    bytes,
    signed,
  }: { readonly name: string; readonly bytes: Uint8Array; readonly signed: readonly string[] | null },
): Promise<Check> {
  const format = formatOf(name);
  const what = format ?? 'file';
  if (signed !== null && !signed.includes(digestOf(bytes)))
    return checked(what, false, `${name} is not signed with the report: its digest is not in the statement.`);
  if (report === null || format === null || format === 'pdf')
    return signed === null
      ? checked(what, null, `Whose ${name} is only shows with --key.`)
      : checked(what, true, `${name} is signed with the report, as it stands.`);
  const again = await madeAgain(report, format, bytes);
  if (again.equals(bytes)) return checked(what, true, `${name} is this report: made again, it is the same.`);
  let at = 0;
  while (again[at] === bytes[at]) at++;
  const line = again.subarray(0, at).toString().split('\n').length;
  return checked(what, false, `${name} is not this report: made again, it differs from line ${line} on.`);
}

/** `name` as the statement has it. */
export const missingFile = (name: string): Check =>
  checked(
    formatOf(name) ?? 'file',
    null,
    `${name} is missing: the statement names it, and it is not beside the report. Say where it is with --file.`,
  );

async function madeAgain(report: Report, format: Exclude<Format, 'pdf'>, bytes: Uint8Array): Promise<Buffer> {
  const statement = format === 'html' ? statementNamedIn(bytes) : null;
  // Members that came later have their defaults; JSON is looked at as it stands.
  const whole = format === 'json' ? report : reportSchema.parse(report);
  return reportBytes(whole, format, statement === null ? {} : { statement });
}

const STATEMENT = /<meta name="sandgate-statement" content="([^"]*)"\/>/;
const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

/** The file of the statement that signs a page, as the page names it. */
export function statementNamedIn(html: Uint8Array): string | null {
  const named = STATEMENT.exec(Buffer.from(html.subarray(0, MOST_HEAD_BYTES)).toString('utf8'))?.[1];
  return named?.replaceAll(/&(?:amp|lt|gt|quot);/g, (entity) => ENTITIES[entity] ?? entity) ?? null;
}

const MOST_HEAD_BYTES = 4_096;

/** `name` begins the sentence of an error. */
export function readReport(text: string, name: string): Report {
  const parsed = reportSchema.safeParse(parseJsonText(text, name), { error: inPlainWords });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue === undefined || issue.path.length === 0 ? '' : ` at ${jsonPath(issue.path)}`;
  throw new SandgateError('verify.no-report', {
    file: name,
    problem: `${issue?.message ?? 'another form is expected'}${place}`,
  });
}

/** A report as it stands: with its members in their order, and none that it does not hold. */
export interface StandingReport {
  readonly text: string;
  readonly report: Report;
}

/** Bytes that are no UTF-8 are an error: a reader would show others in their place. */
export function readStanding(bytes: Uint8Array, name: string): StandingReport {
  const text = decode(bytes, name);
  if (JWS.test(text)) throw new SandgateError('verify.statement', { file: name, report: reportOf(name) });
  if (!/^\uFEFF?\s*\{/.test(text)) throw new SandgateError('verify.kind', { file: name });
  readReport(text, name);
  return { text, report: JSON.parse(text.replace(/^\uFEFF/, '')) as Report };
}

const JWS = /^[\w-]+\.[\w-]+\.[\w-]+\s*$/;
const reportOf = (statement: string): string => statement.match(/^(.+)\.jws$/i)?.[1] ?? 'REPORT.json';

function decode(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new SandgateError('verify.no-utf-8', { file: name }, { cause });
  }
}

interface KeyOfReader {
  readonly name: string;
  readonly pem: string;
}

interface SignedFile {
  /** The word for it in messages. */
  readonly what?: 'report' | 'bundle';
  readonly bytes: Uint8Array;
  /** When the report says that it was made, ISO 8601. */
  readonly madeAt: string | null;
  /** The file of the statement; its text is null where there is none. `isNamed`: the reader says that there is one. */
  readonly statement: { readonly name: string; readonly text: string | null; readonly isNamed: boolean };
  /** The reader's; `pem` is a public key or a certificate. */
  readonly key: KeyOfReader | null;
  readonly now: number;
}

/** What was checked; `statement` only where it was signed with the key. */
export async function checkSignature(
  file: SignedFile,
): Promise<{ readonly check: Check; readonly statement: Statement | null }> {
  const { what = 'report', bytes, statement, key } = file;
  const { name, text, isNamed } = statement;
  const only = (sound: boolean | null, said: string) => ({
    check: checked('signature', sound, said),
    statement: null,
  });
  if (text === null)
    return key === null && !isNamed
      ? only(null, `The ${what} is not signed: there is no ${name}.`)
      : only(false, `There is no signature at ${name}.`);
  if (key === null)
    return only(null, `There is a signature, ${name}; to check it, add --key with a key that you trust.`);
  const signed = await openSigned(text, key.pem, key.name);
  const stated = signed === null ? null : readStatement(signed);
  if (stated === null)
    return only(
      false,
      `The signature ${name} does not match: it was changed, or made with another key than ${key.name}.`,
    );
  if (!stated.files.some(({ sha256 }) => sha256 === digestOf(bytes)))
    return only(
      false,
      `The signature ${name} does not match: it was made with ${key.name}, but not for these bytes. The ${what} was changed, or is another one.`,
    );
  const said = `The ${what} is signed with ${key.name}, as it stands`;
  return { check: checkDates(said, { ...file, what, key }), statement: stated };
}

/** Whether the certificate was valid when the report was made; a bare key has no dates. */
export function checkDates(
  signed: string,
  {
    what,
    madeAt,
    key,
    now,
  }: Required<Pick<SignedFile, 'what' | 'madeAt' | 'now'>> & { readonly key: KeyOfReader },
): Check {
  const validity = validityOf(key.pem);
  if (validity === null) return checked('signature', true, `${signed}.`);
  const { from, to } = validity;
  const made = madeAt === null ? null : Date.parse(madeAt);
  if (made !== null && (made < from || made > to))
    return checked(
      'signature',
      false,
      `${signed}; but it is dated ${madeAt}, and the certificate is valid from ${dateAt(from)} to ${dateAt(to)}.`,
    );
  const unproven =
    now > to
      ? `has expired, on ${dateAt(to)}: nothing proves that the ${what} was signed before`
      : now < from
        ? `is not valid yet, only from ${dateAt(from)}`
        : null;
  if (unproven !== null) return checked('signature', null, `${signed}; but the certificate ${unproven}.`);
  return checked('signature', true, `${signed}; the certificate is valid to ${dateAt(to)}.`);
}
