/** Checks a dossier: its seal, the signed statement in it, its attachments, and that the pages are those of the attached report. */
import { createPublicKey, type KeyObject, type X509Certificate } from 'node:crypto';
import { openSigned } from '../../evidence/index.js';
import type { CheckedSeal } from '../../evidence/seal/index.js';
import type { StampAnchor } from '../../evidence/time-stamp/index.js';
import type { ReadDossier } from '../../report/dossier/index.js';
import { digestOf, type Report, readStatement, type Statement } from '../../report/index.js';
import { dateAt, SandgateError } from '../../spec/index.js';
import { type Check, checked } from './check.js';
import { checkDates, checkFile, readReport, readStanding, type StandingReport } from './files.js';

export interface DossierReader {
  readonly name: string;
  /** The reader's; `pem` is a public key or a certificate. */
  readonly key: { readonly name: string; readonly pem: string } | null;
  readonly anchors: readonly StampAnchor[];
  /** Epoch ms. */
  readonly now: number;
}

interface CheckedDossier {
  readonly checks: readonly Check[];
  readonly standing: StandingReport;
  /** A seal or a statement of the reader's key covers all of it. */
  readonly isSigned: boolean;
}

const REPORT = 'report.json';
const STATEMENT = 'statement.jws';

/** @throws SandgateError where the bytes are not written as Sandgate writes a dossier, or hold no report */
export async function checkDossier(bytes: Uint8Array, reader: DossierReader): Promise<CheckedDossier> {
  const { readDossier } = await import('../../report/dossier/index.js');
  const { name } = reader;
  let file: ReadDossier;
  try {
    file = readDossier(bytes);
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw new SandgateError('verify.no-pdf', { file: name, problem }, { cause });
  }
  const json = file.attachments.get(REPORT);
  if (json === undefined)
    throw new SandgateError('verify.no-pdf', { file: name, problem: 'no report is attached' });
  const standing = readStanding(json, `${name} (${REPORT})`);
  // Read with the defaults of members that an older version did not write.
  const report = readReport(standing.text, name);
  const statement = await checkStatement(file, reader, report.head.madeAt);
  const [seal, signature] = eitherKey(await checkSealOf(file, reader), statement);
  const others = await Promise.all(
    [...file.attachments]
      .filter(([one]) => one !== REPORT && one !== STATEMENT)
      .map(([one, content]) => checkFile(report, { name: one, bytes: content, signed: null })),
  );
  const pages = await checkPages(file, report, json);
  const isSigned = seal.sound === true || signature.sound === true;
  return { checks: [seal, signature, ...others, pages], standing, isSigned };
}

/** `isOther`: it is whole, but of another key than the reader's. */
type OfKey = { readonly check: Check; readonly isOther: boolean };

/** Seal and statement may be of two keys: the reader's has to fit one of them. */
function eitherKey(seal: OfKey, statement: OfKey): [Check, Check] {
  const settled = (one: OfKey, other: OfKey): Check =>
    one.isOther && other.check.sound === true ? { ...one.check, sound: null } : one.check;
  return [settled(seal, statement), settled(statement, seal)];
}

async function checkSealOf({ seal }: ReadDossier, { key, anchors, now }: DossierReader): Promise<OfKey> {
  const only = (sound: boolean | null, said: string) => ({
    check: checked('seal', sound, said),
    isOther: false,
  });
  if (seal === null) return only(null, 'The record is not sealed.');
  const { checkSeal } = await import('../../evidence/seal/index.js');
  const { wrong, certificate, subject, stamp } = await checkSeal(seal.content, seal.signature, anchors);
  if (wrong !== null || certificate === null) return only(false, wrong ?? 'The seal is not readable.');
  if (!seal.isWhole) return only(false, `The seal of ${subject} does not cover the whole file.`);
  const when = stampText(stamp);
  if (when.wrong) return only(false, `The record is sealed by ${subject}, but ${when.text}`);
  const stamped = stamp?.state === 'trusted' ? stamp.at : null;
  const outside = timeOutside(certificate, { seal: seal.at, 'time stamp': stamped });
  if (outside !== null) return only(false, `${outside}, when the certificate of ${subject} was not valid.`);
  const sealed = `The record is sealed by ${subject}, as it stands; it says on ${dateAt(seal.at)}, ${when.text}`;
  if (key === null) return only(null, `${sealed} Whose seal this is only shows with --key.`);
  if (!isOfKey(certificate.publicKey, key))
    return { ...only(false, `${sealed} But the seal is of another key than ${key.name}.`), isOther: true };
  const { validToDate: to } = certificate;
  return stamped === null && now > to.getTime()
    ? only(null, `${sealed} But its certificate has expired: nothing proves that it was sealed before.`)
    : only(true, `${sealed} The seal is of ${key.name}.`);
}

