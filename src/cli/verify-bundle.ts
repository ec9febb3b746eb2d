/** `sandgate verify` of a bundle: its files, then its session as that of a store, which is made for the time of the check. */
import { closeSync, openSync } from 'node:fs';
import {
  type Bundle,
  checkArchive,
  checkFiles,
  MANIFEST,
  openBundle,
  REPORT,
  SESSION,
  STATEMENT,
  withBundledSession,
} from '../app/bundle/index.js';
import { evidenceKey } from '../app/report/index.js';
import {
  type Check,
  checked,
  checkSignature,
  readStanding,
  type StandingReport,
} from '../app/verify/index.js';
import { MOST_FILE_BYTES, readText } from '../files/index.js';
import { type FaultCode, SandgateError } from '../spec/index.js';
import type { Store } from '../store/index.js';
import { version } from './version.js';

interface BundleParts {
  readonly file: string;
  /** The key that must have signed it: a file. */
  readonly key: string | undefined;
  readonly signatureOnly: boolean;
  readonly now: number;
  /** Checks a report against the store of its session. */
  readonly checkStored: (
    standing: StandingReport,
    isSigned: boolean,
    store: Store,
    name: string,
  ) => Promise<readonly Check[]>;
}

export async function checkBundle(parts: BundleParts): Promise<Check[]> {
  const { file } = parts;
  const handle = openSync(file, 'r');
  try {
    const bundle = await openBundle(handle, file);
    const { check: archive, digests } = await checkArchive(bundle);
    const standing = await orFailed('contents', async () =>
      readStanding(await bundle.zip.bytes(REPORT, MOST_FILE_BYTES), `${REPORT} of ${file}`),
    );
    const madeAt = 'report' in standing ? standing.report.head.madeAt : null;
    const signature = await signatureOf(bundle, madeAt, parts);
    if (parts.signatureOnly) return [archive, signature];
    if (!('report' in standing)) return [archive, signature, standing];
    // The manifest is what is signed: a report as it lists it is covered, whatever became of other files.
    const listed = bundle.manifest.files.find(({ name }) => name === REPORT);
    const isSigned = signature.sound === true && digests.get(REPORT) === listed?.sha256;
    const checks = await checkSession(bundle, standing, isSigned, digests, parts);
    return [archive, signature, ...checks];
  } catch (error) {
    if (error instanceof SandgateError && error.code === 'bundle.archive')
      return [checked('archive', false, error.message)];
    throw error;
  } finally {
    closeSync(handle);
  }
}

/** A bundle that is damaged or was changed is a finding, and no mistake of its reader. */
async function orFailed<T>(
  what: Check['what'],
  work: () => Promise<T>,
  codes?: readonly FaultCode[],
): Promise<T | Check> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SandgateError)) throw error;
    if (codes === undefined ? error.kind !== 'input' : !codes.includes(error.code)) throw error;
    return checked(what, false, error.message);
  }
}

const OF_SESSION = ['bundle.archive', 'bundle.line', 'bundle.twice'] as const;

async function checkSession(
  bundle: Bundle,
  standing: StandingReport,
  isSigned: boolean,
  digests: ReadonlyMap<string, string>,
  { file, checkStored }: BundleParts,
): Promise<readonly Check[]> {
  const { kind, session } = standing.report.head.recording;
  if (kind !== 'store' || session !== bundle.manifest.session)
    return [checked('contents', false, `${REPORT} is no report of the session ${bundle.manifest.session}.`)];
  const found = await orFailed(
    'chain',
    () =>
      withBundledSession(bundle, async (opened) => ({
        stored: await checkStored(standing, isSigned, opened.store, `${SESSION} of ${file}`),
        files: await checkFiles(opened, standing.report, { zip: bundle.zip, digests }, version()),
      })),
    OF_SESSION,
  );
  return 'stored' in found ? [...found.stored, found.files] : [found];
}

async function signatureOf(
  { zip, manifestBytes: bytes }: Bundle,
  madeAt: string | null,
  { key: name, now }: BundleParts,
): Promise<Check> {
  const key = name === undefined ? null : { name, pem: readText(name) };
  const text = zip.has(STATEMENT) ? (await zip.bytes(STATEMENT, MOST_STATEMENT)).toString() : null;
  const statement = { name: STATEMENT, text, isNamed: false };
  const { check } = await checkSignature({ ...{ bytes, madeAt, statement, key, now }, what: 'bundle' });
  if (key === null || check.sound !== true) return check;
  const fingerprint = evidenceKey(key.pem, key.name, true).name;
  return {
    ...check,
    text: `${check.text} The key has the SHA-256 ${fingerprint}; ${MANIFEST} covers the other files.`,
  };
}

const MOST_STATEMENT = 65_536;
