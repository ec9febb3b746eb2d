/** `sandgate verify`: checks that a report is signed as it stands and follows from its recording. */
import { Command } from 'commander';
import { isFile, type LoadedConfig, openConfiguredIfAny } from '../../app/config/index.js';
import { checkOutside, checkWhole, type OpenedSource } from '../../app/report/index.js';
import {
  type Check,
  checkChain,
  checkCheckpoints,
  checkContents,
  checkDossier,
  checked,
  readReport,
  readStanding,
  type StandingReport,
  sourceOfFile,
  sourceOfReport,
  statusOf,
} from '../../app/verify/index.js';
import { isZip, readBytes, readText } from '../../files/index.js';
import type { Report } from '../../report/index.js';
import { counted, SandgateError } from '../../spec/index.js';
import { type Store, storeName } from '../../store/index.js';
import type { CliContext } from '../context.js';
import { addOptions, type FlagsOf, PRINT_JSON, several } from '../options.js';
import { loadJudging, OWN_RULES, ownRulesFlags } from '../own-rules-flags.js';
import { createProgress } from '../progress.js';
import { anchorsIn, TRUST_OPTIONS, trustOf } from '../report-input.js';
import { readFormatOf } from '../report-outputs.js';
import { STORE_OPTIONS, storeFlags } from '../sessions-store.js';
import { checkBundle } from '../verify-bundle.js';
import { checkOthers, printChecks, signatureOf } from '../verify-files.js';
import { version } from '../version.js';

const OPTIONS = [
  ['--key <PUBLIC>', 'Key that must have signed the report: public key or certificate (PEM).'],
  ['--signature <FILE>', 'Signed statement (default: REPORT.jws).'],
  ['--signature-only', 'Check only the signature, without the recording.'],
  [
    '--file <FILE>',
    'Another file of the report, wherever it is now; may be given several times (default: those that the statement names, beside the report).',
    { read: several },
  ],
  ['--recording <FILE>', 'Cassette or HAR file that the report was made of, if it is elsewhere now.'],
  ['--baseline <REPORT>', 'Older report that this one was compared with.'],
  ...OWN_RULES,
  PRINT_JSON,
  ...TRUST_OPTIONS,
  ...STORE_OPTIONS,
] as const;
type Flags = FlagsOf<typeof OPTIONS>;

export default function verify(context: CliContext): Command {
  return addOptions(
    new Command('verify')
      .description(
        'Check a report or a bundle: its signature, the chain of its session, and that it follows from the recording.',
      )
      .argument(
        '<FILE>',
        'Report in JSON, a dossier in PDF, or a bundle; of a report in HTML, only the signature is checked.',
      ),
    OPTIONS,
  ).action(async (file: string, flags: Flags) => {
    if (flags.signatureOnly && flags.key === undefined) throw new SandgateError('verify.signature-only', {});
    const checks = await runChecks(file, flags, context);
    printChecks(file, checks, flags.json === true, context);
    context.exitWith(statusOf(checks));
  });
}

/** Refused before any work is done where the name of one does not say what it is. */
function namedFiles({ file = [] }: Flags): readonly string[] {
  for (const name of file) readFormatOf(name);
  return file;
}

async function runChecks(file: string, flags: Flags, context: CliContext): Promise<Check[]> {
  if (isZip(file)) return runBundle(file, flags, context);
  const bytes = readBytes(file);
  const now = context.clock();
  const named = namedFiles(flags);
  if (isPage(bytes)) {
    const { check, statement } = await signatureOf(file, bytes, null, flags, now);
    if (flags.signatureOnly) return [check];
    const others = await checkOthers(file, bytes, null, statement, named);
    return [check, checked('contents', null, OF_PAGE), ...others];
  }
  if (isPdf(bytes)) return checkRecord(file, bytes, flags, context);
  const standing = readStanding(bytes, file);
  const { report } = standing;
  const { check: signature, statement } = await signatureOf(file, bytes, report, flags, now);
  if (flags.signatureOnly) return [signature];
  const checks = await checkRecording({ file, flags, context, standing, isSigned: signature.sound === true });
  return [signature, ...checks, ...(await checkOthers(file, bytes, report, statement, named))];
}

const isPdf = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.subarray(0, 5)).toString('latin1') === '%PDF-';

/** Flags that name what a dossier holds itself. */
const OF_JSON = ['signature', 'file'] as const;

/** A dossier: what is in the file, then the recording, as for the report that is attached. */
async function checkRecord(
  file: string,
  bytes: Uint8Array,
  flags: Flags,
  context: CliContext,
): Promise<Check[]> {
  const { key, timestampCa } = flags;
  for (const name of OF_JSON)
    if (flags[name] !== undefined) throw new SandgateError('verify.in-dossier', { flag: `--${name}` });
  const { checks, standing, isSigned } = await checkDossier(bytes, {
    name: file,
    key: key === undefined ? null : { name: key, pem: readText(key) },
    anchors: timestampCa === undefined ? [] : await anchorsIn(timestampCa),
    now: context.clock(),
  });
  if (flags.signatureOnly) return checks.filter(({ what }) => what === 'seal' || what === 'signature');
  // The authority of the seal's stamp; that of checkpoints is asked for only where there are any.
  const { timestampCa: _, ...ofChain } = flags;
  const hasCheckpoints = standing.report.evidence.witness !== null;
  const checked = { file, flags: hasCheckpoints ? flags : ofChain, context, standing, isSigned };
  return [...checks, ...(await checkRecording(checked))];
}