/** The first of the times at which the certificate was not valid, in words; null where there is none. */
function timeOutside(
  { validFromDate: from, validToDate: to }: X509Certificate,
  times: Readonly<Record<string, number | null>>,
): string | null {
  for (const [what, at] of Object.entries(times))
    if (at !== null && (at < from.getTime() || at > to.getTime()))
      return `The ${what} of the record is of ${dateAt(at)}`;
  return null;
}

function stampText(stamp: CheckedSeal['stamp']): { readonly wrong: boolean; readonly text: string } {
  if (stamp === null) return { wrong: false, text: 'without a time stamp.' };
  const at = stamp.at === null ? '' : ` of ${new Date(stamp.at).toISOString()}`;
  if (stamp.state === 'trusted')
    return {
      wrong: false,
      text: `and a time stamp${at} by ${stamp.authority} shows that it was sealed by then.`,
    };
  if (stamp.state === 'unchecked')
    return { wrong: false, text: `with a time stamp${at}, which only --timestamp-ca can check.` };
  return { wrong: true, text: `its time stamp is not sound (${stamp.state}).` };
}

const isOfKey = (own: KeyObject, { pem, name }: { readonly pem: string; readonly name: string }): boolean => {
  try {
    return createPublicKey(pem).equals(own);
  } catch (cause) {
    throw new SandgateError('key.unreadable', { file: name, what: 'public key or certificate' }, { cause });
  }
};

/** The statement names the digest of each other attachment. */
async function checkStatement(
  { attachments }: ReadDossier,
  { key, now }: DossierReader,
  madeAt: string | null,
): Promise<OfKey> {
  const only = (sound: boolean | null, said: string, isOther = false): OfKey => ({
    check: checked('signature', sound, said),
    isOther,
  });
  const jws = attachments.get(STATEMENT)?.toString('latin1');
  if (jws === undefined) return only(null, 'No signed statement is attached.');
  if (key === null)
    return only(null, `${STATEMENT} is attached; to check it, add --key with a key that you trust.`);
  const signed = await openSigned(jws, key.pem, key.name);
  const stated = signed === null ? null : readStatement(signed);
  if (stated === null)
    return only(
      false,
      `The attached ${STATEMENT} was changed, or made with another key than ${key.name}.`,
      true,
    );
  const differing = differingFiles(stated, attachments);
  if (differing.length > 0)
    return only(
      false,
      `The attached ${STATEMENT} was made with ${key.name}, but not for ${differing.join(', ')} as attached.`,
    );
  const check = checkDates(`The attached files are signed with ${key.name}, as they stand`, {
    ...{ what: 'report', madeAt, key, now },
  });
  return { check, isOther: false };
}

function differingFiles(stated: Statement, attachments: ReadDossier['attachments']): string[] {
  const files = new Map(
    [...attachments].filter(([name]) => name !== STATEMENT).map(([name, bytes]) => [name, digestOf(bytes)]),
  );
  const named = new Map(stated.files.map(({ name, sha256 }) => [name, sha256]));
  return [...new Set([...files.keys(), ...named.keys()])].filter(
    (name) => files.get(name) !== named.get(name),
  );
}

/** The pages are made again from the attached report, with the attachments as they are: those are checked by themselves. */
async function checkPages(file: ReadDossier, report: Report, json: Buffer): Promise<Check> {
  const { attach, attachedFiles, differingParts, readDossier, renderDossier } = await import(
    '../../report/dossier/index.js'
  );
  const made = await attachedFiles(report, json);
  const files = made.map((one) => {
    const bytes = file.attachments.get(one.name);
    return bytes === undefined ? one : attach(one, bytes);
  });
  const statement = file.attachments.get(STATEMENT);
  const seal = file.seal === null ? undefined : { by: await sealedBy(file.seal), at: file.seal.at };
  const again = readDossier(await renderDossier(report, files, { statement, seal }));
  const parts = differingParts(file, again);
  if (parts.length === 0)
    return checked('pdf', true, 'The pages are those of the attached report: made again, they are the same.');
  return checked(
    'pdf',
    false,
    'The file is not the one that the attached report gives.',
    parts.map((part) => ({ exchange: null, text: `It differs in ${part}.` })),
  );
}

async function sealedBy({ content, signature }: NonNullable<ReadDossier['seal']>): Promise<string> {
  const { checkSeal } = await import('../../evidence/seal/index.js');
  return (await checkSeal(content, signature, [])).subject;
}
