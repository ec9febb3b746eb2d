/** Checks a file against its signed statement, byte for byte, and the statement against a trusted key. */
import { openSigned, validityOf } from '../../evidence/index.js';
import { digestOf, readStatement, type Statement } from '../../report/index.js';
import { dateAt } from '../../spec/index.js';
import { type Check, checked } from './check.js';

export interface SignedFile {
  readonly bytes: Uint8Array;
  /** When the report says that it was made, ISO 8601. */
  readonly madeAt: string | null;
  /** The file of the statement; its text is null where there is none. `isNamed`: the reader says that there is one. */
  readonly statement: { readonly name: string; readonly text: string | null; readonly isNamed: boolean };
  /** The reader's; `pem` is a public key or a certificate. */
  readonly key: { readonly name: string; readonly pem: string } | null;
  readonly now: number;
}

/** What was checked; `statement` only where it was signed with the key. */
export async function checkSignature(
  file: SignedFile,
): Promise<{ readonly check: Check; readonly statement: Statement | null }> {
  const { bytes, statement, key } = file;
  const { name, text, isNamed } = statement;
  const only = (sound: boolean | null, said: string) => ({
    check: checked('signature', sound, said),
    statement: null,
  });
  if (text === null)
    return key === null && !isNamed
      ? only(null, `The report is not signed: there is no ${name}.`)
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
      `The signature ${name} does not match: it was made with ${key.name}, but not for these bytes. The report was changed, or is another one.`,
    );
  return { check: checkDates(file, key), statement: stated };
}

function checkDates({ madeAt, now }: SignedFile, key: { name: string; pem: string }): Check {
  const validity = validityOf(key.pem);
  const signed = `The report is signed with ${key.name}, as it stands`;
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
      ? `has expired, on ${dateAt(to)}: nothing proves that the report was signed before`
      : now < from
        ? `is not valid yet, only from ${dateAt(from)}`
        : null;
  if (unproven !== null) return checked('signature', null, `${signed}; but the certificate ${unproven}.`);
  return checked('signature', true, `${signed}; the certificate is valid to ${dateAt(to)}.`);
}