async function checkRecording(given: Omit<Run, 'loaded'>): Promise<Check[]> {
  const { flags, context, standing } = given;
  const { recording } = standing.report.head;
  if (recording.kind === 'store' && flags.recording !== undefined)
    throw new SandgateError('verify.of-session', { file: given.file });
  const loaded = await loadJudging(
    { flags: { ...storeFlags(flags), ...ownRulesFlags(flags), certs: flags.certs }, env: context.env },
    context,
  );
  const run: Run = { ...given, loaded };
  return recording.kind === 'store'
    ? await checkSession(run)
    : await checkFile(run, flags.recording ?? recording.name);
}

/** Flags that name what a bundle holds itself. */
const OF_REPORTS = ['signature', 'file', 'recording', 'baseline', ...Object.keys(storeFlags({}))] as const;

async function runBundle(file: string, flags: Flags, context: CliContext): Promise<Check[]> {
  for (const [name, value] of Object.entries(flags))
    if (OF_REPORTS.includes(name) && value !== undefined)
      throw new SandgateError('bundle.of-reports', { flag: `--${kebab(name)}` });
  const loaded = await loadJudging(
    { flags: { ...ownRulesFlags(flags), certs: flags.certs }, env: context.env },
    context,
  );
  const { key, signatureOnly = false } = flags;
  return checkBundle({
    ...{ file, key, signatureOnly, now: context.clock() },
    checkStored: (standing, isSigned, store, called) =>
      checkStored({ file, flags, context, standing, loaded, isSigned }, store, called),
  });
}

const kebab = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const OF_PAGE =
  'A report in HTML is made from the one in JSON: sandgate verify REPORT.json --file REPORT.html checks both against the recording.';

const isPage = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.subarray(0, 15)).toString('latin1').toLowerCase() === '<!doctype html>';

interface Run {
  readonly file: string;
  readonly flags: Flags;
  readonly context: CliContext;
  readonly standing: StandingReport;
  readonly loaded: LoadedConfig;
  readonly isSigned: boolean;
}

async function checkSession(run: Run): Promise<Check[]> {
  const { loaded } = run;
  const path = storeName(loaded.config.store);
  const store = await openConfiguredIfAny(loaded.config);
  if (store === null) {
    const missing = new SandgateError('verify.no-store', { path });
    const isNamed = loaded.effective.some(({ option, from }) => option.key === 'store' && from !== 'default');
    if (isNamed) throw missing;
    return [checked('chain', null, missing.message), checked('contents', null, missing.message)];
  }
  try {
    return await checkStored(run, store, path);
  } finally {
    await store.close();
  }
}

/** `called`: what the user calls the store. */
async function checkStored(run: Run, store: Store, called: string): Promise<Check[]> {
  const { loaded, standing, flags } = run;
  const { report } = standing;
  const { check: chain, breaks, removedSince, erasedSince } = await checkChain(report, store, called);
  const { session } = report.head.recording;
  if (!(await store.sessions()).some(({ name }) => name === session)) return [chain];
  const trust = await trustOf(loaded, flags);
  const kept = { ...trust, file: flags.checkpoints ?? '' };
  if (flags.checkpoints !== undefined) await checkOutside(store, session ?? '', kept);
  const checkpoints = await checkCheckpoints(report, store, {
    ...trust,
    anchorsFile: flags.timestampCa ?? '',
  });
  const isThis = checkpoints.every(({ sound }) => sound !== false);
  if (flags.checkpoints !== undefined && isThis)
    await checkWhole(store, session ?? '', kept, entriesOf(report));
  const links = [chain, ...checkpoints];
  if (removedSince > 0)
    return [
      ...links,
      checked(
        'contents',
        null,
        `${counted(removedSince, 'exchange was', 'exchanges were')} removed since, so the report cannot be made again.`,
      ),
    ];
  if (erasedSince !== '') return [...links, checked('contents', null, `${erasedSince} ${ERASED_SINCE}`)];
  const again = await sourceOfReport(report, store, loaded, breaks, trust);
  return [...links, await checkReport(run, again.opened, null, again.unwitnessed)];
}

const ERASED_SINCE = 'The report was made before, so it cannot be made again.';

/** The entries of the report: the session may have gone on since. */
function entriesOf({ evidence }: Report) {
  const ends = new Map(evidence.chains.map(({ store, entries }) => [store, entries]));
  return (chain: string, entries: number): boolean => entries <= (ends.get(chain) ?? evidence.entries);
}

async function checkFile(run: Run, name: string): Promise<Check[]> {
  const { flags, loaded, standing } = run;
  if (flags.recording === undefined && !isFile(name))
    return [
      checked('contents', null, `The recording ${name} does not exist: say where it is with --recording.`),
    ];
  return [await checkReport(run, sourceOfFile(standing.report, readBytes(name), loaded), name, [])];
}

async function checkReport(
  { file, flags, context, standing, isSigned }: Run,
  opened: OpenedSource,
  recording: string | null,
  unwitnessed: readonly string[],
): Promise<Check> {
  const { report } = standing;
  const older = readOlder(file, report, flags);
  const progress = createProgress('Making the report again', opened.expected, context);
  return checkContents(standing, opened, {
    ...{ older, recording, isSigned, unwitnessed },
    baseline: flags.baseline ?? null,
    pause: progress.step,
    version: version(),
    now: context.clock(),
  }).finally(progress.end);
}

function readOlder(file: string, report: Report, { baseline }: Flags): Report | null {
  if (baseline === undefined) return null;
  if (report.baseline !== null) return readReport(readText(baseline), baseline);
  throw new SandgateError('verify.no-baseline', { file, baseline });
}
